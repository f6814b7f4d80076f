"""What a text does with the actions that it mentions: it asks for them, or it only speaks about them."""

from collections.abc import Iterable, Mapping


def forms(text: str) -> frozenset[str]:
    """The forms of speech in a text that speak against acting on it, by name; none for a plain request."""
    raise NotImplementedError(text)


class Gate:
    """Which forms are normal for which action."""

    @classmethod
    def learn(cls, examples: Mapping[str, Iterable[str]]) -> "Gate":
        """A gate that lets through, for each action id, the forms which its own examples show."""
        raise NotImplementedError(examples)

    def refuses(self, action_id: str, text: str) -> str | None:
        """The reason why a text doesn't ask for this action, `None` when nothing speaks against it."""
        raise NotImplementedError(action_id, text)
