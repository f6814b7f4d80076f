"""How values of the model are written down: as JSON, so that a store can be read with its own tools.

Strategy: a response and its answer's parts are written apart, since the parts are also a message of the history that a
later turn continues from; put together they are what was given, to the last field. A message is kept once per owner,
under the digest of its bytes; a history is a chain of links, each of which is a message after another history. A turn
that sends its history again finds the links that are there, and adds only what is new.
"""

from collections.abc import Callable
from hashlib import blake2b
from typing import TypeVar

import msgspec

from turnout.model import Message, StoredResponse
from turnout.model.errors import StoreFailed

T = TypeVar("T")

_encoder = msgspec.json.Encoder()
_messages = msgspec.json.Decoder(Message)
_responses = msgspec.json.Decoder(StoredResponse)


def written(value: Message | StoredResponse) -> bytes:
    """A value in the form in which it is kept.

    Raises:
        StoreFailed: it has no such form: half a surrogate pair, or a value of no JSON type among an error's fields.
    """
    try:
        return _encoder.encode(value)
    except (UnicodeEncodeError, TypeError, OverflowError) as error:
        raise StoreFailed("turnout: the response holds what cannot be stored") from error


def address(owner: str, message: bytes) -> bytes:
    """Where a message of an owner is kept: 16 bytes, which nobody can make another owner's message have."""
    return blake2b(message, digest_size=16, key=owner.encode()[:64]).digest()


def parted(response: StoredResponse) -> tuple[bytes, Message | None]:
    """A response without its answer's parts, and the message that these are; `None` when there are none."""
    answer = response.answer
    if not answer.parts:
        return written(response), None
    rest = msgspec.structs.replace(response, answer=msgspec.structs.replace(answer, parts=()))
    return written(rest), Message(role="assistant", parts=answer.parts)


def response(data: bytes, answer: bytes | None = None) -> StoredResponse:
    """A response as it was before `parted`, or before `written`.

    Raises:
        StoreFailed: it is none.
    """
    found = _read(_responses.decode, data)
    if answer is None:
        return found
    parts = message(answer).parts
    return msgspec.structs.replace(found, answer=msgspec.structs.replace(found.answer, parts=parts))


def message(data: bytes) -> Message:
    """A message as it was before `written`.

    Raises:
        StoreFailed: it is none.
    """
    return _read(_messages.decode, data)


def _read(decode: Callable[[bytes], T], data: bytes) -> T:
    try:
        return decode(data)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise StoreFailed("turnout: the store holds what this version cannot read") from error
