"""Bounds on exact numbers: `Annotated[Decimal, Meta(gt=0)]`, which msgspec knows for `int` and `float` only."""

import operator
from collections.abc import Callable
from decimal import Decimal
from typing import Annotated, Any, cast, get_args, get_origin

import msgspec

from turnout.model import V

from .expectation import BOUNDS

_HOLDS: dict[str, Callable[[Any, Any], bool]] = {
    "ge": operator.ge,
    "gt": operator.gt,
    "le": operator.le,
    "lt": operator.lt,
}
_KEPT = ("title", "description", "examples", "extra_json_schema", "extra")


class Bounds(V, frozen=True, kw_only=True):
    """Bounds of one parameter; `words` begins with a comma, `""` when there are none."""

    limits: tuple[tuple[str, Any], ...] = ()
    words: str = ""

    def hold(self, value: Any) -> bool:
        """Whether a decoded value lies inside; no value does."""
        return value is None or all(_HOLDS[name](value, limit) for name, limit in self.limits)


def take_bounds(annotation: Any) -> tuple[Any, Bounds]:
    """An annotation without the bounds that only we check, and these bounds."""
    if get_origin(annotation) is not Annotated:
        return annotation, Bounds()
    base, *notes = get_args(annotation)
    if base is not Decimal and Decimal not in get_args(base):
        return annotation, Bounds()
    limits: list[tuple[str, Any]] = []
    kept: list[Any] = []
    for note in notes:
        if isinstance(note, msgspec.Meta):
            limits += [(name, getattr(note, name)) for name in _HOLDS if getattr(note, name) is not None]
            members = {name: getattr(note, name) for name in _KEPT if getattr(note, name) is not None}
            kept.append(msgspec.Meta(**members))
        else:
            kept.append(note)
    words = "".join(f", {BOUNDS[name].format(limit)}" for name, limit in limits)
    annotated = cast("Any", Annotated).__class_getitem__((base, *kept))
    return annotated, Bounds(limits=tuple(limits), words=words)
