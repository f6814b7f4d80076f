"""The way out: a request as a call, ready to be sent.

Strategy: the first lane that the request's changes allow decides whether its bytes go as they are, with one member
spliced, or are written by the codec. All that does not depend on the request is made once.
"""

from typing import cast

from turnout.model import Body, Lane, Request, Source, lane
from turnout.model.errors import InvalidRequest, Unsupported
from turnout.wire.codec import Codec, Dialect

from .adapt import NO_FIT, Fit, Fitter
from .address import STREAMS, Address
from .credentials import Credentials, Pairs
from .crossing import ClientHeaders, client_query
from .pairing import begins_elsewhere, check_pairs, repaired
from .recast import NO_RECAST, Recast, recast

USER_AGENT = "turnout"
SAMPLING = frozenset(
    {"temperature", "top_p", "top_k", "presence_penalty", "frequency_penalty", "seed", "stop", "logit_bias"}
)
"""Parameters that `strict_parameters` refuses instead of dropping."""

_USUAL = (("accept", "*/*"), ("accept-encoding", "identity"), ("user-agent", USER_AGENT))
"""Headers of a call that neither the operator nor the client speaks for."""


class Call:
    """One request, ready to be sent, perhaps more than once."""

    __slots__ = ("body", "counting", "dropped", "fit", "forwarded", "headers", "how", "lane", "recode", "url")

    def __init__(
        self,
        lane: Lane,
        url: str,
        headers: Pairs,
        body: bytes,
        dropped: tuple[str, ...],
        fit: Fit,
        recode: bool,
        counting: bool = False,
        how: Recast = NO_RECAST,
        forwarded: bool = False,
    ) -> None:
        self.lane = lane
        self.how = how
        self.counting = counting
        self.url = url
        self.headers = headers
        self.body = body
        self.dropped = dropped
        self.fit = fit
        self.recode = recode
        self.forwarded = forwarded


