"""What marking does, and what an engine refuses to be built from."""

import asyncio
import functools
import sys
from collections.abc import Callable
from types import ModuleType
from typing import Annotated, Any, Literal

import msgspec
import pytest

from turnout.actions import Actions, Declaration, TemplateSynthesizer, action, declaration, marked
from turnout.errors import Misconfigured
from turnout.model import Context, Request, Rule


def described(engine: Actions) -> Any:
    return asyncio.run(engine.descriptors(Request()))


def test_a_marked_function_is_the_same_function_and_still_callable() -> None:
    def add(a: int, b: int = 2) -> int:
        return a + b

    assert action(add) is add
    assert action(id="x")(add) is add
    assert add(1) == 3
    assert declaration(add) == Declaration(id="x")
    assert declaration(len) is None


def test_marking_registers_nothing() -> None:
    @action
    def lonely() -> None:
        """Nobody asked for it."""

    @action
    def other() -> None:
        """Another one."""

    assert Actions(other).ids == ("other",)


def test_the_function_itself_says_what_its_mark_does_not() -> None:
    @action
    def create_invoice(customer: str, amount: int = 1) -> None:
        """Create an invoice and send it.

        It is sent by mail.

        Args:
            customer (str): Who pays,
                by full name.

            amount: In cents.
              As always.
            nobody: Not a parameter.

        Returns:
            Nothing.
        """

    (found,) = described(Actions(create_invoice))
    assert (found.id, found.name) == ("create_invoice", "Create invoice")
    assert found.description == "Create an invoice and send it.\n\nIt is sent by mail."
    properties = found.schema["properties"]
    assert properties["customer"]["description"] == "Who pays, by full name."
    assert properties["amount"]["description"] == "In cents. As always."


def test_a_line_before_the_first_parameter_of_args_is_nobodys() -> None:
    @action
    def odd(a: int) -> None:
        """Args:
        - not a parameter
        a: A number.
        """

    (found,) = described(Actions(odd))
    assert found.description == ""
    assert found.schema["properties"]["a"]["description"] == "A number."


def test_the_args_section_may_come_late_or_be_missing() -> None:
    @action
    def late(a: int) -> None:
        """Do it.

        Returns:
            a: Not a parameter.

        Args:
            a: A number.
        """

    @action
    def without(a: int) -> None:
        """Do it.

        Returns:
            a: Not a parameter.
        """

    one, other = described(Actions(late, without))
    assert one.description == other.description == "Do it."
    assert one.schema["properties"]["a"]["description"] == "A number."
    assert "description" not in other.schema["properties"]["a"]


@pytest.mark.states("P-008", "P-054")
def test_the_mark_says_more_than_the_function() -> None:
    @action(
        id="billing.list",
        name="Invoices",
        description="All open ones",
        examples=["list open invoices"],
        negatives=["list the rules of invoicing"],
        read_only=True,
        destructive=True,
        idempotent=True,
    )
    def listing() -> None:
        """Else."""

    (found,) = described(Actions(listing))
    assert msgspec.to_builtins(found) == {
        "id": "billing.list",
        "name": "Invoices",
        "description": "All open ones",
        "examples": ("list open invoices",),
        "read_only": True,
        "destructive": True,
        "idempotent": True,
    }
    mark = declaration(listing)
    assert mark is not None
    assert mark.negatives == ("list the rules of invoicing",)


def test_a_dotted_id_is_named_by_its_last_word() -> None:
    @action(id="billing.create-invoice")
    def f() -> None: ...

    assert described(Actions(f))[0].name == "Create invoice"


def test_rules_are_those_of_the_actions_that_declare_some() -> None:
    @action(patterns=[r"invoice for (?P<customer>\w+)"], cues=("invoice",))
    def a(customer: str) -> None: ...
    @action
    def b() -> None: ...
    @action(cues=["ping"])
    def c() -> None: ...

    assert Actions(a, b, c).rules() == (
        Rule(action_id="a", patterns=(r"invoice for (?P<customer>\w+)",), cues=("invoice",)),
        Rule(action_id="c", cues=("ping",)),
    )


