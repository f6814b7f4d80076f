"""All that a store decides: idempotency keys, replays, runs that go on without their client, lookups by owner.

Run it with `turnout serve app:app` in this folder. The agent is slow on purpose. Send `Idempotency-Key` to ask the same
thing again safely, `x-user` to be somebody. The stores that come with turnout do all of this, on disk or in Postgres;
this one shows what there is to decide.
"""

import asyncio
import secrets
from dataclasses import dataclass
from functools import partial

import turnout
from turnout.agents import Emit
from turnout.errors import Conflict, NotFound, TurnoutError
from turnout.model import Acceptance, Answer, Message, ResponseSeed, StoredResponse, Turn, User

LONGEST_S = 60.0
"""Seconds for which a run may go on, with its client or without."""


@dataclass
class Row:
    """A turn from its acceptance on; `ended` when there is a response."""

    id: str
    owner: str
    asked: tuple[Message, ...]
    previous: str | None
    ended: StoredResponse | None = None


class Archive:
    """Keeps what users ask and are told, each for oneself."""

    def __init__(self) -> None:
        self.rows: dict[str, Row] = {}
        self.keys: dict[tuple[str, str], Row] = {}

    # ---- what runs ------------------------------------------------------------------------------------------

    async def accept(self, turn: Turn) -> Acceptance:
        """New work, or the response that an earlier turn with this key got. Nothing is awaited between look and entry,
        so that two turns with one key cannot both be new."""
        owner = owner_of(turn.request.context)
        key = (owner, turn.idempotency_key or "")
        known = self.keys.get(key)
        if known is not None:
            if known.asked != turn.items or known.previous != turn.previous:
                raise Conflict("this key was used for something else")
            return Acceptance(replay=known.ended or running(known.id))
        row = Row(f"resp_{secrets.token_hex(12)}", owner, turn.items, turn.previous)
        if turn.idempotency_key:
            self.keys[key] = row
        return Acceptance(
            response=ResponseSeed(id=row.id, metadata={"owner": owner}),
            run_timeout=LONGEST_S,
            activity=True,
            finish=partial(self.finish, row, turn),
        )

    async def finish(self, row: Row, turn: Turn, ended: StoredResponse, error: TurnoutError | None) -> None:
        """Called once for each acceptance; a failure is kept too, so that a repeat is told the same."""
        row.ended = ended
        if turn.retain:
            self.rows[row.id] = row

    # ---- what is looked up ------------------------------------------------------------------------------------

    async def load(self, previous: str, context: turnout.Context) -> tuple[Message, ...]:
        """The conversation that ends in the answer of the response `previous`."""
        row = self.row(previous, context)
        if row.ended is None:
            raise NotFound("there is no such response")
        return (*await self.items(previous, context), Message(role="assistant", parts=row.ended.answer.parts))

    async def get(self, response_id: str, context: turnout.Context) -> StoredResponse:
        """The response itself."""
        row = self.row(response_id, context)
        return row.ended or running(row.id)

    async def items(self, response_id: str, context: turnout.Context) -> tuple[Message, ...]:
        """What the response answered."""
        row = self.row(response_id, context)
        before = await self.load(row.previous, context) if row.previous else ()
        return (*before, *row.asked)

    async def delete(self, response_id: str, context: turnout.Context) -> None:
        """Forget it."""
        del self.rows[self.row(response_id, context).id]

    def row(self, response_id: str, context: turnout.Context) -> Row:
        """The row of a response, for its owner; whoever else asks learns nothing of it."""
        row = self.rows.get(response_id)
        if row is None or row.owner != owner_of(context):
            raise NotFound("there is no such response")
        return row


def owner_of(context: turnout.Context) -> str:
    """Who asks; the app has read it from a header, which something in front of it must guard."""
    return context.get(User, User()).id


def running(response_id: str) -> StoredResponse:
    """What stands for a response that is not there yet."""
    return StoredResponse(answer=Answer(id=response_id, parts=(), stop="end"), status="in_progress")


store = Archive()
app = turnout.App(store=store, user_header="x-user")
runs: list[str] = []
moment = partial(asyncio.sleep, 0.2)


@app.agent("slow", continuation=True)
async def slow(request: turnout.Request, emit: Emit) -> None:
    """Thinks for a moment, and says how long the conversation is."""
    runs.append(request.last_user_text)
    await emit.activity("thinking", {"about": request.last_user_text})
    await emit.delta("I have heard ")
    await moment()
    await emit.delta(f"{len(request.messages)} messages.")
