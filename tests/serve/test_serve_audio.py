"""The audio endpoints: the official client against backends of the application's own, and a provider behind."""

import asyncio
import io
import json
from collections.abc import AsyncIterator
from typing import Any

import openai
import pytest
from openai import AsyncOpenAI

import turnout
from tests.providers.upstream import upstream
from tests.serve.serve_call import call, serving
from turnout import App, Limits
from turnout.errors import Forbidden, InvalidRequest
from turnout.model import (
    Context,
    Speech,
    SpeechRequest,
    Transcript,
    TranscriptionRequest,
    TranscriptSegment,
    User,
)
from turnout.wire.audio import Form, encode_transcript

WAV = b"RIFF\x00\x01\xfe\xff--not a boundary\r\n" + bytes(range(256)) * 40
HEARD = Transcript(
    text="good morning",
    language="english",
    duration=1.5,
    segments=(
        TranscriptSegment(start=0.0, end=0.75, text=" good"),
        TranscriptSegment(start=0.75, end=1.5, text=" morning"),
    ),
)
SECRET = "the password is swordfish"


class Ear:
    """A transcriber that remembers what it was asked."""

    def __init__(self, answer: Any = HEARD) -> None:
        self.answer = answer
        self.asked: list[TranscriptionRequest] = []

    async def __call__(self, request: TranscriptionRequest, context: Context) -> Any:
        self.asked.append(request)
        if isinstance(self.answer, Exception):
            raise self.answer
        return self.answer


class Mouth(Ear):
    """A speaker that does."""

    asked: list[Any]


def client_of(port: int) -> AsyncOpenAI:
    return AsyncOpenAI(
        base_url=f"http://127.0.0.1:{port}/v1", api_key="k", max_retries=0, _strict_response_validation=True
    )


def form(
    *fields: tuple[str, str], file: bytes | None = WAV, boundary: str = "xyz"
) -> tuple[bytes, dict[str, str]]:
    """A multipart body by hand, and the headers that it is sent with."""
    parts = [
        f'--{boundary}\r\ncontent-disposition: form-data; name="{name}"\r\n\r\n{value}\r\n'.encode()
        for name, value in fields
    ]
    if file is not None:
        head = f'--{boundary}\r\ncontent-disposition: form-data; name="file"; filename="a.wav"\r\n\r\n'
        parts.append(head.encode() + file + b"\r\n")
    body = b"".join(parts) + f"--{boundary}--\r\n".encode()
    return body, {"content-type": f"multipart/form-data; boundary={boundary}"}


async def transcribe(app: Any, *fields: tuple[str, str], file: bytes | None = WAV) -> Any:
    body, headers = form(*fields, file=file)
    return await call(app, "/v1/audio/transcriptions", body, headers=headers)


async def speak(app: Any, **members: Any) -> Any:
    body = json.dumps({"model": "m", "input": "hello", "voice": "alloy"} | members).encode()
    headers = {"content-type": "application/json"}
    return await call(app, "/v1/audio/speech", body, headers=headers)


# ---- transcriptions -----------------------------------------------------------------------------------------------


@pytest.mark.states("L-019", "L-114", "L-116", "L-117", "L-121")
async def test_the_official_client_gets_a_transcript_in_each_format() -> None:
    ear = Ear()
    async with serving(App(transcriber=ear)) as port, client_of(port) as client:

        async def ask(**more: Any) -> Any:
            file = ("talk.wav", io.BytesIO(WAV), "audio/wav")
            return await client.audio.transcriptions.create(file=file, model="ears-1", **more)

        plain = await ask(language="en", prompt="names", temperature=0.25)
        verbose = await ask(response_format="verbose_json", timestamp_granularities=["segment"])
        text = await ask(response_format="text")
        subtitles = await ask(response_format="srt")
        captions = await ask(response_format="vtt")
    assert plain.text == "good morning"
    assert (verbose.language, verbose.duration) == ("english", 1.5)
    assert [(each.id, each.start, each.end, each.text) for each in verbose.segments] == [
        (0, 0.0, 0.75, " good"),
        (1, 0.75, 1.5, " morning"),
    ]
    assert text == "good morning\n"
    assert subtitles.startswith("1\n00:00:00,000 --> 00:00:00,750\ngood\n\n2\n00:00:00,750")
    assert captions.startswith("WEBVTT\n\n00:00:00.000 --> 00:00:00.750\ngood\n")
    first = ear.asked[0]
    assert (first.model, bytes(first.audio), first.filename, first.media_type) == (
        "ears-1",
        WAV,
        "talk.wav",
        "audio/wav",
    )
    assert (first.language, first.prompt, first.temperature) == ("en", "names", 0.25)


