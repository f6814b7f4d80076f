"""What every store does, whatever it keeps its rows in."""

import asyncio
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.model import strategies as model
from tests.store.turns import ANN, BOB, Clock, Make, answered, opened, ran, said, turn
from turnout.model import (
    NO_CONTEXT,
    Answer,
    Context,
    Headers,
    Source,
    StoredResponse,
    User,
)
from turnout.model.errors import (
    AgentFailed,
    Cancelled,
    Conflict,
    InvalidRequest,
    NotFound,
    ProviderError,
    RunInProgress,
    StageError,
    StoreFailed,
    TurnoutError,
)
from turnout.store import Policy, owner

DAY_S = 86_400


def texts(messages: Any) -> list[tuple[str, str]]:
    return [(each.role, each.text) for each in messages]


# ---- a response is kept as it was -------------------------------------------------------------------------------

stored_responses = model.given_some(
    StoredResponse,
    {"answer": model.answers},
    status=st.sampled_from(["completed", "incomplete", "failed", "cancelled", "in_progress"]),
    previous=model.words,
    conversation=model.words,
    error=model.json_objects,
    echo=st.dictionaries(model.words, model.json_texts, max_size=3),
)


@given(stored=stored_responses, retain=st.booleans(), items=st.lists(model.messages, max_size=3).map(tuple))
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@pytest.mark.states("L-190", "L-192")
async def test_a_response_comes_back_as_it_was_given(
    make: Make, stored: StoredResponse, retain: bool, items: Any
) -> None:
    async with opened(make) as store:
        asked = turn(items=items, key=None if retain else model_key(store), retain=retain)
        acceptance = await store.accept(asked)
        await acceptance.finish(stored, None)
        if retain:
            assert await store.get(acceptance.response.id, ANN) == stored
            assert await store.items(acceptance.response.id, ANN) == items
        elif stored.status != "cancelled":
            assert (await store.accept(asked)).replay == stored


def model_key(store: Any) -> str:
    """A key that nothing has used in this store."""
    return store._new_id()


async def test_what_cannot_be_written_is_told_and_nothing_is_kept(make: Make) -> None:
    async with opened(make) as store:
        acceptance = await store.accept(turn())
        with pytest.raises(StoreFailed, match="cannot be stored"):
            await acceptance.finish(answered(acceptance.response.id, "half a pair: \ud800"), None)
        with pytest.raises(NotFound):
            await store.get(acceptance.response.id, ANN)
        with pytest.raises(StoreFailed, match="cannot be stored"):
            await store.accept(turn("half a pair: \ud800", key="k"))


# ---- what is kept, and what is not ------------------------------------------------------------------------------


@pytest.mark.states("L-181", "L-182")
async def test_an_accepted_turn_has_an_id_of_its_own_and_a_time(make: Make) -> None:
    clock = Clock()
    async with opened(make, Policy(run_timeout=5, activity=True), clock) as store:
        first, second = await store.accept(turn()), await store.accept(turn())
        assert first.response.id.startswith("resp_")
        assert first.response.id != second.response.id
        assert first.response.created == int(clock.now)
        assert (first.run_timeout, first.activity, first.replay) == (5, True, None)


async def test_a_response_is_there_when_it_has_finished_and_not_before(make: Make) -> None:
    async with opened(make) as store:
        for key in (None, "k"):
            acceptance = await store.accept(turn(key=key))
            response_id = acceptance.response.id
            for read in (store.get, store.items, store.load, store.delete):
                with pytest.raises(NotFound):
                    await read(response_id, ANN)
            await acceptance.finish(answered(response_id), None)
            assert await store.get(response_id, ANN) == answered(response_id)


@pytest.mark.states("L-153", "L-175")
async def test_a_turn_that_is_not_retained_leaves_nothing(make: Make) -> None:
    async with opened(make) as store:
        acceptance = await store.accept(turn(retain=False))
        assert acceptance.response.id
        assert acceptance.finish is None
        response_id = await ran(store, turn(retain=False, key="k"))
        for read in (store.get, store.items, store.load, store.delete):
            with pytest.raises(NotFound):
                await read(response_id, ANN)


