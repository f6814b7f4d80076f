"""The response headers that say who answered: the lane and the actions' ids, never a parameter."""

import re
from typing import Final

from turnout.model import Decision, Descriptors, Headers, Reply

LANE: Final = b"x-turnout-lane"
ACTIONS: Final = b"x-turnout-actions"
REPLAYED: Final = b"x-turnout-replayed"

_PLAIN = re.compile(r"[A-Za-z0-9_.:/-]{1,128}")


def labelled(reply: Reply, decision: Decision, descriptors: Descriptors) -> Reply:
    """The reply with headers that say what was decided; a reply that says it already (from a gateway behind) stays.

    Only ids of described actions are named, since others come from a model or a client.
    """
    raw = reply.headers.raw
    for name, _ in raw:
        if name == LANE:
            return reply
    said = [(LANE, decision.lane.encode())]
    if decision.lane != "model":
        known = {each.id for each in descriptors}
        names = [each.action_id for each in decision.intent.actions] or [
            each.action_id for each in decision.candidates if decision.lane == "ask"
        ]
        plain = [name for name in dict.fromkeys(names) if name in known and _PLAIN.fullmatch(name)]
        if plain:
            said.append((ACTIONS, ",".join(plain).encode()))
    if decision.replayed:
        said.append((REPLAYED, b"true"))
    reply.headers = Headers.lower((*raw, *said))
    return reply
