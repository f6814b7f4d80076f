"""Which version of the protocol a call is made in."""

from turnout.model import Body, Source
from turnout.wire.losses import Losses

from .dialect import AnthropicDialect
from .families import family
from .members import PROTOCOL
from .reasoning import thinking
from .request import STRICT_VERSION, version_of
from .rewrite import is_ours, sampling

OLD_VERSION = "2023-06-01"
"""The version that has sampling parameters; also what a call without a version is taken for."""


def call_headers(
    source: Source | None, model: str, body: Body | None, dialect: AnthropicDialect
) -> tuple[tuple[str, str], ...]:
    """The version that is sent: the operator's, the old one where the request samples, the client's, the new one.

    `source` is the client's call where it speaks this protocol, `body` what was encoded.
    """
    if dialect.version:
        version = dialect.version
    elif body is not None and _samples(model, body):
        version = OLD_VERSION
    elif source is not None:
        version = version_of(source) or OLD_VERSION
    else:
        version = STRICT_VERSION
    return (("anthropic-version", version),)


def _samples(model: str, body: Body) -> bool:
    if body.temperature is None and body.top_p is None and body.top_k is None:
        return False
    row = family(model)
    if body.reasoning is None:  # nothing but the family can leave all of them out
        return row.sampling != "none" or is_ours(body)
    forced = body.tool_choice is not None and body.tool_choice.mode == "required"
    losses = Losses(PROTOCOL)
    return bool(sampling(body, row, thinking(body, row, forced, losses), losses))