@pytest.mark.states("L-158", "L-170")
async def test_a_history_is_the_turns_and_answers_in_order(make: Make) -> None:
    async with opened(make) as store:
        first = await ran(store, turn("a", "b"), "c")
        second = await ran(store, turn("d", previous=first), "e")
        assert texts(await store.load(first, ANN)) == [("user", "a"), ("user", "b"), ("assistant", "c")]
        assert texts(await store.items(first, ANN)) == [("user", "a"), ("user", "b")]
        history = [("user", "a"), ("user", "b"), ("assistant", "c"), ("user", "d")]
        assert texts(await store.items(second, ANN)) == history
        assert texts(await store.load(second, ANN)) == [*history, ("assistant", "e")]


async def test_two_turns_may_continue_from_one_response(make: Make) -> None:
    async with opened(make) as store:
        first = await ran(store, turn("a"), "b")
        left, right = [await ran(store, turn(text, previous=first), text * 2) for text in "xy"]
        assert texts(await store.load(left, ANN))[2:] == [("user", "x"), ("assistant", "xx")]
        assert texts(await store.load(right, ANN))[2:] == [("user", "y"), ("assistant", "yy")]


async def test_an_answer_that_says_nothing_adds_no_message(make: Make) -> None:
    async with opened(make) as store:
        acceptance = await store.accept(turn("a"))
        stored = StoredResponse(answer=Answer(parts=(), stop="unknown"), status="failed", error={"code": "x"})
        await acceptance.finish(stored, AgentFailed("no"))
        assert await store.get(acceptance.response.id, ANN) == stored
        assert texts(await store.load(acceptance.response.id, ANN)) == [("user", "a")]


@pytest.mark.states("L-158", "L-159")
@pytest.mark.parametrize("failed", [False, True])
async def test_a_turn_that_continues_from_nothing_is_not_kept(make: Make, failed: bool) -> None:
    async with opened(make) as store:
        with pytest.raises(NotFound, match="resp_none"):
            await store.load("resp_none", ANN)
        acceptance = await store.accept(turn(previous="resp_none", key="k"))
        ended = answered(acceptance.response.id)
        if failed:
            await acceptance.finish(ended, NotFound("no"))
        else:
            with pytest.raises(NotFound):
                await acceptance.finish(ended, None)
        with pytest.raises(NotFound):
            await store.get(acceptance.response.id, ANN)
        assert (await store.accept(turn(previous="resp_none", key="k"))).replay is None


@pytest.mark.states("L-173")
@pytest.mark.parametrize("key", [None, "k"])
async def test_a_run_ends_once(make: Make, key: str | None) -> None:
    async with opened(make) as store:
        acceptance = await store.accept(turn(key=key))
        first = answered(acceptance.response.id, "first")
        await acceptance.finish(first, None)
        with pytest.raises(StoreFailed):
            await acceptance.finish(answered(acceptance.response.id, "second"), None)
        assert await store.get(acceptance.response.id, ANN) == first
        assert texts(await store.load(acceptance.response.id, ANN))[1:] == [("assistant", "first")]


@pytest.mark.parametrize("key", [None, "k"])
async def test_an_id_that_was_made_twice_is_one_response(make: Make, key: str | None) -> None:
    """What is kept beside the second one, at the same time, is kept; of the two, whichever a database takes first."""
    ids = iter(["resp_a", "resp_a", "resp_b"])
    store = make(new_id=lambda: next(ids))
    accepted = [await store.accept(turn(text)) for text in "ab"]
    accepted.append(await store.accept(turn("c", key=key)))
    ends = [
        each.finish(answered(each.response.id, text), None)
        for each, text in zip(accepted, "xyz", strict=True)
    ]
    first, second, beside = await asyncio.gather(*ends, return_exceptions=True)
    said = ("a", "x") if first is None else ("b", "y")
    assert beside is None
    assert isinstance(second if first is None else first, StoreFailed)
    assert (first is None) != (second is None)
    assert texts(await store.load("resp_a", ANN)) == list(zip(("user", "assistant"), said, strict=True))
    assert texts(await store.load("resp_b", ANN)) == [("user", "c"), ("assistant", "z")]
    await store.aclose()