def module(**members: Any) -> ModuleType:
    made = ModuleType("myapp.actions")
    vars(made).update(members)
    return made


def test_a_module_gives_its_marked_functions_in_order_and_each_counts_once() -> None:
    @action
    def b() -> None: ...
    @action
    def a() -> None: ...
    def plain() -> None: ...

    source = module(b=b, a=a, plain=plain, again=b, number=3)
    assert marked(source) == (b, a, b)
    assert Actions(source, a).ids == ("b", "a")


def test_methods_and_objects_with_a_call_are_actions_too() -> None:
    class Billing:
        def __init__(self, answer: int) -> None:
            self.answer = answer

        @action
        async def total(self) -> int:
            return self.answer

    class Ping:
        __name__ = "ping"

        async def __call__(self, n: int) -> int:
            return n

    engine = Actions(Billing(3).total, action(Ping()))
    assert engine.ids == ("total", "ping")
    from turnout.model import ActionIntent

    intents = (ActionIntent(action_id="total"), ActionIntent(action_id="ping", params={"n": "4"}))
    results = asyncio.run(engine.execute(Request(), intents))
    assert [result.data for result in results] == [{"result": 3}, {"result": 4}]


def test_annotations_that_are_strings_are_read() -> None:
    @action
    def late(ctx: "Context", n: "int") -> "int":
        return n

    assert set(described(Actions(late))[0].schema["properties"]) == {"n"}


def untyped(x) -> None: ...
def star(*x: int) -> None: ...
def kwargs(**x: int) -> None: ...
def positional(x: int, /) -> None: ...
def odd(x: complex) -> None: ...
def nowhere(x: "Missing") -> None: ...  # noqa: F821  # pyright: ignore[reportUndefinedVariable]
def two_objects(x: "dict[str, int] | Declaration") -> None: ...
def fine(x: int, y: str = "") -> None: ...
def generator(x: int):
    yield x


async def agenerator(x: int):
    yield x


async def async_words(result: Any, intent: Any) -> str:
    return ""


def returning_int(x: int) -> int:
    return x


def returning_nothing_known(x: int) -> dict[str, int] | None:
    return None


class Total(msgspec.Struct):
    total: int


def returning_noted(x: int) -> Annotated[int, msgspec.Meta(title="Sum")]:
    return x


def returning_the_unreadable(x: int) -> list["str"] | Literal[1.5]:  # type: ignore[valid-type]
    return []


def returning_total(x: int) -> Total | None:
    return None


FAULTS: list[tuple[Callable[..., Any], dict[str, Any], str]] = [
    (untyped, {}, "parameter 'x' has no type"),
    (star, {}, "take a list"),
    (kwargs, {}, "needs a JSON Schema"),
    (positional, {}, "positional-only"),
    (odd, {}, "complex"),
    (nowhere, {}, "Missing"),
    (two_objects, {}, "dict-like"),
    (generator, {}, "generator"),
    (agenerator, {}, "generator"),
    (fine, {"id": "two words"}, "no action id"),
    (fine, {"id": "x" * 129}, "no action id"),
    (fine, {"patterns": ["("]}, "no regular expression"),
    (fine, {"patterns": [3]}, "no regular expression"),
    (fine, {"patterns": ["(?:list invoices)?"]}, "every request"),
    (fine, {"patterns": ["(?P<z>a)"]}, "group 'z'"),
    (fine, {"cues": [" "]}, "no word"),
    (fine, {"cues": [3]}, "no word"),
    (fine, {"template": "{x"}, "template"),
    (fine, {"template": "{}"}, "no name"),
    (fine, {"template": "{0}"}, "names '0'"),
    (fine, {"template": "{x[0]}"}, "no name"),
    (fine, {"template": "{x!r}"}, "format"),
    (fine, {"template": "{x:{y}}"}, "format"),
    (fine, {"template": "{x:%Y}"}, "format"),
    (fine, {"template": 3}, "neither a format string nor a function"),
    (fine, {"template": async_words}, "not async"),
    (fine, {"template": "{total}"}, "neither in the result nor a parameter"),
    (returning_int, {"template": "{total}"}, "(result, x)"),
    (returning_noted, {"template": "{total}"}, "(result, x)"),
    (returning_total, {"template": "{sum}"}, "(total, x)"),
    (fine, {"when": 3}, "when="),
    (fine, {"schema": {"type": "object"}}, "**params"),
    (kwargs, {"schema": {"type": "array"}}, '"type": "object"'),
    (kwargs, {"schema": 3}, '"type": "object"'),
    (kwargs, {"schema": {"type": "object", "properties": {"a": {"type": "nope"}}}}, "no valid JSON Schema"),
    (
        kwargs,
        {"schema": {"type": "object", "properties": {"a": {"$ref": "http://127.0.0.1:9/"}}}},
        "no valid",
    ),
    (
        kwargs,
        {"schema": {"type": "object", "additionalProperties": False}, "patterns": ["(?P<z>a)"]},
        "group 'z'",
    ),
]


