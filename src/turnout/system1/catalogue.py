"""What a classifier learns from: the texts that ask for each action, and those that ask for none."""

import re
from collections.abc import Mapping, Sequence
from hashlib import blake2b
from typing import Final, NamedTuple

from turnout.model import ActionDescriptor, Descriptors

from .clauses import lowered
from .payload import without_payload
from .scores import Labelled

NONE: Final = -1
"""The label of a text that asks for no action."""

_WORDS: Final = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])|\d+")


class Catalogue(NamedTuple):
    """The actions by their ids, and rows of (text, place of the action in `ids` or `NONE`); `taught` says how many
    examples each action has, its name and description not counted, `shown` names the values that examples show."""

    ids: tuple[str, ...]
    texts: tuple[str, ...]
    labels: tuple[int, ...]
    taught: tuple[int, ...]
    shown: tuple[str, ...] = ()

    @property
    def fingerprint(self) -> str:
        """A digest of all of it."""
        digest = blake2b(digest_size=16)
        for part in (*self.ids, *self.texts, *map(str, self.labels), *self.shown):
            digest.update(len(part).to_bytes(8) + part.encode("utf-8", "surrogatepass"))
        return digest.hexdigest()


def compile_catalogue(
    descriptors: Descriptors,
    examples: Sequence[Labelled] = (),
    negatives: Mapping[str, Sequence[str]] | None = None,
    reasoning: Sequence[str] = (),
) -> Catalogue:
    """The rows of a catalogue: names and descriptions count as examples, and what is not meant as a class of its own.

    An example that asks for several actions teaches none of them; compounds are read clause by clause. One that hands
    on words ("tell Ann \"I am late\"") is known without them too.
    """
    ids = tuple(each.id for each in descriptors)
    place = {action: at for at, action in enumerate(ids)}
    taught = [0] * len(ids)
    rows: dict[str, int] = {}
    for row in (*_own(descriptors), *examples):
        if len(row.actions) == 1 and row.actions[0] in place and row.text not in rows:
            at = place[row.actions[0]]
            rows[row.text] = at
            taught[at] += 1
    for text, at in tuple(rows.items()):
        frame = without_payload(text, lowered(text))
        if frame is not None:
            rows.setdefault(frame, at)
    for each in descriptors:
        for text in (spoken(each), each.description):
            if text.strip():
                rows.setdefault(text, place[each.id])
    for text in (*reasoning, *(text for texts in (negatives or {}).values() for text in texts)):
        rows.setdefault(text, NONE)
    shown = tuple(f"{row.text}: {sorted(row.parameters.items())}" for row in examples if row.parameters)
    return Catalogue(ids, tuple(rows), tuple(rows.values()), tuple(taught), shown)


def _own(descriptors: Descriptors) -> Sequence[Labelled]:
    return [Labelled(text=text, actions=(each.id,)) for each in descriptors for text in each.examples]


def spoken(descriptor: ActionDescriptor) -> str:
    """The name of an action as a person would say it: `create_invoice` is "create invoice"."""
    return " ".join(_WORDS.findall(descriptor.name or descriptor.id)).lower()
