"""One tree of errors for all rooms; codecs render them, nobody else does.

TurnoutError 500
├─ InvalidRequest 400          Unsupported 400           TooLarge 413           UnsupportedMediaType 415
├─ Unauthenticated 401         Forbidden 403             NotFound 404           MethodNotAllowed 405
├─ Conflict 409
│    ├─ RunInProgress 409
│    └─ OutcomeUnknown 409
├─ ProviderError 502           (the upstream's own status where it gave one)
│    └─ BrokenStream 502
├─ StageError 502
├─ AgentFailed 500             ConcurrentEmit 500        EmitClosed 500         BadOutput 500
├─ OutputTooLarge 500          RunTimedOut 504           Cancelled 499
├─ StoreFailed 500             CatalogFailed 500         Misconfigured 500
└─ DeliveryError               (the client is gone; never rendered)

`message` is public and goes to clients; the private cause is `__cause__` and never does.
"""

from typing import TYPE_CHECKING, Any, Literal, TypeAlias

if TYPE_CHECKING:
    from .answer import Answer

ProviderErrorKind: TypeAlias = Literal[
    "rate_limit",
    "auth",
    "context_too_long",
    "overloaded",
    "timeout",
    "invalid_request",
    "content_filter",
    "provider",
]
Stage: TypeAlias = Literal["descriptors", "classify", "execute", "synthesize", "reason", "identity"]


class TurnoutError(Exception):
    """An error that a client may be told of.

    `status` is the HTTP status shown, `type` and `code` the words of the error, `param` the field at fault,
    `retry_after` seconds, `may_have_acted` whether an action may have run before it. Two errors are equal when
    their public fields are.
    """

    status: int = 500
    type: str = "server_error"
    code: str | None = None
    retryable: bool = False

    def __init__(
        self,
        message: str,
        *,
        status: int | None = None,
        type: str | None = None,  # noqa: A002 -- the wire's own word
        code: str | None = None,
        param: str | None = None,
        retryable: bool | None = None,
        retry_after: float | None = None,
        metadata: dict[str, str] | None = None,
        may_have_acted: bool = False,
    ) -> None:
        super().__init__(message)
        self.message = message
        self.param = param
        self.retry_after = retry_after
        self.metadata: dict[str, str] = metadata or {}
        self.may_have_acted = may_have_acted
        if status is not None:
            self.status = status
        if type is not None:
            self.type = type
        if code is not None:
            self.code = code
        if retryable is not None:
            self.retryable = retryable

    def public(self) -> tuple[Any, ...]:
        """The fields that may be shown, by which errors are compared."""
        return (
            self.status,
            self.type,
            self.code,
            self.param,
            self.message,
            self.retryable,
            self.retry_after,
            tuple(sorted(self.metadata.items())),
            self.may_have_acted,
        )

    def __reduce__(self) -> tuple[Any, ...]:
        # Not by calling the class again, as exceptions do: subclasses take other arguments than the message.
        return _restored, (type(self), self.args, self.__dict__.copy())

    def __eq__(self, other: object) -> bool:
        return type(other) is type(self) and other.public() == self.public()

    def __hash__(self) -> int:
        return hash((type(self), self.public()))


def _restored(kind: type[TurnoutError], args: tuple[Any, ...], fields: dict[str, Any]) -> TurnoutError:
    error = kind.__new__(kind, *args)
    error.__dict__.update(fields)
    return error


class InvalidRequest(TurnoutError):
    """The request is malformed; `param` names the field."""

    status = 400
    type = "invalid_request_error"


class Unsupported(InvalidRequest):
    """A recognised feature that the answering side cannot honour; `param` names the field."""

    code = "unsupported"

    def __init__(self, param: str, message: str | None = None) -> None:
        super().__init__(message or f"{param} is not supported here", param=param)


class TooLarge(InvalidRequest):
    """The request's body is over the limit."""

    status = 413
    code = "request_too_large"


class UnsupportedMediaType(InvalidRequest):
    """The request's content type is not one that this path takes."""

    status = 415
    code = "unsupported_media_type"


class Unauthenticated(TurnoutError):
    """The caller's credentials are missing or wrong."""

    status = 401
    type = "authentication_error"
    code = "invalid_api_key"


class Forbidden(TurnoutError):
    """The caller may not do this."""

    status = 403
    type = "permission_error"


class NotFound(TurnoutError):
    """There is nothing of that name or at that path."""

    status = 404
    type = "invalid_request_error"
    code = "not_found"


class MethodNotAllowed(TurnoutError):
    """The path exists, with other methods."""

    status = 405
    type = "invalid_request_error"
    code = "method_not_allowed"


