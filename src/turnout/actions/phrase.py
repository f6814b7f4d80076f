"""JSON values as people read them; figures exactly as they are."""

from typing import Any, cast


def words(name: str) -> str:
    """A name in words: `due_date` is `due date`."""
    return " ".join(name.replace("_", " ").replace("-", " ").split())


def sentence(text: str) -> str:
    """`text` with a capital and a full stop."""
    text = text.strip()
    if not text:
        return ""
    return text[:1].upper() + text[1:] + ("" if text[-1] in ".!?:" else ".")


def phrase(value: Any) -> str:
    """A value on one line: `true` is `yes`, a list is joined, an object gives its members."""
    if value is None:
        return "none"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, dict):
        members = cast("dict[str, Any]", value)
        return ", ".join(f"{words(name)}: {_nested(member)}" for name, member in members.items()) or "none"
    if isinstance(value, list):
        return ", ".join(_nested(member) for member in cast("list[Any]", value)) or "none"
    return str(value)


def lines(value: Any) -> list[str]:
    """A value as lines of a list: one for each member of an object or a list."""
    if isinstance(value, dict):
        members = cast("dict[str, Any]", value)
        return [f"- {words(name).capitalize()}: {phrase(member)}" for name, member in members.items()]
    return [f"- {phrase(member)}" for member in value]


def _nested(value: Any) -> str:
    return f"({phrase(value)})" if isinstance(value, dict | list) and value else phrase(value)
