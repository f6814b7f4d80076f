"""What every object of the typed view is made of: named members over JSON that is kept as it came.

Strategy: an object is split into its members once. Those that its class names become fields; the others stay text in
`extra` and are written back. What fields cannot tell (an explicit null, an empty list, the spelling of a number, an
unusual order) is remembered in `form`, and only then, so that a value that was read mostly equals the same value made
by hand. Writing goes member by member: what was read is written with the members and values that it came with.
"""

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, ClassVar, NamedTuple, Self

import msgspec

from turnout.model import Json, V
from turnout.model.errors import BrokenStream, InvalidRequest, TurnoutError
from turnout.wire.json import mend

Raw = msgspec.Raw

_NULL = Raw(b"null")
_split: Callable[[Raw], dict[str, Raw]] = msgspec.json.Decoder(dict[str, Raw]).decode
_split_list: Callable[[Raw], list[Raw]] = msgspec.json.Decoder(list[Raw]).decode
_read_text: Callable[[Raw], str] = msgspec.json.Decoder(str).decode
_read_number: Callable[[Raw], int | float] = msgspec.json.Decoder(int | float).decode
_read_flag: Callable[[Raw], bool] = msgspec.json.Decoder(bool).decode


class Misfit(Exception):
    """A member that is not what it must be; the way to it is put together on the way up."""

    def __init__(self, wanted: str) -> None:
        super().__init__(wanted)
        self.wanted = wanted
        self.path = ""

    def inside(self, step: str) -> Self:
        """The same, seen from the object or list around it."""
        self.path = step + ("." if self.path and not self.path.startswith("[") else "") + self.path
        return self


class Form(V, frozen=True, kw_only=True):
    """How an object was written, where its fields do not tell.

    `order` holds all names as they came, when that is not the order of the class. `literals` holds the text of named
    members that say what silence would say, or say it in an unusual spelling; `None` for one that was left out
    although it is usually written. A literal counts as long as its field has the value that it stands for.
    """

    order: tuple[str, ...] = ()
    literals: dict[str, Json | None] = {}


class Member(NamedTuple):
    """One member that a class names: how it is read and written, and its value when it is missing or null."""

    name: str
    read: Callable[[Raw], Any]
    write: Callable[[Any], Json]
    empty: Any
    always: bool = False
    """Written even when it is empty."""
    forced: bool = False
    """Written even when the object was read without it."""


class ChatObject(V, frozen=True, kw_only=True):
    """One JSON object of the chat completions protocol, immutable.

    Change one with `value.replace(field=...)`, which makes another. `extra` holds the members that the class does not
    name, each as JSON text; an entry that has the name of a field is not written, the field is.
    """

    MEMBERS: ClassVar[tuple[Member, ...]] = ()
    ANSWERS: ClassVar[bool] = False
    """Whether it is part of what a model's provider says: then malformed JSON is its fault, not the client's."""

    extra: dict[str, Json] = {}
    form: Form | None = None

    @classmethod
    def decode(cls, data: bytes | str) -> Self:
        """The object that the JSON says, with nothing lost.

        Raises:
            InvalidRequest: it is no such object; `param` names the member, as in `messages[0].content`.
            BrokenStream: the same, for what a provider says.
        """
        try:
            return cls._decoded(data.decode() if isinstance(data, bytes) else data)
        except Misfit as misfit:
            raise cls._refusal(
                f"{misfit.path or 'the body'} must be {misfit.wanted}", misfit.path or None
            ) from None
        except (msgspec.DecodeError, UnicodeDecodeError):
            raise cls._refusal("the body is not valid JSON", None) from None
        except RecursionError:
            raise cls._refusal("the body is nested too deeply", None) from None

    def encode(self) -> bytes:
        """The object as JSON in UTF-8.

        Raises:
            TypeError: a field holds something that is not of its type.
            ValueError: a text holds half of a surrogate pair.
        """
        return self.to_json().encode()

    def replace(self, **fields: Any) -> Self:
        """The same object with other values in these fields.

        Raises:
            TypeError: there is no such field.
        """
        return msgspec.structs.replace(self, **fields)

    def member(self, name: str) -> Any:
        """The value of a member that the class does not name, parsed; `None` when there is none.

        >>> ChatObject.decode('{"temperature": 0.5}').member("temperature")
        0.5
        """
        text = self.extra.get(name)
        return None if text is None else msgspec.json.decode(text)

    @classmethod
    def _refusal(cls, message: str, param: str | None) -> TurnoutError:
        return BrokenStream(message) if cls.ANSWERS else InvalidRequest(message, param=param)

    @classmethod
    def _decoded(cls, text: str) -> Self:
        try:
            return cls.from_json(Raw(text))
        except msgspec.DecodeError:
            mended = mend(text.encode()).decode()
            if mended == text:
                raise
            return cls.from_json(Raw(mended))

    @classmethod
    def from_json(cls, raw: Raw) -> Self:
        """The object in a larger document.

        Raises:
            Misfit: it is no such object.
        """
        try:
            members = _split(raw)
        except msgspec.ValidationError:
            raise Misfit("an object") from None
        named = {member.name for member in cls.MEMBERS}
        fields: dict[str, Any] = {}
        for member in cls.MEMBERS:
            value = members.get(member.name, _NULL)
            if value != _NULL:
                try:
                    fields[member.name] = member.read(value)
                except Misfit as misfit:
                    raise misfit.inside(member.name) from None
        extra = {name: str(value, "utf-8") for name, value in members.items() if name not in named}
        made = cls(extra=extra, **fields)
        return made._formed(members)

    def _formed(self, members: Mapping[str, Raw]) -> Self:
        """The same with the form in which the members came, if there is anything to say."""
        literals: dict[str, Json | None] = {}
        usual: list[str] = []
        for member in self.MEMBERS:
            raw = members.get(member.name)
            if raw is None:
                if self._always(member) and not member.forced:
                    literals[member.name] = None
                continue
            usual.append(member.name)
            value = getattr(self, member.name)
            if value == member.empty or isinstance(value, int):
                literal = str(raw, "utf-8")
                if literal != self._written(member, None):
                    literals[member.name] = literal
        usual += self.extra
        order = () if usual == list(members) else tuple(members)
        if not literals and not order:
            return self
        return msgspec.structs.replace(self, form=Form(order=order, literals=literals))

    def _always(self, member: Member) -> bool:
        """Whether a member is written even when it is empty."""
        return member.always

    def _written(self, member: Member, form: Form | None) -> Json | None:
        """The JSON of a member, `None` when it is not written."""
        value = getattr(self, member.name)
        if form is not None and member.name in form.literals:
            literal = form.literals[member.name]
            meant = member.empty if literal is None or literal == "null" else member.read(Raw(literal))
            if value == meant:
                return literal
        if value != member.empty or self._always(member):
            return member.write(value)
        return None

    def to_json(self) -> Json:
        """The object as JSON text."""
        form = self.form
        members: dict[str, Json] = {}
        for member in self.MEMBERS:
            if (written := self._written(member, form)) is not None:
                members[member.name] = written
        named = {member.name for member in self.MEMBERS}
        members.update((name, text) for name, text in self.extra.items() if name not in named)
        if form is not None and form.order:
            ordered = {name: members[name] for name in form.order if name in members}
            members = ordered | members
        return "{" + ",".join(f"{write_text(name)}:{text}" for name, text in members.items()) + "}"


