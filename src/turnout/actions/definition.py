"""One action, read from its function and checked: all that can be wrong with it is found here."""

import inspect
import re
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any

from turnout.model import ActionDescriptor, Rule, as_async
from turnout.model.errors import Misconfigured

from . import docstring
from .declaration import Declaration, Defers, When, declaration
from .outcome import plain, result_fields
from .parameters import Injection, Parameters, Refused, injections, typed
from .phrase import words
from .question import Question
from .raw import raw
from .schema import properties
from .synthesizer import Wording, filler
from .template import Template

_ID = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_.:/-]{0,127}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Definition:
    """One action, read and checked."""

    descriptor: ActionDescriptor
    rule: Rule
    wording: Wording
    question: Question
    parameters: Parameters
    injected: dict[str, Injection]
    call: Callable[..., Any]
    is_async: bool
    deferred: Defers | None
    when: Callable[..., Awaitable[Any]] | None
    negatives: tuple[str, ...] = ()


def define(function: Callable[..., Any]) -> Definition:
    """Read a marked function.

    Raises:
        Misconfigured: a signature that cannot be described, a pattern or template that is malformed or names what
            is not there.
    """
    told = declaration(function) or Declaration()
    action_id = told.id or getattr(function, "__name__", "")
    if not _ID.fullmatch(action_id):
        raise Misconfigured(f"{action_id!r} is no action id: letters, digits and _ . : / -, at most 128")
    signature = _signature(function)
    description, about = docstring.read(function.__doc__)
    injected = injections(signature)
    parameters = _parameters(signature, injected, about, told.schema)
    name = told.name or words(action_id.rpartition(".")[2]).capitalize()
    descriptor = ActionDescriptor(
        id=action_id,
        name=name,
        description=told.description or description,
        schema=parameters.schema,
        examples=told.examples,
        read_only=told.read_only,
        destructive=told.destructive,
        idempotent=told.idempotent,
        confirm=told.confirm,
    )
    wording = Wording(
        name=name,
        template=told.template,
        read=_reader(parameters),
        told={
            each: str(one["description"])
            for each, one in properties(parameters.schema).items()
            if "description" in one
        },
    )
    _check_rules(told, parameters)
    _check_template(wording, parameters, signature.return_annotation)
    return Definition(
        descriptor=descriptor,
        rule=Rule(action_id=action_id, patterns=told.patterns, cues=told.cues),
        wording=wording,
        question=_question(told, wording, parameters),
        parameters=parameters,
        injected=injected,
        call=function,
        is_async=_is_async(function),
        deferred=told.deferred,
        when=_predicate(told.when),
        negatives=told.negatives,
    )


def _parameters(
    signature: inspect.Signature, injected: dict[str, Injection], about: dict[str, str], schema: Any
) -> Parameters:
    return typed(signature, injected, about) if schema is None else raw(signature, injected, schema)


def _signature(function: Callable[..., Any]) -> inspect.Signature:
    if any(
        check(each)
        for check in (inspect.isgeneratorfunction, inspect.isasyncgenfunction)
        for each in (function, getattr(function, "__call__", None))  # noqa: B004 -- an object whose call is one
    ):
        raise Misconfigured("a generator cannot be an action; return a list")
    try:
        return inspect.signature(function, eval_str=True)
    except (NameError, TypeError, ValueError, SyntaxError, AttributeError) as error:
        raise Misconfigured(f"its signature cannot be read: {error}") from error


def _is_async(function: Callable[..., Any]) -> bool:
    call = getattr(function, "__call__", None)  # noqa: B004 -- an object whose call is async
    return inspect.iscoroutinefunction(function) or inspect.iscoroutinefunction(call)


def _predicate(when: When | None) -> Callable[..., Awaitable[Any]] | None:
    try:
        return None if when is None else as_async(when)
    except TypeError as error:
        raise Misconfigured(f"when= is no function: {error}") from error


def _reader(parameters: Parameters) -> Callable[[dict[str, Any]], dict[str, Any]]:
    """What a template shows as the parameters of an intent: as the function got them, defaults included."""
    defaults: dict[str, Any] = {}
    for name, value in parameters.defaults.items():
        try:
            defaults[name] = plain(value)
        except (TypeError, ValueError, RecursionError):
            continue

    def read(params: dict[str, Any]) -> dict[str, Any]:
        decoded = parameters.decode(params)
        return {**defaults, **plain(params if isinstance(decoded, Refused) else decoded)}

    return read


def _check_rules(told: Declaration, parameters: Parameters) -> None:
    for pattern in told.patterns:
        try:
            compiled = re.compile(pattern)
        except (re.error, TypeError) as error:
            raise Misconfigured(f"pattern {pattern!r} is no regular expression: {error}") from error
        if compiled.search("") is not None:
            raise Misconfigured(
                f"pattern {pattern!r} matches nothing at all, so it would match every request"
            )
        for name in compiled.groupindex:
            if name not in parameters.names and not parameters.open:
                raise Misconfigured(f"pattern {pattern!r} has a group {name!r} that is no parameter")
    for cue in told.cues:
        if not isinstance(cue, str) or not cue.strip():  # pyright: ignore[reportUnnecessaryIsInstance]
            raise Misconfigured(f"cue {cue!r} is no word")


def _question(told: Declaration, wording: Wording, parameters: Parameters) -> Question:
    if told.ask is not None and not told.confirm:
        raise Misconfigured("ask= is the question of an action with confirm=True")
    try:
        question = Question(wording.name, told.ask, properties(parameters.schema), wording.read)
    except ValueError as error:
        raise Misconfigured(f"its question: {error}") from error
    unknown = set(question.roots) - parameters.names - {"params"}
    if unknown and not parameters.open:
        raise Misconfigured(f"its question names {min(unknown)!r}, which is no parameter")
    return question


def _check_template(wording: Wording, parameters: Parameters, returned: Any) -> None:
    try:
        filler(wording)
    except ValueError as error:
        raise Misconfigured(f"its template: {error}") from error
    fields = result_fields(returned)
    if not isinstance(wording.template, str) or fields is None or parameters.open:
        return
    for root in Template(wording.template).roots:
        if root not in fields | parameters.names | {"params"}:
            known = ", ".join(sorted(fields | parameters.names))
            raise Misconfigured(
                f"its template names {root!r}, which is neither in the result nor a parameter ({known})"
            )
