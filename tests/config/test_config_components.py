"""What `[actions]` names is built from the models of the same file, or refused with its place."""

import tomllib
from pathlib import Path

import pytest

from turnout import llm
from turnout.config import Config, ConfigError, build, parse
from turnout.config.components import Components
from turnout.config.tables import beside

MODELS = """
[providers.up]
protocol = "openai-chat"
base_url = "http://127.0.0.1:9/v1"
[providers.theirs]
protocol = "openai-chat"
base_url = "http://127.0.0.1:9/v1"
api_key = "client"
[models.small]
provider = "up"
model = "tiny"
[models.plain]
provider = "up"
[models.callers]
provider = "theirs"
[models."*"]
provider = "up"
"""


def config(actions: str) -> Config:
    return parse(tomllib.loads(f"{MODELS}[actions]\n{actions}"), "t.toml")


def components(actions: str) -> Components:
    return Components(config(actions), {"up": lambda request: "x", "theirs": lambda request: "x"}, ())


def test_rules_and_templates_are_what_an_application_has_anyway() -> None:
    assert components("").classifier() is None
    assert components("").synthesizer() is None


def test_models_choose_fill_in_and_word() -> None:
    made = components(
        'classifier = ["rules", "llm"]\nselect = "small"\nextract = "plain"\nsynthesize = "small"'
    )
    first, second = made.classifier()
    assert first == "rules"
    assert isinstance(second, llm.Classifier)
    assert isinstance(made.synthesizer(), llm.Synthesizer)
    assert isinstance(
        components('classifier = "llm"\nselect = "small"\nextract = "small"').classifier(), llm.Classifier
    )


def test_a_component_of_the_applications_own_is_imported() -> None:
    made = components('classifier = "turnout.llm:Classifier"\nsynthesize = "turnout.llm:Synthesizer"')
    assert made.classifier() is llm.Classifier
    assert made.synthesizer() is llm.Synthesizer


def test_an_application_is_built_with_them() -> None:
    app = build(config('classifier = "llm"\nselect = "small"\nextract = "small"\nsynthesize = "plain"'))
    assert set(app.model_names) == {"small", "plain", "callers", "*"}


@pytest.mark.parametrize(
    ("actions", "message"),
    [
        (
            'classifier = "llm"',
            "t.toml: actions.select: expected an exact name of [models], one of callers, plain, small",
        ),
        (
            'classifier = "llm"\nselect = "small"\nextract = "*"',
            "t.toml: actions.extract: expected an exact name",
        ),
        (
            'classifier = "llm"\nselect = "callers"',
            "t.toml: actions.select: the provider of 'callers' has only its",
        ),
        ('select = "small"', 't.toml: actions.select: needs classifier = "llm"'),
        ('classifier = ["rules", "llm.x"]', "t.toml: actions.classifier: "),
        ('classifier = ["rules"]\nextract = "small"', 't.toml: actions.extract: needs classifier = "llm"'),
        ('synthesize = "nobody"', "t.toml: actions.synthesize: expected an exact name of [models]"),
        ('structured = "xml"', "t.toml: actions.structured: invalid enum value"),
    ],
)
def test_what_cannot_be_used_is_named_with_its_place(actions: str, message: str) -> None:
    with pytest.raises(ConfigError) as caught:
        build(config(actions))
    assert caught.value.message.startswith(message)


def test_the_local_tier_is_asked_for_by_name_alone_or_after_others() -> None:
    assert components('classifier = "local"').classifier() == "local"
    assert components('classifier = ["rules", "local"]\nexamples = "more.jsonl"').classifier() == (
        "rules",
        "local",
    )


def test_files_are_beside_the_configuration() -> None:
    text = (
        f'{MODELS}[actions]\nclassifier = "local"\nexamples = "more.jsonl"\ncalibration = "/etc/bars.json"\n'
        'shadow = "seen/shadow.jsonl"'
    )
    config = parse(tomllib.loads(text), "conf/t.toml")
    assert beside(config, config.actions.examples) == Path("conf/more.jsonl")
    assert beside(config, config.actions.calibration) == Path("/etc/bars.json")
    assert beside(config, config.actions.shadow) == Path("conf/seen/shadow.jsonl")
    assert beside(config, None) is None


@pytest.mark.parametrize("key", ["examples", "calibration"])
def test_files_of_the_local_tier_need_it(key: str) -> None:
    with pytest.raises(ConfigError, match=rf't\.toml: actions\.{key}: needs classifier = "local"'):
        components(f'{key} = "x.jsonl"').classifier()


def test_a_shadow_goes_with_any_classifier() -> None:
    assert build(config('shadow = "shadow.jsonl"')).action_ids == ()


AUDIO = """
[providers.main]
protocol = "openai-chat"
base_url = "http://127.0.0.1:1/v1"
[providers.other]
protocol = "anthropic-messages"
base_url = "http://127.0.0.1:1"
[audio]
"""


async def test_audio_is_a_providers_or_the_applications_own() -> None:
    read = parse(tomllib.loads(AUDIO + 'transcribe = "main"\nspeak = "json:dumps"'), "t.toml")
    async with build(read) as app:
        assert [provider.name for provider in app.providers] == ["main"]


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ('speak = "nobody"', "t.toml: audio.speak: no provider 'nobody'; expected one of main, other"),
        ('speak = "other"', "t.toml: audio.speak: provider 'other' speaks anthropic-messages"),
        ('transcribe = "json:nothing"', "t.toml: audio.transcribe: "),
    ],
)
def test_audio_that_leads_nowhere_is_named_with_its_place(line: str, message: str) -> None:
    with pytest.raises(ConfigError) as caught:
        build(parse(tomllib.loads(AUDIO + line), "t.toml"))
    assert str(caught.value).startswith(message)