@pytest.mark.parametrize(("function", "told", "why"), FAULTS, ids=[f"{f.__name__}-{w}" for f, _, w in FAULTS])
def test_what_cannot_work_is_refused_when_the_engine_is_built(
    function: Callable[..., Any], told: dict[str, Any], why: str
) -> None:
    @functools.wraps(function)
    def own(*args: Any, **kwargs: Any) -> Any: ...

    marked_function = action(**told)(own if function not in (generator, agenerator) else function)
    with pytest.raises(Misconfigured) as caught:
        Actions(marked_function)
    assert why in str(caught.value)
    assert f"{__name__}.{function.__qualname__}" in str(caught.value)


@pytest.mark.parametrize(
    ("function", "template"),
    [
        (returning_int, "{result} {x} {params.x}"),
        (returning_total, "{total:,.2f} of {x}"),
        (returning_the_unreadable, "{anything}"),
        (returning_nothing_known, "{anything.at.all}"),
        (fine, "{{literal}} {x:>8} {y}"),
    ],
)
def test_a_template_may_name_the_results_fields_and_the_parameters(
    function: Callable[..., Any], template: str
) -> None:
    @functools.wraps(function)
    def own(*args: Any, **kwargs: Any) -> Any: ...

    assert Actions(action(template=template)(own)).ids == (function.__name__,)


def test_two_actions_with_one_id_are_refused_with_both_places() -> None:
    @action(id="same")
    def first() -> None: ...
    @action(id="same")
    def second() -> None: ...

    with pytest.raises(Misconfigured, match=r"'same' is given twice: .*first and .*second"):
        Actions(first, second)


def test_a_source_without_actions_is_refused() -> None:
    def unmarked() -> None: ...

    with pytest.raises(Misconfigured, match="unmarked is not marked"):
        Actions(unmarked)
    with pytest.raises(Misconfigured, match=r"myapp\.actions has no function"):
        Actions(module())
    with pytest.raises(Misconfigured, match="not marked"):
        Actions("myapp.actions")  # type: ignore[arg-type]


@pytest.mark.parametrize("name", ["patterns", "cues", "examples", "negatives"])
def test_one_string_where_several_are_asked_for_is_refused_at_once(name: str) -> None:
    with pytest.raises(Misconfigured, match=name):
        action(**{name: "list invoices"})  # type: ignore[arg-type]


def test_what_takes_no_mark_is_refused() -> None:
    with pytest.raises(Misconfigured, match="takes no mark"):
        action(sys.getsizeof)


def test_a_bad_template_for_the_synthesizer_alone_names_the_action() -> None:
    with pytest.raises(Misconfigured, match=r"'a\.b'.*no name"):
        TemplateSynthesizer({"a.b": "{x.}"})
