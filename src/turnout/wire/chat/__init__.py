"""OpenAI Chat Completions: `CODEC` says all verbs of the protocol; the typed view is for applications."""

from turnout.model import Body, Headers, Source

from .codec import ChatCodec
from .dialect import DIALECTS, ChatDialect

CODEC = ChatCodec()


def decode_request(body: bytes, headers: Headers) -> Body:
    """The body of a Chat Completions request.

    Raises:
        InvalidRequest: it is no JSON object or a field is malformed; `param` names the field.
    """
    return CODEC.decode_request(Source(protocol="openai-chat", body=body, headers=headers))


__all__ = ["CODEC", "DIALECTS", "ChatCodec", "ChatDialect", "decode_request"]
