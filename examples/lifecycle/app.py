"""The smallest store of one's own: what is to be kept is kept in a dict, and can be continued.

Run it with `turnout serve app:app` in this folder. There is no model behind it: the agent repeats what it has heard.
A store has two methods: `accept` says yes to a turn and how it ends, `load` gives the history that a turn continues.
"""

import secrets
from functools import partial

import turnout
from turnout.agents import Emit
from turnout.errors import NotFound, TurnoutError
from turnout.model import Acceptance, Message, ResponseSeed, StoredResponse, Turn


class Notebook:
    """Keeps conversations while the process lives, for everybody who knows their ids. Yours asks whose they are."""

    def __init__(self) -> None:
        self.histories: dict[str, tuple[Message, ...]] = {}

    async def load(self, previous: str, context: turnout.Context) -> tuple[Message, ...]:
        """The messages up to the answer of the response `previous`."""
        if previous not in self.histories:
            raise NotFound("there is no such response")
        return self.histories[previous]

    async def accept(self, turn: Turn) -> Acceptance:
        """Every turn may run; one that is to be kept ends in the notebook."""
        seed = ResponseSeed(id=f"resp_{secrets.token_hex(8)}")
        return Acceptance(response=seed, finish=partial(self.finish, turn) if turn.retain else None)

    async def finish(self, turn: Turn, ended: StoredResponse, error: TurnoutError | None) -> None:
        """The run has ended; the client hears of its success when this returns."""
        if error is None:
            before = self.histories.get(turn.previous or "", ())
            answer = Message(role="assistant", parts=ended.answer.parts)
            self.histories[ended.answer.id] = (*before, *turn.items, answer)


app = turnout.App(store=Notebook())


@app.agent("echo", continuation=True)
async def echo(request: turnout.Request, emit: Emit) -> None:
    """Repeats what the user has said so far."""
    heard = [message.text for message in request.messages if message.role == "user"]
    await emit.text(f"You said: {'; '.join(heard)}")
