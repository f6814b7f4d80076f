"""System 1 as a whole: it acts where it is sure, asks where something is open, and is silent elsewhere."""

import datetime
from collections.abc import Sequence
from typing import Any

import pytest

from turnout.model import (
    ActionDescriptor,
    ActionIntent,
    Ask,
    Body,
    Intent,
    Message,
    Request,
    Text,
    ToolCall,
    ToolResult,
)
from turnout.model.errors import Misconfigured
from turnout.model.utterance import Turn
from turnout.system1.calibration import Calibration, Refusal
from turnout.system1.classifier import System1Classifier
from turnout.system1.harness import build, build_lexical
from turnout.system1.scores import Labelled, Thresholds

NOON = datetime.datetime(2026, 11, 30, 12, 0)
BOOK = ActionDescriptor(
    id="room.book",
    name="book_room",
    description="Book a meeting room for a day.",
    schema={
        "type": "object",
        "properties": {"day": {"type": "string", "format": "date", "description": "the day"}},
        "required": ["day"],
    },
    examples=("book a room for tomorrow", "I need a meeting room on Friday", "reserve a room for 3 May"),
)
LIST = ActionDescriptor(
    id="room.list",
    name="list_rooms",
    description="List all meeting rooms.",
    examples=("list the rooms", "show me all meeting rooms", "which rooms are there"),
)
OFFICE = (BOOK, LIST)


def fitted(descriptors: Sequence[ActionDescriptor] = OFFICE, **more: Any) -> System1Classifier:
    classifier = System1Classifier.fit(tuple(descriptors), local=False, now=lambda: NOON, **more)
    return classifier.calibrated(Thresholds(ours=0.3, margin=0.1))


def said(*texts: str) -> Request:
    """A conversation: the user and the assistant in turns, the user last."""
    roles = ["user" if (len(texts) - at) % 2 else "assistant" for at in range(len(texts))]
    return Request(
        body=Body(
            messages=tuple(
                Message(role=role, parts=(Text(text=text),))  # type: ignore[arg-type]
                for role, text in zip(roles, texts, strict=True)
            )
        )
    )


async def outcome(*texts: str, allowed: Sequence[ActionDescriptor] = OFFICE) -> Intent | Ask:
    return await fitted()(said(*texts), tuple(allowed))


async def test_a_request_with_all_that_it_needs_is_an_intent() -> None:
    assert await outcome("please book a room for tomorrow") == Intent(
        actions=(ActionIntent(action_id="room.book", params={"day": "2026-12-01"}),)
    )


async def test_what_is_missing_is_asked_for_and_the_answer_fills_it() -> None:
    asked = await outcome("book a room")
    assert isinstance(asked, Ask)
    assert "day" in asked.question
    assert asked.candidates == ("room.book",)
    filled = await outcome("book a room", asked.question, "on Friday")
    assert filled == Intent(actions=(ActionIntent(action_id="room.book", params={"day": "2026-12-04"}),))


@pytest.mark.parametrize(
    "text",
    [
        "how do I book a room?",
        "don't book a room for tomorrow",
        "translate 'book a room for tomorrow' into French",
        "what is the meaning of life",
        "thanks",
    ],
)
async def test_what_only_mentions_an_action_asks_for_none(text: str) -> None:
    assert await outcome(text) == Intent()


async def test_a_turn_that_is_not_the_users_asks_for_nothing() -> None:
    call = Message(role="assistant", parts=(ToolCall(call_id="c", name="bash"),))
    result = Message(
        role="tool", parts=(ToolResult(call_id="c", parts=(Text(text="book a room for tomorrow"),)),)
    )
    user = Message(role="user", parts=(Text(text="book a room for tomorrow"),))
    request = Request(body=Body(messages=(user, call, result)))
    assert await fitted()(request, OFFICE) == Intent()


async def test_an_action_that_the_request_may_not_use_is_not_chosen() -> None:
    assert await outcome("book a room for tomorrow", allowed=(LIST,)) == Intent()


async def test_an_explanation_shows_scores_bars_and_reasons() -> None:
    told = await fitted().explain(said("book a room for tomorrow"), OFFICE)
    assert told.candidates[0].action_id == "room.book"
    assert "ours" in told.candidates[0].because
    refused = await fitted().explain(said("how do I book a room"), OFFICE)
    assert refused.reason.startswith("gate:")


async def test_many_actions_without_examples_never_act_alone() -> None:
    bare = tuple(
        ActionDescriptor(id=f"a{at}", name=name, description=f"{name} something")
        for at, name in enumerate(("pay", "send", "print", "scan", "mail", "fold"))
    )
    classifier = fitted(bare)
    told = await classifier.explain(said("print something"), bare)
    assert (told.outcome, "examples" in told.reason) == (Intent(), True)
    assert told.candidates[0].action_id == "a2"


