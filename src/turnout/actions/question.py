"""The question that is put to the user before an action runs.

It is always a template's, over the parameters as the function would get them: what is asked is what will be done.
"""

from collections.abc import Callable, Iterable
from typing import Any

from turnout.model.visible import visible

from .outcome import plain
from .phrase import lines
from .template import Template


class Question:
    """What the user is asked before the action called `name` runs; `order` is that of its parameters.

    `ask` is a format string over the parameters, by default the name and all parameters; `read` gives the parameters
    as the function gets them; their texts are shown on one line each (see `visible`).

    Raises:
        ValueError: `ask` is malformed or blank.
    """

    __slots__ = ("_name", "_order", "_read", "_template", "roots")

    def __init__(
        self,
        name: str,
        ask: str | None,
        order: Iterable[str],
        read: Callable[[dict[str, Any]], dict[str, Any]] | None,
    ) -> None:
        if ask is not None and not ask.strip():
            raise ValueError("it is blank")
        self._name = name
        self._order = tuple(order)
        self._template = None if ask is None else Template(ask)
        self._read = read or plain
        self.roots: tuple[str, ...] = () if self._template is None else self._template.roots

    def text(self, params: dict[str, Any]) -> str:
        """The question for these parameters."""
        read = visible(self._read(params))
        if self._template is not None:
            try:
                return self._template.fill({"params": read, **read})
            except (LookupError, ValueError):
                # A member that is left out, or a format that does not fit: say it all instead.
                pass
        sorted_ = {name: read[name] for name in self._order if name in read}
        return "\n".join([f"{self._name}?", *lines({**sorted_, **read})])