# ---- owners -----------------------------------------------------------------------------------------------------


@pytest.mark.states("K45", "L-158")
async def test_another_owners_response_looks_like_none(make: Make) -> None:
    async with opened(make) as store:
        response_id = await ran(store, turn())
        for read in (store.get, store.items, store.load, store.delete):
            with pytest.raises(NotFound) as theirs:
                await read(response_id, BOB)
            with pytest.raises(NotFound) as nobodys:
                await read("resp_none", BOB)
            error = NotFound(theirs.value.message.replace(response_id, "resp_none"), code=theirs.value.code)
            error.param = theirs.value.param
            assert error == nobodys.value
        acceptance = await store.accept(turn(previous=response_id, context=BOB))
        with pytest.raises(NotFound):
            await acceptance.finish(answered(acceptance.response.id), None)
        assert await store.get(response_id, ANN) == answered(response_id)


@pytest.mark.states("K45")
async def test_one_key_of_two_owners_is_two_keys(make: Make) -> None:
    async with opened(make) as store:
        await ran(store, turn("a", key="k"))
        assert (await store.accept(turn("b", key="k", context=BOB))).replay is None


@pytest.mark.states("K45")
async def test_what_two_owners_say_alike_is_kept_apart(make: Make, kept: Any) -> None:
    async with opened(make) as store:
        anns, bobs = await ran(store, turn("same")), await ran(store, turn("same", context=BOB))
        assert await kept(store) == {"messages": 4, "history": 4, "responses": 2}
        await store.delete(anns, ANN)
        assert texts(await store.load(bobs, BOB)) == [("user", "same"), ("assistant", "hi")]


def called(*headers: tuple[bytes, bytes], query: bytes = b"", user: str | None = None) -> Context:
    context = Context(scope={"type": "http", "headers": list(headers), "query_string": query})
    return context if user is None else context.with_(User(id=user))


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        (called((b"authorization", b"Bearer a")), called((b"authorization", b"Bearer b")), False),
        (called((b"x-api-key", b"a")), called((b"x-api-key", b"a"), (b"accept", b"x")), True),
        (called((b"x-api-key", b"a")), called((b"authorization", b"a")), False),
        (called(query=b"alt=sse&key=a"), called(query=b"key=a"), True),
        (called(query=b"key=a"), called(query=b"key=b"), False),
        (called((b"x-api-key", b"a"), user="ann"), called((b"x-api-key", b"b"), user="ann"), True),
        (called((b"x-api-key", b"a"), user="ann"), called((b"x-api-key", b"a"), user="bob"), False),
        (called((b"x-api-key", b"a"), user=""), called((b"x-api-key", b"a")), True),
        (called(), NO_CONTEXT, True),
        (called(user="ann"), ANN, True),
    ],
)
def test_an_owner_is_the_user_else_the_credentials(one: Context, other: Context, same: bool) -> None:
    assert (owner(one) == owner(other)) is same


# ---- keys -------------------------------------------------------------------------------------------------------


@pytest.mark.states("L-166", "L-189", "L-194", "K46")
@pytest.mark.parametrize("retain", [True, False])
async def test_a_key_that_runs_is_told_with_the_response_that_it_runs_for(make: Make, retain: bool) -> None:
    async with opened(make) as store:
        acceptance = await store.accept(turn(key="k", retain=retain))
        with pytest.raises(RunInProgress) as caught:
            await store.accept(turn(key="k", retain=retain))
        assert caught.value.response_id == acceptance.response.id


@pytest.mark.states("L-190", "L-192", "L-175", "K46")
@pytest.mark.parametrize("retain", [True, False])
async def test_a_key_that_ran_gives_the_first_response_again(make: Make, retain: bool) -> None:
    async with opened(make) as store:
        acceptance = await store.accept(turn(key="k", retain=retain))
        stored = answered(acceptance.response.id, echo={"text": "{}"})
        await acceptance.finish(stored, None)
        for _ in range(2):
            again = await store.accept(turn(key="k", retain=retain))
            assert again.replay == stored
            assert again.finish is None


