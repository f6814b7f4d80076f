"""Labelled requests in files: examples to learn from, rows to calibrate and to evaluate on.

A file holds one row per line as JSON (`.jsonl`), or a list of rows as YAML (`.yaml`, `.yml`; needs PyYAML, the extra
`yaml`). A row is `{"text": ..., "actions": [...]}`: the ids of the actions that the text asks for, or
`{"id": ..., "parameters": {...}}` where it is known what they are; no action means that the request is for the model.
`"messages"` may hold the whole conversation, which ends with the text. Other members are the file's own business.
"""

from collections.abc import Iterable
from pathlib import Path
from typing import Any, Literal

import msgspec

from turnout.model import Message, Text, V
from turnout.model.errors import Misconfigured

from .scores import Labelled


class Asked(V, frozen=True, kw_only=True):
    """An action that a text asks for; `parameters` is `None` where the row does not say."""

    id: str
    parameters: dict[str, Any] | None = None


class Said(V, frozen=True, kw_only=True):
    """One turn of a conversation."""

    role: Literal["system", "developer", "user", "assistant"]
    content: str


class Case(V, frozen=True, kw_only=True):
    """One row: what the user said, perhaps after a conversation, and what it asks for."""

    text: str = ""
    actions: tuple[str | Asked, ...] | None = ()
    messages: tuple[Said, ...] = ()

    def __post_init__(self) -> None:
        if not self.said.strip():
            raise ValueError("a row needs a text")

    @property
    def said(self) -> str:
        """The user's last words."""
        return self.text or next(
            (each.content for each in reversed(self.messages) if each.role == "user"), ""
        )

    @property
    def asked(self) -> tuple[Asked, ...]:
        """The actions, each with what is known of its parameters."""
        return tuple(each if isinstance(each, Asked) else Asked(id=each) for each in self.actions or ())

    @property
    def labelled(self) -> Labelled:
        """The text with the actions' ids, and with the parameters of a lone one, as far as they are text."""
        alone = self.asked[0].parameters if len(self.asked) == 1 else None
        said = {name: value for name, value in (alone or {}).items() if isinstance(value, str)}
        return Labelled(text=self.said, actions=tuple(each.id for each in self.asked), parameters=said)

    @property
    def conversation(self) -> tuple[Message, ...]:
        """The messages as a request holds them."""
        said = self.messages or (Said(role="user", content=self.said),)
        return tuple(Message(role=each.role, parts=(Text(text=each.content),)) for each in said)


def read_cases(path: str | Path, known: Iterable[str] | None = None) -> tuple[Case, ...]:
    """The rows of a file; with `known`, every action that they name must be one of these ids.

    Raises:
        Misconfigured: the file cannot be read, or a row is not as described; names the file and the place.
    """
    file = Path(path)
    try:
        data = file.read_bytes()
    except OSError as error:
        raise Misconfigured(f"{path}: cannot be read: {error.strerror}") from error
    found = _yaml(data, path) if file.suffix in {".yaml", ".yml"} else _lines(data, path)
    if known is not None:
        ids = frozenset(known)
        for place, case in found:
            for each in case.asked:
                if each.id not in ids:
                    raise Misconfigured(f"{place}: there is no action {each.id!r}")
    return tuple(case for _, case in found)


def _lines(data: bytes, path: str | Path) -> list[tuple[str, Case]]:
    decoder = msgspec.json.Decoder(Case)
    found: list[tuple[str, Case]] = []
    for number, line in enumerate(data.splitlines(), 1):
        if line.strip():
            place = f"{path}:{number}"
            try:
                found.append((place, decoder.decode(line)))
            except (msgspec.DecodeError, ValueError) as error:
                raise Misconfigured(f"{place}: {error}") from error
    return found


def _yaml(data: bytes, path: str | Path) -> list[tuple[str, Case]]:
    try:
        rows = msgspec.yaml.decode(data, type=list[Case])
    except ImportError as error:
        raise Misconfigured(f"{path}: YAML needs PyYAML: install turnout[yaml]") from error
    except (msgspec.DecodeError, ValueError) as error:
        raise Misconfigured(f"{path}: {' '.join(str(error).split())}") from error
    return [(f"{path}: row {number}", row) for number, row in enumerate(rows, 1)]