async def growing(request: TranscriptionRequest, context: Context) -> AsyncIterator[str]:
    for word in ("good", " morn", "ing"):
        yield word


@pytest.mark.parametrize(("backend", "pieces"), [(growing, 3), (Ear(), 1)], ids=["generator", "whole"])
async def test_a_streamed_transcript_is_pieces_and_then_all_of_it(backend: Any, pieces: int) -> None:
    async with serving(App(transcriber=backend)) as port, client_of(port) as client:
        stream = await client.audio.transcriptions.create(file=WAV, model="m", stream=True)
        events: list[Any] = [event async for event in stream]
        whole = await client.audio.transcriptions.create(file=WAV, model="m")
    assert [event.type for event in events] == ["transcript.text.delta"] * pieces + ["transcript.text.done"]
    assert "".join(event.delta for event in events[:-1]) == events[-1].text == "good morning" == whole.text


@pytest.mark.parametrize(
    ("fields", "file", "param"),
    [
        ((), WAV, "model"),
        ((("model", "m"),), None, "file"),
        ((("model", "m"),), b"", "file"),
        ((("model", "m"), ("model", "n")), WAV, "model"),
        ((("model", "m"), ("temperature", "1.5")), WAV, "temperature"),
        ((("model", "m"), ("temperature", "warm")), WAV, "temperature"),
        ((("model", "m"), ("response_format", "yaml")), WAV, "response_format"),
        ((("model", "m"), ("response_format", "diarized_json")), WAV, "response_format"),
        ((("model", "m"), ("stream", "perhaps")), WAV, "stream"),
        ((("model", "m"), ("include[]", "logprobs")), WAV, "include"),
        ((("model", "m"), ("timestamp_granularities[]", "word")), WAV, "timestamp_granularities"),
        ((("model", "m"), ("chunking_strategy", '{"type":"server_vad"}')), WAV, "chunking_strategy"),
        ((("model", "m"), ("known_speaker_names[]", "Ada")), WAV, "known_speaker_names"),
    ],
)
@pytest.mark.states("L-056", "L-151")
async def test_a_field_that_cannot_be_honoured_is_named_and_nobody_is_asked(
    fields: Any, file: Any, param: str
) -> None:
    ear = Ear()
    answer = await transcribe(App(transcriber=ear), *fields, file=file)
    assert answer.status == 400
    assert answer.json["error"]["param"] == param
    assert ear.asked == []


async def test_fields_that_nobody_knows_are_reported() -> None:
    answer = await transcribe(App(transcriber=Ear()), ("model", "m"), ("mood", "calm"))
    assert (answer.status, answer.headers["x-turnout-dropped"]) == (200, "mood")


@pytest.mark.parametrize(
    "body",
    [b"", b"not a form", form(("model", "m"))[0][:-8], b"--xyz\r\n\r\nnameless\r\n--xyz--\r\n"],
    ids=["empty", "prose", "cut", "nameless"],
)
async def test_what_is_no_whole_form_is_refused(body: bytes) -> None:
    ear = Ear()
    headers = {"content-type": "multipart/form-data; boundary=xyz"}
    answer = await call(App(transcriber=ear), "/v1/audio/transcriptions", body, headers=headers)
    assert (answer.status, ear.asked) == (400, [])


