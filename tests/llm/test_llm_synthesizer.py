"""Synthesis: the results alone go in, and nothing but checked words comes out."""

import asyncio
from collections.abc import AsyncIterator
from typing import Any

import msgspec
import pytest
from llm_fakes import INVOICE, Model, asking, called, once, results, said, template, text

from turnout.errors import BrokenStream, ProviderError, StageError
from turnout.llm import Call, Synthesizer
from turnout.llm.figures import Figures
from turnout.model import (
    ActionResult,
    Answer,
    Batch,
    Delta,
    Extension,
    Failed,
    Finish,
    PartEnd,
    PartStart,
    Refusal,
    Reply,
    Start,
    Text,
    Thinking,
    Usage,
    UsageSeen,
)

GOOD = "Invoice R-7 over 1,250.50 euros is due on April 1, 2026. It has 3 lines."
FALLBACK = "From the template: R-7 over 1250.50."
FAILURES: dict[str, Any] = {
    "raises": ProviderError("slow down", kind="rate_limit", status_code=429),
    "is broken": OSError("secret"),
    "refuses": Answer(parts=(Refusal(text="no"),), stop="refusal"),
    "refuses beside": Answer(parts=(Text(text="Hm"), Refusal(text="no")), stop="end"),
    "is cut off": text("Invoice R-7 is", stop="length"),
    "is filtered": text("Invoice R-7.", stop="content_filter"),
    "calls a tool": called("billing.refund", {"euros": 5}),
    "says nothing": text(" \n"),
    "has no parts": Answer(parts=(), stop="end"),
    "invents": text("Invoice R-7 over 1,300 euros."),
}


def streams(*batches: Batch, model: Model | None = None) -> Any:
    async def close() -> None:
        if model is not None:
            model.closed += 1

    return lambda _: Reply.of_batches(once(*batches), close=close)


def spoken(*pieces: str) -> tuple[Batch, ...]:
    first: Batch = (Start(id="inner", model="small"), PartStart(index=0, part=Text(text="")))
    last: Batch = (PartEnd(index=0), UsageSeen(usage=Usage(output=3)), Finish(stop="end"))
    return (first, *((Delta(index=0, text=piece),) for piece in pieces), last)


async def pieces_of(reply: Reply) -> list[str]:
    async with reply:
        return [event.text async for event in reply.events() if isinstance(event, Delta)]


@pytest.mark.states("P-006")
@pytest.mark.parametrize("stream", [False, True])
async def test_synthesis_sees_the_results_and_nothing_else(stream: bool) -> None:
    model = Model(text(GOOD))
    request = asking("SECRET WORDS", "OLD", "bill Acme", stream=stream)
    made = Synthesizer(model, fallback=template, model="tiny", instructions="Answer in Dutch.")
    assert await said(await made(results(INVOICE, request=request))) == GOOD
    (inner,) = model.requests
    assert (inner.model, inner.stream, inner.tools, inner.body.format) == ("tiny", stream, (), None)
    for hidden in ("SECRET", "OLD", "Acme"):
        assert hidden not in model.prompt
    assert inner.messages[0].text.endswith("Answer in Dutch.")
    heading, line = inner.messages[1].text.split("\n")
    assert heading == "## Results"
    shown = msgspec.json.decode(line.removeprefix("- "))
    assert shown == {"action": INVOICE.action_id, "status": "succeeded", "data": INVOICE.data}


@pytest.mark.parametrize("stream", [False, True])
@pytest.mark.parametrize("failure", FAILURES.values(), ids=FAILURES)
async def test_the_fallback_words_the_results_when_the_model_cannot(
    failure: Any, stream: bool, caplog: pytest.LogCaptureFixture
) -> None:
    model = Model(failure)
    synthesis = results(INVOICE, request=asking(stream=stream))
    assert await said(await Synthesizer(model, fallback=template)(synthesis)) == FALLBACK
    assert "fallback" in caplog.text
    assert "secret" not in caplog.text
    assert model.closed == (0 if isinstance(failure, Exception) else 1)


