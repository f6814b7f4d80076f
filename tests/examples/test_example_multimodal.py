"""The example of agents that take and give media, asked by the official clients."""

import base64
import io
import wave
from typing import Any

import openai
import pytest
from openai import OpenAI

from tests.examples.test_examples import load, served

PNG = b"\x89PNG\r\n\x1a\n"


def client(base: str, **headers: str) -> OpenAI:
    return OpenAI(
        base_url=f"{base}/v1",
        api_key="x",
        max_retries=0,
        default_headers=headers,
        _strict_response_validation=True,
    )


@pytest.mark.states("L-292", "L-087", "L-127", "L-128")
def test_the_multimodal_example_takes_media_and_handles_of_its_owner_only() -> None:
    module = load("multimodal")
    picture = base64.b64encode(module.png(2, 2, (0, 0, 0))).decode()
    sound = base64.b64encode(module.wav(440, 0.01)).decode()
    said: Any = [
        {"type": "text", "text": "what is this?"},
        {"type": "image_url", "image_url": {"url": f"data:image/png;base64,{picture}"}},
        {"type": "image_url", "image_url": {"url": "https://pictures.invalid/cat.png"}},
        {"type": "input_audio", "input_audio": {"data": sound, "format": "wav"}},
        {"type": "file", "file": {"file_id": "contract"}},
    ]
    with served(module.app) as base, client(base, **{"x-user": "ada"}) as ada, client(base) as nobody:
        made = ada.chat.completions.create(model="describe", messages=[{"role": "user", "content": said}])
        text = made.choices[0].message.content or ""
        assert text.startswith("I see 1 audio, 1 document, 2 image; ")
        assert "document: 8 bytes" in text
        assert "image: at https://pictures.invalid/cat.png" in text
        with pytest.raises(openai.NotFoundError, match="no such file"):
            nobody.chat.completions.create(model="describe", messages=[{"role": "user", "content": said}])


@pytest.mark.states("L-292", "L-088", "L-050")
def test_the_multimodal_example_gives_sound_and_images_to_who_can_take_them() -> None:
    module = load("multimodal")
    ask: Any = {"model": "tone", "messages": [{"role": "user", "content": "hum"}]}
    with served(module.app) as base, client(base) as made:
        assert made.chat.completions.create(**ask).choices[0].message.content == "hmm"
        spoken = made.chat.completions.create(
            **ask, modalities=["text", "audio"], audio={"voice": "alloy", "format": "wav"}
        )
        audio = spoken.choices[0].message.audio
        assert audio is not None
        assert audio.transcript == "hmm"
        with wave.open(io.BytesIO(base64.b64decode(audio.data))) as sound:
            assert sound.getnframes() == 1_600
        told = made.responses.create(model="paint", input="blue")
        assert "image_generation" in told.output_text
        painted = made.responses.create(model="paint", input="blue", tools=[{"type": "image_generation"}])
        (item,) = painted.output
        assert item.type == "image_generation_call"
        assert base64.b64decode(item.result or "").startswith(PNG)