@pytest.mark.states("L-193", "K46")
@pytest.mark.parametrize("ended", [True, False])
async def test_a_changed_request_under_the_same_key_is_a_conflict(make: Make, ended: bool) -> None:
    async with opened(make) as store:
        acceptance = await store.accept(turn("a", key="k"))
        if ended:
            await acceptance.finish(answered(acceptance.response.id), None)
        with pytest.raises(Conflict) as caught:
            await store.accept(turn("b", key="k"))
        assert not isinstance(caught.value, RunInProgress)
        assert caught.value.status == 409


@pytest.mark.states("L-193")
@pytest.mark.parametrize(
    ("body", "path", "same"),
    [
        (b"{}", "/r", True),
        (b"{ }", "/r", False),
        (b"{}", "/s", False),
        (b'{"stream":true}', "/r", False),  # the other form of an answer is another request
    ],
)
async def test_requests_with_bytes_are_the_same_when_their_bytes_are(
    make: Make, body: bytes, path: str, same: bool
) -> None:
    def sent(body: bytes, path: str) -> Source:
        return Source(protocol="openai-responses", body=body, path=path, headers=Headers.of([]))

    async with opened(make) as store:
        await ran(store, turn("a", key="k", source=sent(b"{}", "/r")))
        asked = turn("b", key="k", source=sent(body, path))
        if same:
            assert (await store.accept(asked)).replay is not None
        else:
            with pytest.raises(Conflict):
                await store.accept(asked)


@pytest.mark.parametrize("retain", [True, False])
@pytest.mark.parametrize(
    ("status", "error", "runs_again"),
    [
        ("completed", None, False),
        ("incomplete", None, False),
        ("failed", AgentFailed("no"), False),
        ("failed", StageError("execute", may_have_acted=True), False),
        ("failed", ProviderError("slow", kind="timeout"), True),
        ("failed", ProviderError("slow", kind="timeout", may_have_acted=True), False),
        ("failed", InvalidRequest("what?"), True),
        ("cancelled", Cancelled("left"), True),
        ("cancelled", None, True),
    ],
)
async def test_a_key_is_free_again_when_nothing_can_have_been_done(
    make: Make, retain: bool, status: Any, error: TurnoutError | None, runs_again: bool
) -> None:
    async with opened(make) as store:
        acceptance = await store.accept(turn(key="k", retain=retain))
        stored = answered(acceptance.response.id, status=status)
        await acceptance.finish(stored, error)
        again = await store.accept(turn(key="k", retain=retain))
        assert again.replay == (None if runs_again else stored)
        if retain:
            assert await store.get(acceptance.response.id, ANN) == stored


async def test_of_many_acceptances_at_once_each_key_runs_once(make: Make) -> None:
    async def accept(store: Any, at: int) -> str:
        try:
            acceptance = await store.accept(turn(key=f"k{at % 20}"))
        except RunInProgress:
            return "runs"
        return "fresh" if acceptance.replay is None else "replay"

    async with opened(make) as store:
        outcomes = await asyncio.gather(*(accept(store, at) for at in range(200)))
        assert outcomes.count("fresh") == 20
        assert outcomes.count("runs") == 180


# ---- time and forgetting ----------------------------------------------------------------------------------------


async def test_a_response_is_kept_for_its_time(make: Make) -> None:
    clock = Clock()
    async with opened(make, Policy(retention_s=100), clock) as store:
        response_id = await ran(store, turn())
        clock.now += 99
        assert await store.get(response_id, ANN) == answered(response_id)
        clock.now += 1
        for read in (store.get, store.items, store.load, store.delete):
            with pytest.raises(NotFound):
                await read(response_id, ANN)


async def test_what_a_younger_response_continues_from_is_kept_with_it(make: Make) -> None:
    clock = Clock()
    async with opened(make, Policy(retention_s=100), clock) as store:
        first = await ran(store, turn("a"), "b")
        clock.now += 99
        second = await ran(store, turn("c", previous=first), "d")
        clock.now += 90
        await ran(store, turn("something else"))
        with pytest.raises(NotFound):
            await store.get(first, ANN)
        assert [text for _, text in texts(await store.load(second, ANN))] == ["a", "b", "c", "d"]