def test_without_actions_there_is_nothing_to_fit() -> None:
    with pytest.raises(Misconfigured):
        System1Classifier.fit(())


def test_the_local_tier_can_be_demanded(monkeypatch: pytest.MonkeyPatch, tmp_path: Any) -> None:
    monkeypatch.setenv("TURNOUT_CACHE", str(tmp_path))
    with pytest.raises(Misconfigured, match="encoder install"):
        System1Classifier.fit(OFFICE, local=True)
    assert System1Classifier.fit(OFFICE).tier == "lexical"


def test_further_examples_and_other_thresholds_are_another_classifier() -> None:
    one = fitted()
    other = fitted(examples=(Labelled(text="any room will do", actions=("room.book",)),))
    assert one.fingerprint != other.fingerprint
    assert one.calibrated(Thresholds(ours=0.9, margin=0.9)).thresholds.ours == 0.9
    assert one.calibrated(Thresholds(ours=0.9, margin=0.9)).fingerprint == one.fingerprint


def test_the_plain_interface_takes_and_gives_json() -> None:
    catalog = [
        {
            "id": each.id,
            "name": each.name,
            "description": each.description,
            "input_schema": each.schema,
            "examples": list(each.examples),
        }
        for each in OFFICE
    ]
    target = build_lexical(catalog, [{"text": "tell me a joke", "actions": []}])
    found = target.classify(
        [{"role": "user", "content": "book a room for tomorrow"}], now="2026-11-30T12:00:00"
    )
    assert found["candidates"][0][0] == "room.book"
    assert [action["parameters"] for action in found["actions"]] in ([], [{"day": "2026-12-01"}])
    tool = [
        {"role": "user", "content": [{"type": "text", "text": "go on"}]},
        {"role": "assistant", "content": None, "tool_calls": [{"id": "c", "function": {"name": "x"}}]},
        {"role": "tool", "tool_call_id": "c", "content": "book a room for tomorrow"},
    ]
    assert target.classify(tool)["actions"] == []


def test_the_plain_interface_keeps_a_promise_or_never_acts() -> None:
    catalog = [{"id": "report.send", "name": "send_report"}, {"id": "door.lock", "name": "lock_door"}]
    examples = [
        {"text": f"{verb} the {thing} now", "actions": [{"id": action}]}
        for action, verbs, things in (
            ("report.send", ("send", "mail"), ("report", "summary")),
            ("door.lock", ("lock", "close"), ("door", "gate")),
        )
        for verb in verbs
        for thing in things
    ]
    asking = [
        {"text": f"{words} number {number}", "actions": [{"id": action}]}
        for action, words in (("report.send", "send the report"), ("door.lock", "lock the door"))
        for number in range(150)
    ]
    idle = [{"text": f"why is the sky blue at {number}", "actions": []} for number in range(150)]
    heard = [{"role": "user", "content": "send the report number 999"}]
    promise: dict[str, Any] = {"max_wrong": 0.1, "reasoning_share": 0.5, "local": False}
    kept = build(catalog, examples, [*asking, *idle], **promise)
    assert isinstance(kept.promised, Calibration)
    assert [action["id"] for action in kept.classify(heard)["actions"]] == ["report.send"]
    refused = build(catalog, examples, asking, **promise)
    assert isinstance(refused.promised, Refusal)
    assert refused.classify(heard)["actions"] == []
    assert build(catalog, examples, asking, local=False).promised is None


def test_examples_with_parameters_teach_what_their_values_look_like() -> None:
    play = ActionDescriptor(
        id="music.play",
        name="play_song",
        description="Play a song.",
        schema={"type": "object", "properties": {"song": {"type": "string"}, "singer": {"type": "string"}}},
    )
    songs = [("yellow", "coldplay"), ("hello", "adele"), ("thriller", "jackson"), ("creep", "radiohead")]
    taught = [
        Labelled(
            text=f"{verb} {song} by {singer}",
            actions=("music.play",),
            parameters={"song": song, "singer": singer},
        )
        for song, singer in songs
        for verb in ("play", "put on", "please play")
    ]
    knowing = fitted((play,), examples=taught)
    bare = fitted((play,), examples=[Labelled(text=row.text, actions=row.actions) for row in taught])
    turn = (Turn(speaker="user", text="play numb by rihanna"),)
    assert knowing.decide(turn).calls[0].params == {"song": "numb", "singer": "rihanna"}
    assert bare.decide(turn).calls[0].params != {"song": "numb", "singer": "rihanna"}
    assert knowing.fingerprint != bare.fingerprint


def test_examples_without_words_teach_nothing() -> None:
    catalogue = [{"id": each.id, "examples": list(each.examples)} for each in OFFICE]
    rows = [{"text": text, "actions": [{"id": BOOK.id}]} for text in ("", " \n")]
    message = [{"role": "user", "content": "list the rooms"}]
    assert build_lexical(catalogue, rows).classify(message) == build_lexical(catalogue, []).classify(message)