class Conflict(TurnoutError):
    """The request contradicts one that was made before."""

    status = 409
    type = "invalid_request_error"
    code = "conflict"


class RunInProgress(Conflict):
    """The same request is still being answered."""

    code = "run_in_progress"

    def __init__(self, message: str, *, response_id: str, metadata: dict[str, str] | None = None) -> None:
        super().__init__(message, metadata=metadata)
        self.response_id = response_id

    def public(self) -> tuple[Any, ...]:
        """The fields that may be shown, by which errors are compared."""
        return (*super().public(), self.response_id)


class OutcomeUnknown(Conflict):
    """The same request has run, and nobody knows what came of it; it is not run again."""

    code = "outcome_unknown"

    def __init__(self, message: str, *, response_id: str, metadata: dict[str, str] | None = None) -> None:
        super().__init__(message, metadata=metadata, may_have_acted=True)
        self.response_id = response_id

    def public(self) -> tuple[Any, ...]:
        """The fields that may be shown, by which errors are compared."""
        return (*super().public(), self.response_id)


class ProviderError(TurnoutError):
    """A model's provider failed or refused.

    `kind` says how; `status_code` is the upstream's own status, `None` when it gave no answer. The status shown
    is the upstream's where that is an error's, else 504 for a timeout and 502 otherwise.
    """

    status = 502
    type = "upstream_error"

    def __init__(
        self,
        message: str,
        *,
        kind: ProviderErrorKind = "provider",
        status_code: int | None = None,
        status: int | None = None,
        type: str | None = None,  # noqa: A002 -- the wire's own word
        code: str | None = None,
        param: str | None = None,
        retryable: bool | None = None,
        retry_after: float | None = None,
        metadata: dict[str, str] | None = None,
        may_have_acted: bool = False,
    ) -> None:
        shown = status if status is not None else status_code
        if shown is None or not 400 <= shown <= 599:
            shown = 504 if kind == "timeout" else 502
        super().__init__(
            message,
            status=shown,
            type=type,
            code=code,
            param=param,
            retryable=kind in {"rate_limit", "overloaded", "timeout"} if retryable is None else retryable,
            retry_after=retry_after,
            metadata=metadata,
            may_have_acted=may_have_acted,
        )
        self.kind: ProviderErrorKind = kind
        self.status_code = status_code

    def public(self) -> tuple[Any, ...]:
        """The fields that may be shown, by which errors are compared."""
        return (*super().public(), self.kind, self.status_code)


class BrokenStream(ProviderError):
    """The upstream's answer was cut, empty or not of its protocol; `partial` is what came before."""

    code = "broken_stream"

    def __init__(self, message: str, *, partial: "Answer | None" = None) -> None:
        super().__init__(message, kind="provider", retryable=True)
        self.partial = partial


class StageError(TurnoutError):
    """A step of the control plane failed; the cause is `__cause__`."""

    status = 502
    code = "control_plane_failed"

    def __init__(self, stage: Stage, message: str = "failed", *, may_have_acted: bool = False) -> None:
        super().__init__(f"turnout: {stage}: {message}", may_have_acted=may_have_acted)
        self.stage: Stage = stage


class AgentFailed(TurnoutError):
    """An application's agent raised."""

    code = "agent_failed"


class ConcurrentEmit(TurnoutError):
    """An agent emitted while another emission was under way."""


class EmitClosed(TurnoutError):
    """An agent emitted after its answer had ended."""


class BadOutput(TurnoutError):
    """An answer broke the event grammar or its declared modality."""

    code = "bad_output"


class OutputTooLarge(TurnoutError):
    """An answer is over the limit."""

    code = "output_too_large"


class RunTimedOut(TurnoutError):
    """An answer took longer than it may."""

    status = 504
    code = "timeout"


class Cancelled(TurnoutError):
    """The request was cancelled; never written to a client."""

    status = 499


class StoreFailed(TurnoutError):
    """The store could not be read or written."""

    code = "store_failed"


class CatalogFailed(TurnoutError):
    """The catalog could not be asked."""

    code = "catalog_failed"


class Misconfigured(TurnoutError):
    """The application or its configuration cannot work as it is."""

    code = "misconfigured"


class DeliveryError(Exception):
    """The client is gone; never rendered, since nobody is there to read it."""


def is_delivery(error: BaseException | None) -> bool:
    """Whether an error is about a client that is gone, or was raised from one that is."""
    while error is not None and not isinstance(error, DeliveryError):
        error = error.__cause__
    return error is not None