@pytest.mark.parametrize("retain", [True, False])
async def test_a_key_stands_for_its_request_for_its_time(make: Make, retain: bool) -> None:
    clock = Clock()
    async with opened(make, Policy(key_s=100), clock) as store:
        response_id = await ran(store, turn("a", key="k", retain=retain))
        clock.now += 99
        assert (await store.accept(turn("a", key="k", retain=retain))).replay is not None
        clock.now += 1
        again = await store.accept(turn("b", key="k", retain=retain))
        assert again.replay is None
        if retain:
            assert await store.get(response_id, ANN) == answered(response_id)


async def test_a_run_keeps_its_key_however_long_it_takes(make: Make) -> None:
    clock = Clock()
    async with opened(make, Policy(key_s=100, retention_s=100), clock) as store:
        acceptance = await store.accept(turn(key="k"))
        clock.now += 1_000
        await ran(store, turn("other", key="l"))
        with pytest.raises(RunInProgress):
            await store.accept(turn(key="k"))
        await acceptance.finish(answered(acceptance.response.id), None)


@pytest.mark.states("K45")
async def test_a_deleted_response_is_gone_with_its_key(make: Make) -> None:
    async with opened(make) as store:
        response_id = await ran(store, turn(key="k"))
        await store.delete(response_id, ANN)
        for read in (store.get, store.items, store.load, store.delete):
            with pytest.raises(NotFound):
                await read(response_id, ANN)
        assert (await store.accept(turn(key="k"))).replay is None


async def test_what_continued_from_a_deleted_response_has_its_history_still(make: Make) -> None:
    async with opened(make) as store:
        first = await ran(store, turn("a"), "b")
        second = await ran(store, turn("c", previous=first), "d")
        await store.delete(first, ANN)
        assert [text for _, text in texts(await store.load(second, ANN))] == ["a", "b", "c", "d"]


# ---- what is kept is kept once ----------------------------------------------------------------------------------


async def test_a_history_that_is_sent_again_is_not_kept_again(make: Make, kept: Any) -> None:
    async with opened(make) as store:
        history = [said("be brief", "system")]
        for at in range(20):
            history += [said(f"question {at}"), said(f"answer {at}", "assistant")]
            await ran(store, turn(items=tuple(history[:-1])), f"answer {at}")
        assert await kept(store) == {"messages": 41, "history": 41, "responses": 20}


async def test_forgetting_the_last_response_forgets_all_messages(make: Make, kept: Any) -> None:
    clock = Clock()
    async with opened(make, Policy(retention_s=100), clock) as store:
        first = await ran(store, turn("a", "b"), "c")
        second = await ran(store, turn("d", previous=first), "e")
        other = await ran(store, turn("a", "b", "x"), "c")
        await store.delete(first, ANN)
        assert (await kept(store))["messages"] == 6
        await store.delete(second, ANN)
        assert (await kept(store))["messages"] == 4
        await store.delete(other, ANN)
        assert await kept(store) == {"messages": 0, "history": 0, "responses": 0}


async def test_what_is_past_its_time_is_cleared_away(make: Make, kept: Any) -> None:
    clock = Clock()
    async with opened(make, Policy(retention_s=100, key_s=100), clock) as store:
        previous = None
        for at in range(50):
            previous = await ran(store, turn(f"old {at}", previous=previous))
        await ran(store, turn(key="k", retain=False))
        await ran(store, turn("kept with a key", key="l"))
        clock.now += 100
        await ran(store, turn("new"))
        assert await kept(store) == {"messages": 2, "history": 2, "responses": 1}


async def test_a_long_history_is_read_whole_and_forgotten_whole(make: Make, kept: Any) -> None:
    async with opened(make) as store:
        first = await ran(store, turn(*(str(at) for at in range(2_000))), "end")
        second = await ran(store, turn("more", previous=first), "end")
        assert len(await store.load(second, ANN)) == 2_003
        await store.delete(first, ANN)
        await store.delete(second, ANN)
        assert await kept(store) == {"messages": 0, "history": 0, "responses": 0}
