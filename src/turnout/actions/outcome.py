"""From what a function gave back to a result.

Strategy: results are plain JSON values, so that a stored result, one sent to a model and one just made are the same;
exact numbers, dates and identifiers are text in their own spelling.
"""

import inspect
import math
import types
from typing import Any, Union, cast, get_args, get_origin

import msgspec
from msgspec import inspect as kinds

from turnout.model import ActionResult

from .failed import Failed
from .parameters import Refused

SUCCEEDED = "succeeded"
FAILED = "failed"


class Unencodable(TypeError):
    """An action gave back what cannot be written as JSON."""


def result(action_id: str, value: Any) -> ActionResult:
    """The result of an action that gave `value`.

    An object gives its own fields, any other value is `{"result": value}`, `None` gives no data. A `Failed` is a
    failed result; an `ActionResult` stays what it is.

    Raises:
        Unencodable: `value` cannot be written as JSON.
    """
    try:
        if isinstance(value, ActionResult):
            return msgspec.structs.replace(value, data=None if value.data is None else plain(value.data))
        if isinstance(value, Failed):
            return failed(action_id, value.reason, **plain(value.data))
        written = plain(value)
    except (TypeError, ValueError, RecursionError) as error:
        raise Unencodable(f"action {action_id!r} gave what cannot be written as JSON: {error}") from error
    if written is None:
        return ActionResult(action_id=action_id, status=SUCCEEDED)
    data = cast("dict[str, Any]", written) if isinstance(written, dict) else {"result": written}
    return ActionResult(action_id=action_id, status=SUCCEEDED, data=data)


def failed(action_id: str, error: str, /, **data: Any) -> ActionResult:
    """A failed result that says why."""
    return ActionResult(action_id=action_id, status=FAILED, data={**data, "error": error})


def refused(action_id: str, why: Refused) -> ActionResult:
    """The failed result of an action that was not run because of its parameters."""
    said: list[str] = []
    data: dict[str, Any] = {}
    if why.missing:
        said.append("missing: " + ", ".join(why.missing))
        data["missing"] = list(why.missing)
    if why.invalid:
        said.append("invalid: " + ", ".join(f"{name} ({what})" for name, what in why.invalid.items()))
        data["invalid"] = dict(why.invalid)
    if why.unknown:
        said.append("unknown: " + ", ".join(why.unknown))
        data["unknown"] = list(why.unknown)
    return failed(action_id, "; ".join(said), **data)


def plain(value: Any) -> Any:
    """`value` as JSON values.

    Raises:
        TypeError: it holds something that JSON has no form for.
        ValueError: it holds a number that is not finite, or text that is not Unicode.
    """
    return _checked(msgspec.to_builtins(value, str_keys=True, enc_hook=_foreign))


def result_fields(annotation: Any) -> frozenset[str] | None:
    """The names that an action's results have at their top, `None` when its annotation does not tell."""
    if get_origin(annotation) in {Union, types.UnionType}:
        names: frozenset[str] = frozenset()
        for member in get_args(annotation):
            found = result_fields(member)
            if found is None:
                return None
            names |= found
        return names
    if annotation is Failed or annotation is None or annotation is types.NoneType:
        return frozenset()
    if annotation is inspect.Signature.empty or annotation is ActionResult:
        return None
    try:
        return _fields_of(kinds.type_info(annotation))
    except (TypeError, ValueError, NameError):
        return None


def _fields_of(kind: Any) -> frozenset[str] | None:
    if isinstance(kind, kinds.Metadata):
        return _fields_of(kind.type)
    if isinstance(kind, kinds.StructType | kinds.DataclassType | kinds.TypedDictType):
        return frozenset(field.encode_name for field in kind.fields)
    if isinstance(kind, _SCALARS):
        return frozenset({"result"})
    return None


_SCALARS = (
    kinds.IntType,
    kinds.FloatType,
    kinds.StrType,
    kinds.BoolType,
    kinds.DecimalType,
    kinds.DateType,
    kinds.TimeType,
    kinds.DateTimeType,
    kinds.TimeDeltaType,
    kinds.UUIDType,
    kinds.EnumType,
    kinds.LiteralType,
    kinds.ListType,
    kinds.SetType,
    kinds.FrozenSetType,
    kinds.TupleType,
    kinds.VarTupleType,
)


def _foreign(value: Any) -> Any:
    dump = getattr(value, "model_dump", None)
    if dump is None:
        raise TypeError(f"{type(value).__qualname__} has no JSON form")
    return dump(mode="json")


def _checked(value: Any) -> Any:
    if isinstance(value, str):
        value.encode()
    if isinstance(value, float) and not math.isfinite(value):
        raise ValueError(f"{value} is no number of JSON")
    if isinstance(value, dict):
        return {name: _checked(member) for name, member in cast("dict[str, Any]", value).items()}
    if isinstance(value, list | tuple):
        return [_checked(member) for member in cast("list[Any]", value)]
    return value


__all__ = ["FAILED", "SUCCEEDED", "Unencodable", "failed", "plain", "refused", "result", "result_fields"]