class Calls:
    """Makes the calls of one provider.

    `model` is sent instead of the request's; `repair` completes histories; `strict` refuses what would be dropped.
    """

    __slots__ = (
        "_address",
        "_codec",
        "_credentials",
        "_crossing",
        "_dialect",
        "_fitter",
        "_model",
        "_repair",
        "_strict",
        "_usual",
    )

    def __init__(
        self,
        codec: Codec,
        dialect: Dialect,
        address: Address,
        credentials: Credentials,
        crossing: ClientHeaders,
        fitter: Fitter,
        *,
        model: str,
        repair: bool,
        strict: bool,
    ) -> None:
        self._codec = codec
        self._dialect = dialect
        self._address = address
        self._credentials = credentials
        self._crossing = crossing
        self._model = model
        self._fitter = fitter
        self._repair = repair
        self._strict = strict
        self._usual = [pair for pair in _USUAL if pair[0] not in credentials.names]

    def call(self, request: Request, *, counting: bool = False) -> Call:
        """The call that passes a request on, or has its tokens counted.

        Raises:
            InvalidRequest: the request cannot be sent as it is; `param` names the field.
            Unauthenticated: the caller's own credentials are asked for, and it sent none.
        """
        if self._model and request.model != self._model:
            request = request.replace(model=self._model)
        fit, how = NO_FIT, NO_RECAST
        way = lane(request, self._codec.protocol)
        if way == "translate" and request.body.tools:
            request, how = recast(request, self._dialect)
        if self._fitter or self._repair:
            request, fit = self._adapted(request)
            way = lane(request, self._codec.protocol)
        source = request.source
        dropped: tuple[str, ...] = ()
        if way == "bytes":
            body = source.body if source is not None else b""  # this lane has one
        elif way == "splice":
            body, _ = self._codec.splice(cast("Source", source), request.model)
        else:
            body, dropped = self._encoded(request, counting, ask_usage=way == "translate")
            dropped = (*how.dropped, *dropped)
        recode = self._repair or bool(fit) or (bool(how) and not counting)
        same = source is not None and source.protocol == self._codec.protocol
        raw_answer = not recode and (way in {"bytes", "splice"})
        headers = self._headers(request, same, raw_answer, encoded=way in {"rewrite", "translate"})
        query = self._query(request, same, counting)
        url = (
            self._address.count(request.model)
            if counting
            else self._address.call(request.model, request.stream)
        )
        return Call(
            way, f"{url}?{query}" if query else url, headers, body, dropped, fit, recode, counting, how
        )

    def _query(self, request: Request, same: bool, counting: bool) -> str:
        """The provider's own query, with the client's where it speaks the protocol and asked for the same."""
        own, source = self._address.query, request.source
        asked = same and "stream" not in request.changed
        if request.stream and not counting and not asked:
            own = "&".join(text for text in (own, STREAMS.get(self._codec.protocol, "")) if text)
        return client_query(source.query, own) if same and source is not None else own

    def _adapted(self, request: Request) -> tuple[Request, Fit]:
        source = request.source
        unread = source is not None and not request.decoded and source.protocol == self._codec.protocol
        data = source.body if unread and source is not None else b""
        if self._repair and (not unread or b'"tool' in data):
            request = request.replace(messages=repaired(request.body.messages))
        if self._fitter and (not unread or self._fitter.may_need(data)):
            return self._fitter.fit(request)
        return request, NO_FIT

    def _encoded(self, request: Request, counting: bool, *, ask_usage: bool) -> tuple[bytes, tuple[str, ...]]:
        body, codec = request.body, self._codec
        try:
            check_pairs(body.messages)
        except InvalidRequest:
            if not begins_elsewhere(body):
                raise
        if counting:
            data, dropped = codec.encode_count_request(request.model, body, self._dialect)
        else:
            data, dropped = codec.encode_request(
                request.model, request.stream, body, self._dialect, ask_usage
            )
        if self._strict:
            for name in dropped:
                if name in SAMPLING:
                    raise Unsupported(name)
        return data, dropped

    def _headers(self, request: Request, same: bool, raw_answer: bool, *, encoded: bool) -> Pairs:
        source = request.source
        own = self._own_headers(source if same else None, request.model, request.body if encoded else None)
        picked: Pairs = []
        if source is not None:
            picked = self._crossing.pick(source, same_protocol=same, raw_answer=raw_answer)
        callers = self._credentials.of_caller(request, same_protocol=same)
        if not picked:
            return [*self._credentials.static, *own, *self._usual, *callers]
        if own:
            taken = {name for name, _ in own}
            picked = [pair for pair in picked if pair[0] not in taken]
        names = dict(picked)
        usual = [pair for pair in self._usual if pair[0] not in names]
        return [*self._credentials.static, *picked, *own, *usual, *callers]

    def _own_headers(self, source: Source | None, model: str, body: Body | None) -> Pairs:
        """The protocol's headers, where the operator does not set them."""
        pairs = self._codec.call_headers(source, model, body, self._dialect)
        return [pair for pair in pairs if pair[0] not in self._credentials.names]

    def forwarded(self, path: str, request: Request) -> Call:
        """The call to `path` below the base URL with the request as it came.

        Raises:
            Unauthenticated: the caller's own credentials are asked for, and it sent none.
        """
        source = request.source
        if source is None:
            raise ValueError("a call that is passed on as it came has a source")
        query = client_query(source.query, self._address.query)
        url = self._address.beside(path)
        headers = self._headers(request, same=True, raw_answer=True, encoded=False)
        kind = source.headers.get("content-type", "")
        headers = [pair for pair in headers if pair[0] != "content-type"] + [("content-type", kind)]
        return Call(
            "bytes",
            f"{url}?{query}" if query else url,
            headers,
            source.body,
            (),
            NO_FIT,
            False,
            forwarded=True,
        )

    def lookup(self, url: str, query: str) -> tuple[str, Pairs]:
        """Address and headers of a question to the provider itself, which no request of a client stands behind."""
        headers = [pair for pair in self._credentials.static if pair[0] != "content-type"]
        headers += self._own_headers(None, "", None)
        headers += [(name, "application/json" if name == "accept" else value) for name, value in self._usual]
        queries = "&".join(text for text in (self._address.query, query) if text)
        return (f"{url}?{queries}" if queries else url), headers
