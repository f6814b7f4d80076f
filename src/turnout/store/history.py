"""Histories as chains of links, addressed by what they hold.

Strategy: a message is kept once per owner, under the digest of its bytes; a history is a link that names its last
message and the history before it, under the digest of both. A turn that sends its history again meets the links that
are there already, and adds only what is new. A link stands for all before it, so one digest is a whole history.
"""

from collections.abc import Iterable
from hashlib import blake2b

from turnout.model import V


class Link(V, frozen=True, kw_only=True):
    """A history that ends in `message`, whose bytes are `body`; `parent` is the history before, `None` for none."""

    id: bytes
    parent: bytes | None
    message: bytes
    body: bytes


def links(owner: str, parent: bytes | None, bodies: Iterable[bytes]) -> list[Link]:
    """The histories that grow from `parent`, message by message."""
    grown: list[Link] = []
    for body in bodies:
        message = blake2b(body, digest_size=20, key=owner.encode()[:64]).digest()
        id_ = blake2b((parent or b"") + message, digest_size=20).digest()
        grown.append(Link(id=id_, parent=parent, message=message, body=body))
        parent = id_
    return grown
