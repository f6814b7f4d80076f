"""What an action takes: the JSON Schema that describes it, and the decoding that is as strict as it says.

Strategy: everything about a signature is read once, when an engine is built, and a signature that cannot be described
is refused there. Decoding looks at each parameter for itself, so that one answer names all that is wrong. What the
gateway knows (`Request`, `Context`, the identities) is injected by annotation and is no parameter: no client and no
model can set it.
"""

import inspect
from collections.abc import Callable, Mapping
from typing import Any, Protocol, TypeAlias, cast

import msgspec
from msgspec import inspect as kinds

from turnout.model import AgentIdentity, Context, Request, User, V
from turnout.model.errors import Misconfigured

from .bounds import Bounds, take_bounds
from .coercion import Problems, coerce
from .expectation import expectation
from .schema import describe, foreign_decode

Injection: TypeAlias = Callable[[Request], Any]

INJECTED: dict[Any, Injection] = {
    Request: lambda request: request,
    Context: lambda request: request.context,
    User: lambda request: request.context.get(User, User()),
    AgentIdentity: lambda request: request.context.get(AgentIdentity, AgentIdentity()),
}
"""What a parameter annotated so is given; an unknown identity is the type's zero value."""


class Refused(V, frozen=True, kw_only=True):
    """Everything that is wrong with the parameters of one intent; `invalid` says what was expected."""

    missing: tuple[str, ...] = ()
    invalid: dict[str, str] = {}
    unknown: tuple[str, ...] = ()


class Parameters(Protocol):
    """The parameters of one action."""

    schema: dict[str, Any] | None
    """Their JSON Schema; `None` when the action takes none."""

    names: frozenset[str]
    """The names that the schema gives."""

    open: bool
    """Whether the schema allows other names too."""

    defaults: dict[str, Any]
    """What a parameter is when it is left out."""

    def decode(self, params: Mapping[str, Any]) -> dict[str, Any] | Refused:
        """The arguments for the function, or all that is wrong; never raises for what a client sent."""
        ...


class _Parameter:
    """One typed parameter."""

    __slots__ = ("annotation", "bounds", "kind", "nullable", "required")

    def __init__(self, annotation: Any, bounds: Bounds, required: bool) -> None:
        self.annotation = annotation
        self.bounds = bounds
        self.kind = kinds.type_info(annotation)
        self.nullable = _nullable(self.kind)
        self.required = required

    def decode(self, value: Any) -> tuple[Any, str]:
        """The value and `""`, or `None` and what was expected instead."""
        problems: Problems = []
        try:
            read = coerce(self.kind, value, "", problems)
            if not problems:
                decoded = msgspec.convert(read, self.annotation, str_keys=True, dec_hook=foreign_decode)
                return (decoded, "") if self.bounds.hold(decoded) else (None, self._expected())
        except msgspec.ValidationError as error:
            problems.append(self._fault(str(error)))
        except RecursionError:
            problems.append(("", "nested too deeply"))
        return None, "; ".join(self._say(place.lstrip("."), said) for place, said in problems)

    def _say(self, place: str, said: str) -> str:
        if place:
            return f"{place}: {said}"
        return self._expected() if said.startswith("expected ") else said

    def _expected(self) -> str:
        return f"expected {expectation(self.kind)}{self.bounds.words}"

    def _fault(self, message: str) -> tuple[str, str]:
        """Place and words of msgspec's message; what it says of the whole value is said in our words."""
        said, at, place = message.partition(" - at `$")
        if not at and said.startswith("Invalid "):
            return "", self._expected()
        return place.rstrip("`"), f"{said[:1].lower()}{said[1:]}"


class TypedParameters:
    """The parameters of a function with typed parameters."""

    open = False

    def __init__(self, parameters: dict[str, inspect.Parameter], told: dict[str, str]) -> None:
        self._parameters: dict[str, _Parameter] = {}
        described: dict[str, inspect.Parameter] = {}
        words: dict[str, str] = {}
        for name, parameter in parameters.items():
            annotation, bounds = take_bounds(parameter.annotation)
            required = parameter.default is inspect.Parameter.empty
            self._parameters[name] = _Parameter(annotation, bounds, required)
            described[name] = parameter.replace(annotation=annotation)
            words[name] = bounds.words or _form(self._parameters[name].kind)
        self.names = frozenset(parameters)
        self.schema = describe(described, told, words) if parameters else None
        self.defaults = {
            name: parameter.default
            for name, parameter in parameters.items()
            if parameter.default is not inspect.Parameter.empty
        }

    def decode(self, params: Mapping[str, Any]) -> dict[str, Any] | Refused:
        """The arguments that were given, decoded; those left out keep the function's own defaults."""
        decoded: dict[str, Any] = {}
        missing: list[str] = []
        invalid: dict[str, str] = {}
        for name, parameter in self._parameters.items():
            value = params.get(name)
            if value is None and not (name in params and parameter.nullable):
                if parameter.required:
                    missing.append(name)
                continue
            read, wrong = parameter.decode(value)
            if wrong:
                invalid[name] = wrong
            else:
                decoded[name] = read
        unknown = tuple(str(name) for name in params if name not in self._parameters)
        if missing or invalid or unknown:
            return Refused(missing=tuple(missing), invalid=invalid, unknown=unknown)
        return decoded


def injections(signature: inspect.Signature) -> dict[str, Injection]:
    """What the gateway gives to which parameter."""
    return {
        name: INJECTED[parameter.annotation]
        for name, parameter in signature.parameters.items()
        if _hashable(parameter.annotation) and parameter.annotation in INJECTED
    }


def typed(signature: inspect.Signature, injected: Mapping[str, Any], told: dict[str, str]) -> Parameters:
    """The parameters of a signature.

    Raises:
        Misconfigured: a parameter that has no type, has one that JSON cannot carry, or cannot be given by name.
    """
    parameters = {name: one for name, one in signature.parameters.items() if name not in injected}
    for name, parameter in parameters.items():
        if parameter.kind is inspect.Parameter.VAR_POSITIONAL:
            raise Misconfigured(f"*{name} cannot be a parameter of an action; take a list")
        if parameter.kind is inspect.Parameter.VAR_KEYWORD:
            raise Misconfigured(f"**{name} needs a JSON Schema: @action(schema=...)")
        if parameter.kind is inspect.Parameter.POSITIONAL_ONLY:
            raise Misconfigured(f"parameter {name!r} is positional-only; parameters are given by name")
        if parameter.annotation is inspect.Parameter.empty:
            raise Misconfigured(f"parameter {name!r} has no type")
    try:
        return TypedParameters(parameters, told)
    except (TypeError, ValueError, NameError) as error:
        raise Misconfigured(f"the parameters cannot be described: {error}") from error


def _nullable(kind: kinds.Type) -> bool:
    if isinstance(kind, kinds.Metadata):
        return _nullable(kind.type)
    if isinstance(kind, kinds.UnionType):
        return any(_nullable(member) for member in kind.types)
    if isinstance(kind, kinds.LiteralType):
        return None in kind.values
    return isinstance(kind, kinds.NoneType | kinds.AnyType)


def _form(kind: kinds.Type) -> str:
    """The form of a time, which JSON Schema cannot state where a time zone may be missing."""
    if isinstance(kind, kinds.Metadata):
        return _form(kind.type)
    if isinstance(kind, kinds.UnionType):
        return next((form for member in kind.types if (form := _form(member))), "")
    return f", {expectation(kind)}" if isinstance(kind, kinds.TimeType | kinds.DateTimeType) else ""


def _hashable(annotation: Any) -> bool:
    return cast("Any", type(annotation)).__hash__ is not None
