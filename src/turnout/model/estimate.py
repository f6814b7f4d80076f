"""How many tokens a request may have, where nobody can be asked.

Strategy: about four bytes of text make a token in the tokenizers of today's models, a picture costs as much as the
protocols' documents say at most for one of usual size. The estimate is for a client that plans, never for a bill.
"""

from collections.abc import Iterable

from .body import Body
from .parts import AnyPart, Inline, Media, Opaque, Refusal, Text, Thinking, ToolCall, ToolResult

BYTES_PER_TOKEN = 4
MEDIA_TOKENS = 1_600
MESSAGE_TOKENS = 4


def estimate_tokens(body: Body) -> int:
    """An estimate of a request's input tokens: messages, tools and the form of the answer; at least 1."""
    texts = [text for message in body.messages for part in message.parts for text in _texts(part)]
    for tool in body.tools:
        texts += [tool.name, tool.description or "", tool.parameters or "", tool.format or ""]
        if tool.extra is not None:
            texts += tool.extra.members.values()
    if body.format is not None and body.format.schema is not None:
        texts.append(body.format.schema)
    size = sum(len(text.encode("utf-8", "surrogatepass")) for text in texts)
    media = sum(_media(message.parts) for message in body.messages)
    return -(-size // BYTES_PER_TOKEN) + media * MEDIA_TOKENS + len(body.messages) * MESSAGE_TOKENS or 1


def _texts(part: AnyPart) -> Iterable[str]:
    match part:
        case Text() | Refusal():
            yield part.text
        case Thinking():
            yield part.text
            yield from part.summary
        case ToolCall():
            yield part.name
            yield part.arguments
        case ToolResult():
            for inner in part.parts:
                yield from _texts(inner)
        case Media(kind="document", source=Inline(media_type="text/plain", data=text)):
            yield text
        case Opaque():
            yield part.body
        case _:
            pass


def _media(parts: tuple[AnyPart, ...]) -> int:
    count = 0
    for part in parts:
        if isinstance(part, Media):
            count += 1
        elif isinstance(part, ToolResult):
            count += _media(part.parts)
    return count