@pytest.mark.parametrize("stream", [False, True])
async def test_a_wording_that_is_not_checked_may_round(stream: bool) -> None:
    made = Synthesizer(Model(text("About 1,300 euros.")), fallback=template, figures="free")
    assert await said(await made(results(INVOICE, request=asking(stream=stream)))) == "About 1,300 euros."


async def test_words_are_passed_on_as_they_come_where_nothing_is_checked() -> None:
    model = Model(streams(*spoken(" \n", "Inv", "oice R-7", " is", " made")))
    made = Synthesizer(model, fallback=template, figures="free")
    reply = await made(results(INVOICE, request=asking(stream=True)))
    assert await pieces_of(reply) == ["Inv", "oice R-7", " is", " made"]


async def test_checked_words_are_passed_on_sentence_by_sentence() -> None:
    gate = asyncio.Event()

    async def slow() -> AsyncIterator[Batch]:
        first, *middle, last = spoken("Invoice R", "-7 is made. It is o", "ver 1,250", ".50 euros", ".")
        yield first
        for batch in middle[:2]:
            yield batch
        await gate.wait()
        for batch in (*middle[2:], last):
            yield batch

    reply = await Synthesizer(lambda _: Reply.of_batches(slow()), fallback=template)(
        results(INVOICE, request=asking(stream=True))
    )
    async with reply:
        batches = reply.batches()
        start, part, delta = await anext(batches)
        assert start == Start()
        assert part == PartStart(index=0, part=Text(text=""))
        assert delta == Delta(index=0, text="Invoice R-7 is made.")
        gate.set()
        assert await anext(batches) == (Delta(index=0, text=" It is over 1,250.50 euros."),)
        end = (PartEnd(index=0), UsageSeen(usage=Usage(output=3)), Finish(stop="end"))
        assert await anext(batches) == end


async def test_after_a_wrong_figure_the_fallback_says_the_rest() -> None:
    model = Model()
    model.answers = [
        streams(*spoken("Invoice R-7 is made. ", "It is over 9,999 euros. ", "Bye."), model=model)
    ]
    reply = await Synthesizer(model, fallback=template)(results(INVOICE, request=asking(stream=True)))
    assert await said(reply) == f"Invoice R-7 is made.\n\n{FALLBACK}"
    assert model.closed == 1


async def test_a_sentence_without_an_end_is_not_held_for_ever() -> None:
    model = Model(streams(*spoken(*["word "] * 3_000)))
    reply = await Synthesizer(model, fallback=template)(results(INVOICE, request=asking(stream=True)))
    assert await said(reply) == FALLBACK


@pytest.mark.parametrize("how", ["cut", "event", "raises"])
@pytest.mark.parametrize("begun", [False, True])
async def test_a_stream_that_breaks_is_an_error_once_it_has_said_something(how: str, begun: bool) -> None:
    async def breaking() -> AsyncIterator[Batch]:
        yield spoken()[0]
        if begun:
            yield (Delta(index=0, text="Invoice R-7 is made.\n"),)
        if how == "event":
            yield (Failed(error=ProviderError("no", kind="overloaded")),)
        if how == "raises":
            raise OSError("secret")

    made = Synthesizer(lambda _: Reply.of_batches(breaking()), fallback=template)
    reply = await made(results(INVOICE, request=asking(stream=True)))
    if not begun:
        assert await said(reply) == FALLBACK
        return
    async with reply:
        last = [event async for event in reply.events()][-1]
    assert isinstance(last, Failed)
    assert last.error.may_have_acted
    kinds = {"cut": BrokenStream, "event": ProviderError, "raises": StageError}
    assert type(last.error) is kinds[how]
    assert "secret" not in last.error.message


async def test_only_the_text_of_an_answer_is_taken() -> None:
    batch: Batch = (
        Start(),
        PartStart(index=0, part=Thinking()),
        Delta(index=0, text="9999 secret"),
        PartEnd(index=0),
        PartStart(index=1, part=Text(text="Invoice ")),
        Delta(index=1, text="R-7."),
        PartEnd(index=1),
        PartStart(index=2, part=Extension(name="ui", data="{}")),
        PartEnd(index=2),
        Finish(stop="end"),
    )
    reply = await Synthesizer(Model(streams(batch)), fallback=template)(
        results(INVOICE, request=asking(stream=True))
    )
    async with reply:
        answer = await reply.answer()
    assert answer.parts == (Text(text="Invoice R-7."),)


