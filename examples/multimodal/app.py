"""Agents that take and give more than text: images, sounds and documents, over every protocol that can carry them.

Run it with `turnout serve app:app` in this folder. There is no model behind it: `describe` says what it was sent,
`tone` answers with a sound, `paint` with an image. Files that the application keeps are sent by their handle.
"""

import base64
import io
import math
import struct
import wave
import zlib
from collections import Counter
from collections.abc import AsyncIterator

import turnout
from turnout.agents import Emit
from turnout.errors import NotFound
from turnout.model import Inline, Media, Outcome, Url, Usage

FILES = {"floorplan": ("ada", "image/png"), "contract": ("ada", "application/pdf")}
"""What the application keeps: whose it is, and what. Yours are in a bucket or a database."""


async def asset(media: Media, limit: int, context: turnout.Context) -> Inline:
    """Give the bytes behind a handle to their owner; whoever else asks learns nothing of them."""
    caller = dict((context.scope or {}).get("headers", ())).get(b"x-user", b"").decode()
    owner, media_type = FILES.get(getattr(media.source, "ref", ""), ("", ""))
    if not owner or owner != caller:
        raise NotFound("there is no such file")
    data = png(64, 64, (200, 120, 40)) if media_type == "image/png" else b"%PDF-1.4"
    return Inline(media_type=media_type, data=base64.b64encode(data[:limit]).decode())


app = turnout.App(assets=asset)


@app.agent("describe", input={"text", "image", "audio", "document"})
async def describe(request: turnout.Request) -> AsyncIterator[str]:
    """Says what it was sent."""
    found = [part for message in request.messages for part in message.parts if isinstance(part, Media)]
    counted = Counter(media.kind for media in found)
    yield "I see " + (", ".join(f"{count} {kind}" for kind, count in sorted(counted.items())) or "only text")
    for media in found:
        yield f"; {media.name or media.kind}: {size_of(media)}"


def size_of(media: Media) -> str:
    """How large media is; what lies elsewhere is not fetched."""
    if isinstance(media.source, Url):
        return f"at {media.source.url}"
    return f"{len(base64.b64decode(getattr(media.source, 'data', '')))} bytes"


@app.agent("tone", output={"text", "audio"})
async def tone(request: turnout.Request, emit: Emit) -> None:
    """Hums to who can hear, and says so to everybody else."""
    if "audio" in request.body.output:
        await emit.media(wav(440, 0.2), "audio/wav", transcript="hmm")
    else:
        await emit.text("hmm")


@app.agent("paint", image_generation=True)
async def paint(request: turnout.Request, emit: Emit) -> Outcome:
    """Paints one colour, for clients that offer the tool for it."""
    if any(tool.name == "image_generation" for tool in request.tools):
        await emit.media(png(32, 32, (40, 120, 200)), "image/png")
    else:
        await emit.text("Offer me the image_generation tool, and I paint.")
    return Outcome(usage=Usage(input=len(request.last_user_text.split()), output=1))


def png(width: int, height: int, colour: tuple[int, int, int]) -> bytes:
    """A picture of one colour."""

    def chunk(kind: bytes, data: bytes) -> bytes:
        checked = kind + data
        return struct.pack(">I", len(data)) + checked + struct.pack(">I", zlib.crc32(checked))

    rows = (b"\0" + bytes(colour) * width) * height
    head = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    return (
        b"\x89PNG\r\n\x1a\n"
        + chunk(b"IHDR", head)
        + chunk(b"IDAT", zlib.compress(rows))
        + chunk(b"IEND", b"")
    )


def wav(hertz: float, seconds: float) -> bytes:
    """A tone."""
    out = io.BytesIO()
    with wave.open(out, "wb") as sound:
        sound.setnchannels(1)
        sound.setsampwidth(2)
        sound.setframerate(8_000)
        for at in range(int(8_000 * seconds)):
            sound.writeframes(struct.pack("<h", int(12_000 * math.sin(2 * math.pi * hertz * at / 8_000))))
    return out.getvalue()
