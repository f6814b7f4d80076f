"""Values as they are shown to somebody who decides on them: nothing in them can hide or pretend to be something else.

A value comes from a conversation, and with it whatever somebody wrote or pasted there. With a line break it could
write a line of the question of its own; with a mark of direction it could be shown backwards.
"""

import unicodedata
from typing import Any, Final, cast

_JOINERS: Final = "\u200c\u200d"  # they shape letters and emoji, in every text of some languages
_BREAK: Final = " \u23ce "


def visible(value: Any) -> Any:
    """A JSON value whose texts stand on one line each, with signs that cannot be seen spelled out."""
    if isinstance(value, str):
        return _text(value)
    if isinstance(value, dict):
        members = cast("dict[Any, Any]", value).items()
        return {visible(name): visible(member) for name, member in members}
    if isinstance(value, list | tuple):
        return [visible(item) for item in cast("list[Any]", value)]
    return value


def _text(text: str) -> str:
    if text.isprintable():
        return text
    return "".join(map(_sign, text.replace("\r\n", "\n")))


def _sign(sign: str) -> str:
    if sign.isprintable() or sign in _JOINERS:
        return sign
    if sign == "\n":
        return _BREAK
    return " " if unicodedata.category(sign) == "Zs" or sign == "\t" else f"\\u{ord(sign):04x}"
