"""The way back: a response as a reply.

Strategy: an answer is a relay of the upstream's bytes, or events where ids, names or the form of the answer have to
change. What an upstream does wrong before its first content is an error reply, which can be retried.
"""

from collections.abc import Callable
from functools import partial

from turnout.model import Decoder, Reply
from turnout.model.errors import BrokenStream, ProviderError
from turnout.model.headers import Headers
from turnout.wire.codec import Codec, CountDecoder, Dialect

from .adapt import restored
from .calls import Call
from .crossing import Crossing, without
from .encoding import IDENTITY, Unpacking
from .failure import Redactor, made_here, refused
from .recast import declared
from .relay import Relay, first_read, until_content
from .transport import Response


class Replies:
    """Makes the replies of one provider; `patient`: a reply may be asked for again while nothing of it was shown."""

    __slots__ = ("_codec", "_dialect", "_patient", "_redactor")

    def __init__(self, codec: Codec, dialect: Dialect, redactor: Redactor, *, patient: bool) -> None:
        self._codec = codec
        self._dialect = dialect
        self._redactor = redactor
        self._patient = patient

    async def reply(self, call: Call, response: Response) -> Reply:
        """What `response` says to `call`; errors of the upstream are replies."""
        shown = Crossing(response.headers)
        if response.status >= 400:
            reply = await refused(self._codec, response, shown.headers, self._redactor)
            reply.dropped = call.dropped
            return reply
        streamed = shown.kind.startswith(b"text/event-stream")
        coding = shown.coding
        probe = (lambda: self._decoder(True, coding)) if streamed else None
        ahead: Decoder | None = None
        try:
            if not 200 <= response.status < 300:
                raise BrokenStream("the provider answered with a redirect, which is not followed")
            if call.forwarded and not streamed:
                held = [data] if (data := await response.read()) else []
            elif self._patient or call.recode or call.lane == "translate":
                held, ahead = await until_content(response, probe)
            else:
                held = await first_read(response, probe)
        except ProviderError as error:
            response.close()
            reply = made_here(self._codec, error, shown.headers, self._redactor)
            reply.dropped = call.dropped
            return reply
        if ahead is not None:
            return self._relayed(call, response, shown.headers, held, streamed, lambda: ahead)
        made = partial(self._decoder, streamed, coding, call.counting)
        return self._relayed(call, response, shown.headers, held, streamed, made)

    def _relayed(
        self,
        call: Call,
        response: Response,
        headers: Headers,
        held: list[bytes],
        streamed: bool,
        decode: Callable[[], Decoder],
    ) -> Reply:
        ended = response.ended
        length = None
        if not streamed:
            length = sum(map(len, held)) if ended else response.length
        if ended:
            response.close()
        reply = Reply.relayed(
            response.status,
            headers,
            Relay(held, None if ended else response),
            self._codec.protocol,
            decode,
            length=length,
            dropped=call.dropped,
        )
        if not call.recode:
            return reply
        batches = reply.batches()
        if call.fit:
            batches = restored(batches, call.fit)
        return Reply.of_batches(
            declared(batches, call.how) if call.how else batches,
            headers=without(headers, "content-type", "content-encoding"),
            dropped=call.dropped,
            close=reply.aclose,
        )

    def _decoder(self, streamed: bool, coding: str, counting: bool = False) -> Decoder:
        codec = self._codec
        if counting:
            decoder: Decoder = CountDecoder(codec.decode_count)
        else:
            decoder = codec.stream_decoder(self._dialect) if streamed else codec.whole_decoder(self._dialect)
        return decoder if coding in IDENTITY else Unpacking(decoder, coding)
