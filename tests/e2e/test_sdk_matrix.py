"""Four official clients against `turnout serve` over a model of each of four protocols: one table."""

import json
import os
import subprocess
import sys
from collections.abc import Iterator

import pytest

from tests.e2e import scripted_model
from tests.e2e.scripted_model import CITIES, GIVEN, PROOF, THOUGHT, USED
from tests.e2e.sdk_clients import PICTURE, SPEAKERS, Ask, Speaker

# The Google client's own session, which aiohttp would rather not see.
pytestmark = pytest.mark.filterwarnings("ignore:Inheritance class AiohttpClientSession:DeprecationWarning")

PROTOCOLS = tuple(SPEAKERS)
ENDS = {
    "openai-chat": ("stop", "tool_calls"),
    "openai-responses": ("completed", "completed"),
    "anthropic-messages": ("end_turn", "tool_use"),
    "gemini": ("STOP", "STOP"),
}
"""What each client calls the end of an answer, and of one with calls."""
WORDS = {
    "openai-chat": (("rate_limit_error",), ("server_error", "api_error")),
    "openai-responses": (("rate_limit_error",), ("server_error", "api_error")),
    "anthropic-messages": (("rate_limit_error",), ("api_error",)),
    "gemini": (("RESOURCE_EXHAUSTED",), ("INTERNAL",)),
}
"""What each client calls too many requests, and a failure of the model."""
MODELS = "".join(
    f'[providers.{protocol}]\nprotocol = "{protocol}"\nbase_url = "http://127.0.0.1:{{port}}/v1"\n'
    f'api_key = "env:UP_KEY"\n[models."{protocol}"]\nprovider = "{protocol}"\nreasoning = "reasoning_content"\n'
    for protocol in PROTOCOLS
)


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The base URL of `turnout serve` in front of the scripted model; the model's name is the upstream protocol."""
    folder = tmp_path_factory.mktemp("matrix")
    model = scripted_model.start()
    (folder / "turnout.toml").write_text(MODELS.format(port=model.server_address[1]))
    command = [sys.executable, "-m", "turnout", "serve", "turnout.toml", "--port", "0"]
    environment = {**os.environ, "UP_KEY": "sk-upstream"}
    with subprocess.Popen(command, cwd=folder, env=environment, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        line = process.stdout.readline()
        assert line.startswith("turnout: serving "), line
        yield line.split()[-1]
        process.terminate()
        process.wait(15)
    model.shutdown()
    model.server_close()


@pytest.fixture(scope="module")
def speakers(served: str) -> Iterator[dict[str, Speaker]]:
    made = {protocol: make(served) for protocol, make in SPEAKERS.items()}
    yield made
    for speaker in made.values():
        speaker.close()


@pytest.fixture(params=PROTOCOLS)
def spoken(request: pytest.FixtureRequest) -> str:
    """The client's protocol."""
    return request.param


@pytest.fixture
def speaker(speakers: dict[str, Speaker], spoken: str) -> Speaker:
    scripted_model.Handler.asked.clear()
    return speakers[spoken]


PROVEN = {
    ("openai-responses", "openai-responses"),
    ("anthropic-messages", "anthropic-messages"),
    ("gemini", "gemini"),
    ("openai-responses", "anthropic-messages"),  # inside `encrypted_content`
    ("openai-chat", "gemini"),  # as `extra_content`, which Google's own chat endpoint has for it
}
"""Client and upstream between which the proof of a thought goes to the client and back to its maker; where it cannot,
none is sent."""

UPSTREAMS = pytest.mark.parametrize("upstream", PROTOCOLS)
BOTH = pytest.mark.parametrize("stream", [False, True], ids=["whole", "stream"])


def last() -> str:
    """What reached the model last, as text."""
    return json.dumps(scripted_model.Handler.asked[-1])


@UPSTREAMS
@BOTH
def test_words_and_counts_come_back(speaker: Speaker, spoken: str, upstream: str, stream: bool) -> None:
    said = speaker.ask(Ask(upstream, "hello", stream=stream))
    assert (said.text, said.calls, said.stop) == ("Hello there", (), ENDS[spoken][0])
    assert said.used == (USED, THOUGHT + GIVEN)
    if spoken != "gemini":  # whose chunks hold what one read gave
        assert said.pieces == (2 if stream else 1)


@UPSTREAMS
@BOTH
def test_thoughts_come_back(speaker: Speaker, spoken: str, upstream: str, stream: bool) -> None:
    said = speaker.ask(Ask(upstream, "think", stream=stream, think=True))
    shown = (
        spoken == upstream or spoken != "anthropic-messages"
    )  # it would send them back as if they were proven
    assert (said.thoughts, said.text) == ("I ponder" if shown else "", "Done.")


@UPSTREAMS
@BOTH
def test_parallel_calls_and_their_results_make_a_round(
    speaker: Speaker, spoken: str, upstream: str, stream: bool
) -> None:
    asked = Ask(upstream, "weather?", stream=stream, tools=True, think=True)
    said = speaker.ask(asked)
    assert [call[1:] for call in said.calls] == [("look", {"city": city}) for city in CITIES]
    assert len({call[0] for call in said.calls}) == len(CITIES)
    assert said.stop == ENDS[spoken][1]
    assert "Look at the weather." in last()
    history = (*speaker.user(asked), *said.turn, *speaker.results(said, "sun 7"))
    again = speaker.ask(asked._replace(words=None, history=history))
    assert (again.text, again.stop) == ("It is sunny.", ENDS[spoken][0])
    assert last().count("sun 7") == len(CITIES)
    assert [last().count(city) > 0 for city in CITIES] == [True, True]
    assert (PROOF in last()) is ((spoken, upstream) in PROVEN)


@UPSTREAMS
@BOTH
def test_a_picture_reaches_the_model(speaker: Speaker, spoken: str, upstream: str, stream: bool) -> None:
    said = speaker.ask(Ask(upstream, "what is it?", stream=stream, picture=True))
    assert said.text == "a red square"
    assert PICTURE in last()
    assert "image/png" in last()


@UPSTREAMS
@BOTH
def test_structured_output_comes_back(speaker: Speaker, spoken: str, upstream: str, stream: bool) -> None:
    said = speaker.ask(Ask(upstream, "json please", stream=stream, form=True))
    assert json.loads(said.text) == {"city": "Rome", "degrees": 21}
    assert "degrees" in last()


@UPSTREAMS
@BOTH
def test_errors_have_the_clients_own_shape(
    speaker: Speaker, spoken: str, upstream: str, stream: bool
) -> None:
    limited, broken = WORDS[spoken]
    for scene, status, words, after in (("limited", 429, limited, "7"), ("broken", 500, broken, None)):
        with pytest.raises(speaker.error) as raised:
            speaker.ask(Ask(upstream, scene, stream=stream))
        refused = speaker.refused(raised.value)
        assert (refused.status, refused.after) == (status, after)
        assert refused.word in words


@UPSTREAMS
def test_a_stream_that_is_cut_is_no_answer(speaker: Speaker, spoken: str, upstream: str) -> None:
    with pytest.raises(Exception) as raised:  # noqa: PT011 -- each client has its own
        speaker.ask(Ask(upstream, "cut", stream=True))
    assert not isinstance(raised.value, AssertionError)
