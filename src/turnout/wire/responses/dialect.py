"""How providers that speak Responses differ, as rows of one table."""

from collections.abc import Mapping

from turnout.wire.codec import Dialect


class ResponsesDialect(Dialect, frozen=True, kw_only=True):
    """A provider's use of Responses.

    `issuer` is who encrypts reasoning (`openai-responses:family`; that of others is left out). `open`: the shape of
    Open Responses 2026-04-24, whose tools are functions and extensions only, and which takes penalties. `cache`: cache
    breakpoints of other protocols are passed on. `encrypts`: encrypted reasoning can be asked for. `shortest`: the
    least output limit that is taken, in tokens; a lower one of another protocol is raised to it, and reported.
    """

    issuer: str = "openai-responses"
    open: bool = False
    cache: bool = False
    encrypts: bool = False
    shortest: int = 1
    custom_tools: bool = True
    namespaces: bool = True


def _row(name: str, **differences: object) -> ResponsesDialect:
    return ResponsesDialect(name=name, issuer=f"openai-responses:{name}", **differences)  # pyright: ignore[reportArgumentType]


def _functions_only(name: str, *, is_open: bool = False) -> ResponsesDialect:
    return _row(name, custom_tools=False, namespaces=False, open=is_open)


PLAIN = ResponsesDialect()

DIALECTS: Mapping[str, ResponsesDialect] = {
    row.name: row
    for row in (
        PLAIN,
        _row("openai", cache=True, encrypts=True, shortest=16),
        _row("azure", cache=True, encrypts=True, shortest=16),
        _functions_only("openrouter"),
        _row("xai", custom_tools=False, namespaces=False, encrypts=True),
        _functions_only("vllm"),
        _functions_only("ollama"),
        _functions_only("lmstudio", is_open=True),
        _functions_only("open-responses", is_open=True),
    )
}
