"""The response object around the output: what it always says, and what it repeats of the request.

Open Responses 2026-04-24 has 31 members that are always there, in events too; OpenAI's clients read the same ones and
leave the rest out (openai 3.57). What the request does not say has the provider's value, or OpenAI's default.
"""

from typing import Any

import msgspec

from turnout.model import Body, Extra, Json, Request
from turnout.model.errors import TurnoutError
from turnout.wire.codec import FORM, Seed
from turnout.wire.layers import Members, Raw, raw_of, said, text
from turnout.wire.losses import Losses

from .dialect import DIALECTS, PLAIN
from .ids import response_id
from .members import PROTOCOL, form
from .rewrite import instructions_of, settings
from .usage import is_canonical

Wire = dict[str, Any]

ECHOED: dict[str, Any] = {
    "background": False,
    "frequency_penalty": 0.0,
    "instructions": None,
    "max_output_tokens": None,
    "max_tool_calls": None,
    "parallel_tool_calls": True,
    "presence_penalty": 0.0,
    "previous_response_id": None,
    "prompt_cache_key": None,
    "reasoning": {"effort": None, "summary": None},
    "safety_identifier": None,
    "service_tier": "default",
    "store": False,
    "temperature": 1.0,
    "text": {"format": {"type": "text"}},
    "tool_choice": "auto",
    "tools": [],
    "top_logprobs": 0,
    "top_p": 1.0,
    "truncation": "disabled",
    "metadata": {},
}
"""Members that repeat the request, and what they are where it says nothing."""
_ALSO_ECHOED = ("user", "prompt", "prompt_cache_options", "prompt_cache_retention", "conversation")
_OWN = frozenset(
    {
        "id",
        "object",
        "created_at",
        "model",
        "status",
        "output",
        "usage",
        "error",
        "metadata",
        "incomplete_details",
    }
)


# ---- reading -----------------------------------------------------------------------------------------------------


def kept_members(row: Members) -> dict[str, str]:
    """What of a response goes on to a client of this protocol: its repetitions under names that others pass over."""
    names: dict[str, str] = {}
    for name, raw in row.items():
        if name in _OWN or not said(raw) or _goes_without_saying(name, raw):
            continue
        echoed = name in ECHOED or name in _ALSO_ECHOED or name == "completed_at"
        names[FORM + name if echoed else name] = text(raw)
    usage = row.get("usage")
    if usage is not None and said(usage) and not is_canonical(usage):
        names[FORM + "usage"] = text(usage)
    return names


def _goes_without_saying(name: str, raw: Raw) -> bool:
    """Whether a member says what it says anyway."""
    if name not in ECHOED or len(bytes(raw)) > _LONGEST:
        return False
    return msgspec.json.decode(raw) == ECHOED[name]


_LONGEST = 48


# ---- writing -----------------------------------------------------------------------------------------------------


def resource(seed: Seed, *, id: str, model: str, created: int, is_open: bool) -> Wire:  # noqa: A002 -- the wire's word
    """A response without output, status and outcome, which repeats the request that `seed` holds."""
    wire: Wire = {
        "id": response_id(id, seed.id),
        "object": "response",
        "created_at": created or seed.created,
        "completed_at": None,
        "status": "in_progress",
        "error": None,
        "incomplete_details": None,
        "model": model or seed.model,
        "output": [],
        "usage": None,
        **ECHOED,
    }
    if seed.echo is not None:
        wire.update((name, raw_of(json)) for name, json in seed.echo.items())
    elif seed.request is not None:
        wire.update(_echo(seed.request, is_open=is_open))
        wire["store"] = (
            False  # asking keeps nothing: a store gives an `echo`, a provider's own says so (`overlay`)
        )
    return wire


def echo(request: Request, *, is_open: bool = False) -> dict[str, Json]:
    """What a response repeats of its request, a JSON text by member, so that it can be kept with it."""
    return {name: as_bytes(value).decode() for name, value in _echo(request, is_open=is_open).items()}


def _echo(request: Request, *, is_open: bool) -> Wire:
    body = request.body
    dialect = DIALECTS["open-responses"] if is_open else PLAIN
    try:
        wire = settings(body, dialect, Losses(PROTOCOL))
    except TurnoutError:  # a step's own request, which this protocol cannot say: nothing to repeat
        return {}
    words = instructions_of(body.messages)
    if words is not None:
        wire["instructions"] = words
    if body.user is not None:
        wire["safety_identifier" if form(body.extra, "user") is not None else "user"] = body.user
    if wire.get("service_tier") == "auto":
        del wire["service_tier"]
    wire["text"] = {"format": {"type": "text"}, **wire.get("text", {})}
    _echo_extra(wire, body)
    return wire


def _echo_extra(wire: Wire, body: Body) -> None:
    if body.extra is None or body.extra.protocol != PROTOCOL:
        return
    for name in (*ECHOED, *_ALSO_ECHOED):
        json = body.extra.members.get(name)
        if json is not None:
            wire[name] = raw_of(json)


def overlay(wire: Wire, extra: Extra | None, seed: Seed) -> None:
    """Write what a response of this protocol said into `wire`; what the request says wins where it says something."""
    if extra is None or extra.protocol != PROTOCOL:
        return
    asked = seed.request is not None or seed.echo is not None
    for name, json in extra.members.items():
        if not name.startswith(FORM):
            wire[name.removeprefix("/")] = raw_of(json)
            continue
        plain = name.removeprefix(FORM)
        if plain in ECHOED:
            if not asked or wire.get(plain) == ECHOED[plain]:
                wire[plain] = raw_of(json)
        elif plain in _ALSO_ECHOED or plain == "completed_at":
            wire.setdefault(plain, None)
            if wire[plain] is None:
                wire[plain] = raw_of(json)


def outcome(wire: Wire, metadata: dict[str, str], status: str, reason: str | None) -> None:
    """How the response ended."""
    wire["status"] = status
    wire["incomplete_details"] = None if reason is None else {"reason": reason}
    if metadata:
        wire["metadata"] = metadata


def as_bytes(value: Any) -> bytes:
    """JSON of values that may hold texts of others."""
    return _encode(value)


_encode = msgspec.json.Encoder().encode
