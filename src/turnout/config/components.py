"""What `[actions]` names: how requests are classified and how results are worded."""

from collections.abc import Mapping
from typing import Any, NamedTuple

from turnout.actions import Actions, TemplateSynthesizer, marked

from .modules import imported
from .tables import Config, ConfigError, quoted


class _Small(NamedTuple):
    """A model for one step: who is asked, and under which name."""

    provider: Any
    model: str


class Components:
    """Makes the components of one configuration; `providers` are those of its tables by name.

    The steps ask a provider itself, not the control plane in front of it, which would classify their own requests.
    """

    def __init__(self, config: Config, providers: Mapping[str, Any], sources: tuple[Any, ...]) -> None:
        self._config = config
        self._table = config.actions
        self._providers = providers
        self._sources = sources
        self._place = f"{config.path}: actions"

    def classifier(self) -> Any:
        """The classifier, or several to be asked in order; `None` for the rules, which an application has anyway.

        Raises:
            ConfigError: a name leads nowhere, or a model cannot be used for a step.
        """
        named = self._table.classifier
        names = (named,) if isinstance(named, str) else named
        if "llm" not in names:
            self._unused("llm", "select", "extract")
        if "local" not in names:
            self._unused("local", "examples", "calibration")
        if named == "rules":
            return None
        found = tuple(self._classifier(name) for name in names)
        return found[0] if isinstance(named, str) else found

    def _unused(self, wanted: str, *keys: str) -> None:
        for key in keys:
            if getattr(self._table, key) is not None:
                raise ConfigError(f'{self._place}.{key}: needs classifier = "{wanted}"')

    def _classifier(self, name: str) -> Any:
        if name in {"rules", "local"}:
            return name
        if name != "llm":
            return imported(name, f"{self._place}.classifier")
        from turnout.llm import Classifier, Extractor, Selector

        select, extract = self._small("select"), self._small("extract")
        structured = self._table.structured
        return Classifier.of(
            Selector(select.provider, model=select.model, structured=structured),
            Extractor(extract.provider, model=extract.model, structured=structured),
        )

    def synthesizer(self) -> Any:
        """The synthesizer; `None` for the actions' templates, which an application has anyway.

        Raises:
            ConfigError: a name leads nowhere, or a model cannot be used for a step.
        """
        named = self._table.synthesize
        if named == "template":
            return None
        if ":" in named and named not in self._config.models:
            return imported(named, f"{self._place}.synthesize")
        from turnout.llm import Synthesizer

        small = self._small("synthesize")
        sources = [source for source in self._sources if marked(source)]
        templates = Actions(*sources).templates() if sources else {}
        return Synthesizer(small.provider, model=small.model, fallback=TemplateSynthesizer(templates))

    def _small(self, key: str) -> _Small:
        """The model that a step is given, under the name that its provider knows."""
        place = f"{self._place}.{key}"
        name: str | None = getattr(self._table, key)
        exact = (
            ", ".join(sorted(quoted(each) for each in self._config.models if "*" not in each))
            or "none is there"
        )
        if name is None or name not in self._config.models or "*" in name:
            raise ConfigError(f"{place}: expected an exact name of [models], one of {exact}")
        entry = self._config.models[name]
        if self._config.providers[entry.provider].api_key == "client":
            raise ConfigError(
                f"{place}: the provider of {name!r} has only its callers' keys, and this is our own call"
            )
        return _Small(self._providers[entry.provider], entry.model or name)
