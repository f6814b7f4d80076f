"""The examples of stores of one's own, asked by the official client."""

import asyncio
import threading
from typing import Any

import httpx2
import openai
import pytest
from openai import OpenAI

from tests.examples.test_examples import load, served


def client(base: str, **headers: str) -> Any:
    return OpenAI(
        base_url=f"{base}/v1",
        api_key="x",
        max_retries=0,
        default_headers=headers,
        _strict_response_validation=True,
    )


@pytest.mark.states("L-292", "L-158", "L-168")
def test_the_smallest_store_keeps_a_conversation() -> None:
    module = load("lifecycle")
    with served(module.app) as base, client(base) as made:
        first = made.responses.create(model="echo", input="one", store=True)
        second = made.responses.create(model="echo", input="two", store=True, previous_response_id=first.id)
        assert second.output_text == "You said: one; two"
        passing = made.responses.create(model="echo", input="three", previous_response_id=second.id)
        assert passing.output_text == "You said: one; two; three"
        with pytest.raises(openai.NotFoundError):
            made.responses.create(model="echo", input="four", previous_response_id=passing.id)
        with pytest.raises(openai.NotFoundError):
            made.responses.retrieve(first.id)


@pytest.mark.states("L-292", "L-104", "L-190", "L-193", "L-194")
def test_the_full_store_runs_a_key_once_and_gives_its_response_to_its_owner() -> None:
    module = load("lifecycle-full")
    asked: Any = {"model": "slow", "store": True, "extra_headers": {"Idempotency-Key": "k1"}}
    with (
        served(module.app) as base,
        client(base, **{"x-user": "ann"}) as ann,
        client(base, **{"x-user": "bob"}) as bob,
    ):
        first = ann.responses.create(input="hello", **asked)
        again = ann.responses.create(input="hello", **asked)
        assert first.output_text == "I have heard 1 messages."
        assert first.metadata == {"owner": "ann"}
        assert again.to_dict() == first.to_dict()
        assert ann.responses.retrieve(first.id).to_dict() == first.to_dict()
        assert module.runs == ["hello"]
        with pytest.raises(openai.ConflictError):
            ann.responses.create(input="something else", **asked)
        for hidden in (bob.responses.retrieve, bob.responses.delete):
            with pytest.raises(openai.NotFoundError):
                hidden(first.id)
        assert bob.responses.create(input="hello", **asked).id != first.id
        second = ann.responses.create(model="slow", input="more", store=True, previous_response_id=first.id)
        assert second.output_text == "I have heard 3 messages."
        listed = ann.responses.input_items.list(second.id, order="asc")
        assert [item.role for item in listed.data] == ["user", "assistant", "user"]
        ann.responses.delete(second.id)
        with pytest.raises(openai.NotFoundError):
            ann.responses.retrieve(second.id)


def finished(client: Any, asked: Any) -> Any:
    """The response, `None` while it is being made."""
    try:
        return client.responses.create(**asked)
    except openai.ConflictError:
        return None


@pytest.mark.states("L-292", "L-184", "L-194")
def test_the_full_stores_runs_go_on_without_their_client() -> None:
    module = load("lifecycle-full")
    go_on = threading.Event()
    module.moment = lambda: asyncio.to_thread(go_on.wait, 20)
    asked: Any = {"model": "slow", "input": "hello", "store": True, "stream": True}
    headers = {"x-user": "ann", "idempotency-key": "k1"}
    with served(module.app) as base, client(base, **{"x-user": "ann"}) as ann:
        with httpx2.stream("POST", f"{base}/v1/responses", json=asked, headers=headers) as leaving:
            read = b""
            for piece in leaving.iter_bytes():
                read += piece
                if b"output_text.delta" in read:
                    break
        busy: Any = {"model": "slow", "input": "hello", "extra_headers": {"Idempotency-Key": "k1"}}
        with pytest.raises(openai.ConflictError) as raised:
            ann.responses.create(**busy)
        assert raised.value.code == "run_in_progress"
        go_on.set()
        while (made := finished(ann, busy)) is None:
            pass
        assert made.output_text == "I have heard 1 messages."
        assert b'"thinking"' in read
        assert module.runs == ["hello"]