def write_text(value: str) -> Json:
    """A string.

    Raises:
        TypeError: it is something else.
    """
    if not isinstance(value, str):  # pyright: ignore[reportUnnecessaryIsInstance]
        raise TypeError(f"{type(value).__name__} is not a text")
    return msgspec.json.encode(value).decode()


def _write_text_or_null(value: str | None) -> Json:
    return "null" if value is None else write_text(value)


def _write_scalar(value: float | bool | None) -> Json:
    if not isinstance(value, int | None):
        raise TypeError(f"{type(value).__name__} is neither a whole number nor true or false")
    return msgspec.json.encode(value).decode()


def _write_json(value: Json | None) -> Json:
    if not isinstance(value, str):
        raise TypeError(f"{type(value).__name__} is not a JSON text")
    return value


def _reader(read: Callable[[Raw], Any], wanted: str) -> Callable[[Raw], Any]:
    def checked(raw: Raw) -> Any:
        try:
            return read(raw)
        except msgspec.ValidationError:
            raise Misfit(wanted) from None

    return checked


def _whole_number(raw: Raw) -> int:
    value = _read_number(raw)
    if value != value // 1:
        raise Misfit("a whole number")
    return int(value)


def _verbatim(raw: Raw) -> Json:
    return str(raw, "utf-8")


read_text = _reader(_read_text, "a string")
_count = _reader(_whole_number, "a whole number")
_flag = _reader(_read_flag, "true or false")
_list = _reader(_split_list, "a list")


def string(name: str, empty: str | None = "", *, always: bool = False, forced: bool = False) -> Member:
    """A string."""
    return Member(
        name, read_text, write_text if empty is not None else _write_text_or_null, empty, always, forced
    )


def number(name: str, empty: int | None = None, *, always: bool = False) -> Member:
    """A whole number."""
    return Member(name, _count, _write_scalar, empty, always)


def boolean(name: str, empty: bool | None = None) -> Member:
    """True or false."""
    return Member(name, _flag, _write_scalar, empty)


def verbatim(name: str) -> Member:
    """JSON of any form, kept as text."""
    return Member(name, _verbatim, _write_json, None)


def nested(
    name: str, of: type[ChatObject], empty: ChatObject | None = None, *, always: bool = False
) -> Member:
    """Another object."""
    return Member(name, of.from_json, of.to_json, empty, always)


def listed(name: str, of: type[ChatObject], *, always: bool = False) -> Member:
    """A list of objects."""
    return Member(name, partial(read_many, of=of), write_many, (), always)


def read_many(raw: Raw, of: type[ChatObject]) -> tuple[Any, ...]:
    """The objects of a list.

    Raises:
        Misfit: it is no list of them.
    """
    made: list[ChatObject] = []
    for index, item in enumerate(_list(raw)):
        try:
            made.append(of.from_json(item))
        except Misfit as misfit:
            raise misfit.inside(f"[{index}]") from None
    return tuple(made)


def write_many(values: tuple[ChatObject, ...]) -> Json:
    """A list of objects."""
    return "[" + ",".join([value.to_json() for value in values]) + "]"