@pytest.mark.states("L-143")
@pytest.mark.parametrize(
    "body",
    [
        b"hunter2",
        b"--hunter2\r\n",
        b"--xyzhunter2",
        b"--xyz\r\nhunter2\x01: a\r\n\r\n",
        b"--xyz\r\nname: a\rhunter2",
        b"--xyz\r\nname: a\r\n\rhunter2",
        b"--xyz--\r\nhunter2 behind the end",
    ],
)
async def test_no_byte_of_a_malformed_form_is_logged(body: bytes, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(0)
    caplog.set_level(0, "python_multipart.multipart")
    headers = {"content-type": "multipart/form-data; boundary=xyz"}
    answer = await call(App(transcriber=Ear()), "/v1/audio/transcriptions", body, headers=headers)
    assert answer.status == 400
    assert not [each for each in caplog.records if each.name.startswith(("python_multipart", "turnout"))]


def test_a_form_has_bounds_and_one_file_and_its_fields_are_text() -> None:
    def read(body: bytes) -> Form:
        read = Form("multipart/form-data; boundary=xyz")
        for at in range(0, len(body), 7):
            read.feed(body[at : at + 7])
        read.close()
        return read

    def part(name: str, value: bytes) -> bytes:
        return f'--xyz\r\ncontent-disposition: form-data; name="{name}"\r\n\r\n'.encode() + value + b"\r\n"

    end = b"--xyz--\r\n"
    assert read(part("a", "ü".encode()) + part("a[]", b"b") + end).fields == {"a": ["ü", "b"]}
    for body, message in (
        (part("a", b"") * 101 + end, "more than 100 parts"),
        (part("file", b"x") * 2 + end, "twice"),
        (part("a", b"x" * 1_048_577) + end, "too long"),
        (part("a", b"\xff") + end, "UTF-8"),
    ):
        with pytest.raises(InvalidRequest, match=message):
            read(body)


def test_a_transcript_without_its_length_lasts_as_long_as_its_segments() -> None:
    unmeasured = Transcript(text="good morning", segments=HEARD.segments)
    assert json.loads(encode_transcript(unmeasured, "verbose_json")[1])["duration"] == 1.5
    assert encode_transcript(Transcript(text="hm"), "srt")[1] == b"1\n00:00:00,000 --> 00:00:00,000\nhm\n\n"


@pytest.mark.parametrize("forwards", [False, True], ids=["own", "provider"])
async def test_a_compressed_form_is_refused_by_its_header(forwards: bool) -> None:
    ear = Ear()
    backend: Any = turnout.provider("openai-chat", base_url="http://127.0.0.1:9/v1") if forwards else ear
    body, headers = form(("model", "m"))
    async with App(transcriber=backend) as app:
        given = {**headers, "content-encoding": "gzip"}
        answer = await call(app, "/v1/audio/transcriptions", body, headers=given)
    assert (answer.status, answer.json["error"]["param"], ear.asked) == (415, "content-encoding", [])


@pytest.mark.parametrize("boundary", ["x" * 300, "", '"a b'], ids=["long", "none", "open"])
async def test_a_boundary_that_no_form_may_have_is_the_clients_fault(boundary: str) -> None:
    headers = {"content-type": f"multipart/form-data; boundary={boundary}"}
    answer = await call(App(transcriber=Ear()), "/v1/audio/transcriptions", b"--x--", headers=headers)
    assert 400 <= answer.status < 500


async def test_a_form_is_asked_for_by_its_media_type() -> None:
    headers = {"content-type": "application/json"}
    answer = await call(App(transcriber=Ear()), "/v1/audio/transcriptions", b"{}", headers=headers)
    assert answer.status == 415


@pytest.mark.states("L-115", "L-137")
async def test_a_form_over_the_limit_is_refused_with_and_without_its_length() -> None:
    ear = Ear()
    app = App(transcriber=ear, limits=Limits(multipart_bytes=5_000))
    body, headers = form(("model", "m"))
    for said in (headers, {**headers, "content-length": str(len(body))}):
        answer = await call(app, "/v1/audio/transcriptions", body, headers=said)
        assert answer.status == 413
    assert ear.asked == []
    small = await transcribe(app, ("model", "m"), file=b"x" * 4_000)
    assert small.status == 200


# ---- speech -------------------------------------------------------------------------------------------------------


async def tune(request: SpeechRequest, context: Context) -> AsyncIterator[bytes]:
    for piece in (b"la", b"\x00\xff", b"lu"):
        yield piece


@pytest.mark.states("L-020", "L-118", "L-119")
@pytest.mark.parametrize(
    "backend",
    [tune, Mouth(b"la\x00\xfflu"), Mouth(Speech(audio=b"la\x00\xfflu"))],
    ids=["pieces", "bytes", "speech"],
)
async def test_the_official_client_hears_what_the_speaker_says(backend: Any) -> None:
    async with serving(App(speaker=backend)) as port, client_of(port) as client:
        heard = await client.audio.speech.create(
            model="m", input="hello", voice="alloy", response_format="wav", speed=2, instructions="softly"
        )
        kind = heard.response.headers["content-type"]
        async with client.audio.speech.with_streaming_response.create(
            model="m", input="hello", voice={"id": "voice_1"}
        ) as streamed:
            pieces = b"".join([piece async for piece in streamed.iter_bytes()])
    assert (heard.content, kind, pieces) == (b"la\x00\xfflu", "audio/wav", b"la\x00\xfflu")
    if isinstance(backend, Mouth):
        first, second = backend.asked[-2:]
        assert (first.voice, first.speed, first.instructions) == ("alloy", 2.0, "softly")
        assert (second.voice, second.response_format) == ("voice_1", "mp3")


async def test_speech_in_events_is_base64_and_ends_once() -> None:
    answer = await speak(App(speaker=tune), stream_format="sse")
    events = [json.loads(line[6:]) for line in answer.body.decode().split("\n\n") if line]
    assert answer.headers["content-type"].startswith("text/event-stream")
    assert [event["type"] for event in events] == ["speech.audio.delta"] * 3 + ["speech.audio.done"]
    assert events[0]["audio"] == "bGE="


@pytest.mark.parametrize(
    ("members", "param"),
    [
        ({"model": None}, "model"),
        ({"input": ""}, "input"),
        ({"input": 3}, "input"),
        ({"voice": None}, "voice"),
        ({"voice": {"id": 3}}, "voice.id"),
        ({"voice": ""}, "voice"),
        ({"response_format": "midi"}, "response_format"),
        ({"speed": 9}, "speed"),
        ({"stream_format": "video"}, "stream_format"),
    ],
)
async def test_a_member_of_speech_that_is_wrong_is_named(members: Any, param: str) -> None:
    mouth = Mouth(b"x")
    answer = await speak(App(speaker=mouth), **members)
    assert (answer.status, answer.json["error"]["param"], mouth.asked) == (400, param, [])


@pytest.mark.states("L-120")
@pytest.mark.parametrize("backend", [tune, Mouth(b"x" * 9)], ids=["pieces", "whole"])
async def test_speech_over_the_limit_never_looks_whole(backend: Any) -> None:
    answer = await speak(App(speaker=backend, limits=Limits(output_bytes=3)))
    if backend is tune:
        assert (answer.body, answer.finished) == (b"la", False)
    else:
        assert answer.status == 500
        assert b"x" * 4 not in answer.body


# ---- failures and both --------------------------------------------------------------------------------------------


@pytest.mark.states("L-122", "L-143", "L-144", "L-150")
@pytest.mark.parametrize("ask", [lambda app: transcribe(app, ("model", "m")), speak], ids=["ear", "mouth"])
async def test_a_backend_that_fails_is_told_of_without_its_cause(ask: Any) -> None:
    told: list[BaseException] = []
    backend = Ear(RuntimeError(SECRET))
    app = App(transcriber=backend, speaker=backend, on_error=lambda error, about: told.append(error))
    answer = await ask(app)
    assert answer.status == 500
    assert SECRET not in answer.body.decode()
    assert [str(error.__cause__) for error in told] == [SECRET]


@pytest.mark.parametrize("ask", [lambda app: transcribe(app, ("model", "m")), speak], ids=["ear", "mouth"])
async def test_a_backend_may_refuse_in_its_own_words(ask: Any) -> None:
    backend = Ear(Forbidden("not for you"))
    answer = await ask(App(transcriber=backend, speaker=backend))
    assert (answer.status, answer.json["error"]["message"]) == (403, "not for you")


async def breaking(request: Any, context: Context) -> AsyncIterator[bytes]:
    yield b"la"
    raise RuntimeError(SECRET)


async def test_speech_that_breaks_is_cut_or_ends_in_the_error_event() -> None:
    told: list[BaseException] = []
    app = App(speaker=breaking, on_error=lambda error, about: told.append(error))
    cut = await speak(app)
    events = await speak(app, stream_format="sse")
    assert (cut.body, cut.finished) == (b"la", False)
    assert b"speech.audio.done" not in events.body
    assert b'"error"' in events.body
    assert SECRET.encode() not in cut.body + events.body
    assert len(told) == 2


@pytest.mark.states("L-027")
@pytest.mark.parametrize("path", ["/v1/audio/speech", "/v1/audio/transcriptions"])
async def test_an_endpoint_without_a_backend_is_an_unknown_path(path: str) -> None:
    answer = await call(App(), path, b"{}")
    assert answer.status == 404
    other = App(speaker=tune) if path.endswith("transcriptions") else App(transcriber=growing)
    assert (await call(other, path, b"{}")).status == 404


@pytest.mark.states("L-006")
async def test_backends_see_the_requests_scope() -> None:
    seen: list[Any] = []

    def mouth(request: SpeechRequest, context: Context) -> bytes:
        seen.append((context.scope or {})["state"]["user"])
        return b"x"

    app = App(speaker=mouth)
    body = b'{"model":"m","input":"i","voice":"v"}'
    headers = {"content-type": "application/json"}
    await call(app, "/audio/speech", body, headers=headers, state={"user": User(id="ada")})
    assert seen == [User(id="ada")]


async def test_a_client_that_leaves_ends_the_speech() -> None:
    begun, ended = asyncio.Event(), asyncio.Event()

    async def endless(request: SpeechRequest, context: Context) -> AsyncIterator[bytes]:
        try:
            while True:
                begun.set()
                yield b"la"
                await asyncio.sleep(0.01)
        finally:
            ended.set()

    async with serving(App(speaker=endless)) as port:
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        body = b'{"model":"m","input":"i","voice":"v"}'
        head = "POST /v1/audio/speech HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\n"
        head += f"content-length: {len(body)}\r\n\r\n"
        writer.write(head.encode() + body)
        await begun.wait()
        await reader.read(100)
        writer.transport.abort()
        await asyncio.wait_for(ended.wait(), 5)


# ---- a provider behind --------------------------------------------------------------------------------------------


async def test_a_provider_gets_the_form_as_it_came_and_its_answer_goes_back_as_it_is() -> None:
    async def script(asked: Any, wire: Any) -> None:
        await wire.whole(
            200, b'{"text":"heard",  "own": 1}', {"content-type": "application/json", "x-kept": "y"}
        )

    async with upstream(script) as server:
        provider = turnout.provider(
            "openai-chat", base_url=f"http://127.0.0.1:{server.port}/v1", api_key="sk-own"
        )
        async with App(transcriber=provider) as app:
            body, headers = form(("model", "whisper"), ("anything", "goes"))
            answer = await call(app, "/v1/audio/transcriptions", body, headers=headers)
        sent = server.last
    assert (answer.status, answer.body, answer.headers["x-kept"]) == (
        200,
        b'{"text":"heard",  "own": 1}',
        "y",
    )
    assert (sent.target, sent.body) == ("/v1/audio/transcriptions", body)
    assert sent.headers["content-type"] == "multipart/form-data; boundary=xyz"
    assert sent.headers["authorization"] == "Bearer sk-own"


@pytest.mark.parametrize(
    "audio", [b"<pcm that looks like a page", b"\x00\x01" * 50_000], ids=["bracket", "long"]
)
async def test_a_providers_speech_crosses_byte_for_byte(audio: bytes) -> None:
    async def script(asked: Any, wire: Any) -> None:
        await wire.whole(200, audio, {"content-type": "audio/pcm"})

    async with upstream(script) as server:
        provider = turnout.provider("openai-chat", base_url=f"http://127.0.0.1:{server.port}/v1", api_key="k")
        async with App(speaker=provider) as app:
            answer = await speak(app, response_format="pcm", new_member=True)
    assert (answer.status, answer.headers["content-type"], answer.body) == (200, "audio/pcm", audio)


async def test_a_providers_refusal_of_audio_reaches_the_client() -> None:
    async def script(asked: Any, wire: Any) -> None:
        error = {
            "error": {
                "message": "no such voice",
                "type": "invalid_request_error",
                "param": "voice",
                "code": None,
            }
        }
        await wire.whole(400, json.dumps(error).encode(), {"content-type": "application/json"})

    async with upstream(script) as server:
        provider = turnout.provider("openai-chat", base_url=f"http://127.0.0.1:{server.port}/v1", api_key="k")
        async with App(speaker=provider) as app, serving(app) as port, client_of(port) as client:
            with pytest.raises(openai.BadRequestError) as caught:
                await client.audio.speech.create(model="m", input="i", voice="nobody")
    assert (caught.value.param, caught.value.body["message"]) == ("voice", "no such voice")  # type: ignore[index]