@pytest.mark.parametrize("stream", [False, True])
async def test_the_cost_of_the_call_is_told_and_shown(stream: bool) -> None:
    calls: list[Call] = []
    usage = Usage(input=7, output=5)
    made = Synthesizer(Model(text(GOOD, usage=usage)), fallback=template, model="tiny", on_call=calls.append)
    reply = await made(results(INVOICE, request=asking(stream=stream)))
    async with reply:
        answer = await reply.answer()
    assert answer.usage == usage
    assert calls == [Call(step="synthesize", model="tiny", usage=usage)]


async def test_leaving_a_stream_closes_the_models_reply() -> None:
    model = Model()
    model.answers = [streams(*spoken("One.\n", "Two.\n"), model=model)]
    made = Synthesizer(model, fallback=template, figures="free")
    reply = await made(results(INVOICE, request=asking(stream=True)))
    async with reply:
        await anext(reply.batches())
    assert model.closed == 1
    never = await made(results(INVOICE, request=asking(stream=True)))
    await never.aclose()
    assert model.closed == 2


async def test_cancellation_is_not_a_failure_of_the_model() -> None:
    started = asyncio.Event()

    async def hang(_request: Any) -> Reply:
        started.set()
        await asyncio.Event().wait()
        raise AssertionError

    task = asyncio.ensure_future(Synthesizer(hang, fallback=template)(results(INVOICE)))
    await started.wait()
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task


def test_a_synthesizer_needs_an_agent_and_a_fallback() -> None:
    nobody: Any = None
    with pytest.raises(TypeError, match="fallback"):
        Synthesizer(Model(), fallback=nobody)
    with pytest.raises(TypeError, match="synthesize"):
        Synthesizer(nobody, fallback=template)


BALANCE = ActionResult(
    action_id="bank.balance",
    status="succeeded",
    execution_id="run-77",
    data={
        "balance": -5,
        "rate": 0.2,
        "ratio": "1.250",
        "note": "Total: 1.300 EUR at 14:30",
        "paid": True,
        "items": [{"count": 40}, {"count": 41}],
        "total": 1_000_000,
        "none": None,
    },
)


@pytest.mark.parametrize(
    ("words", "right"),
    [
        ("Nothing to see.", True),
        ("Your balance is -5 euros.", True),
        ("Your balance is minus 5 euros.", True),
        ("Your balance is 5 euros.", False),
        ("The rate is 0.2, that is 20%.", True),
        ("The rate is 3%.", False),
        ("The ratio is 1.250.", True),
        ("The ratio is 1.25.", True),
        ("The ratio is 1,250.", False),
        ("In all 1.300 EUR.", True),
        ("In all 1300 EUR.", True),
        ("At 2:30 pm, or 14:30.", True),
        ("At 3 pm.", False),
        ("Two items: 40 and 41.", True),
        ("Three items.", False),
        ("That one is paid.", True),
        ("One hundred is paid.", False),
        ("zwölf Stück", False),
        ("zweitausend Euro", False),
        ("dreihundertzwölf Euro", False),
        ("duemila euro", False),
        ("½ of it", False),
        ("\u2168 items", False),
        ("三千欧元", False),
        ("\u2461 items", True),
        ("A total of 1,000,000.", True),
        ("A total of 1 000 000.", True),
        ("A total of 1 million.", True),
        ("A total of one million.", True),
        ("A total of 1.000 million.", True),
        ("A total of 1.300 million.", False),
        ("Execution run-77.", True),
        ("Execution run-78.", False),
        ("1. First", True),
        ("500. First", False),
        ("on 14.30.99", False),
    ],
)
def test_a_figure_is_the_results_own_or_it_is_wrong(words: str, right: bool) -> None:
    assert Figures((BALANCE,)).hold(words) is right
