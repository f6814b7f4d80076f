"""A multipart form that is read as it comes, so that its file is held once.

The parts are cut by `python-multipart`; here is what they mean: fields with their values, and one file.
"""

import logging
from email.message import Message
from typing import Final

from python_multipart.exceptions import FormParserError
from python_multipart.multipart import MultipartParser

from turnout.model.errors import InvalidRequest, UnsupportedMediaType

_FIELDS: Final = 100
_FIELD_BYTES: Final = 1_048_576
_SILENCE: Final = logging.Logger("turnout.wire.audio.form")
"""What the parser writes its log to, bytes of malformed forms among it: nowhere."""
_SILENCE.disabled = True


class Form:
    """The form whose bytes are fed to it; `file` names the part that holds the file.

    `fields` holds the values of all others, in order, by name; `audio` the file's bytes, `None` until it comes.

    Raises:
        UnsupportedMediaType: the content type is not that of a multipart form.
    """

    def __init__(self, content_type: str, file: str = "file") -> None:
        told = Message()
        told["content-type"] = content_type
        boundary = told.get_boundary()
        if told.get_content_type() != "multipart/form-data" or not boundary:
            raise UnsupportedMediaType("the content type must be multipart/form-data", param="content-type")
        self.fields: dict[str, list[str]] = {}
        self.audio: bytearray | None = None
        self.filename = ""
        self.media_type = ""
        self._file = file
        self._name = ""
        self._value = bytearray()
        self._headers: dict[str, str] = {}
        self._header = bytearray()
        self._header_value = bytearray()
        self._parts = 0
        self._ended = False
        self._parser = self._parsing(boundary)

    def _parsing(self, boundary: str) -> MultipartParser:
        """A parser that tells this form what it finds.

        Raises:
            UnsupportedMediaType: the boundary is none that a form may have (RFC 2046 section 5.1.1).
        """
        try:
            parser = MultipartParser(
                boundary,
                {
                    "on_part_begin": self._begin,
                    "on_header_field": self._on_header,
                    "on_header_value": self._on_header_value,
                    "on_header_end": self._on_header_end,
                    "on_headers_finished": self._open,
                    "on_part_data": self._on_data,
                    "on_part_end": self._end,
                    "on_end": self._finish,
                },
            )
        except (FormParserError, UnicodeError):
            raise UnsupportedMediaType(
                "the boundary of the form cannot be used", param="content-type"
            ) from None
        parser.logger = _SILENCE
        return parser

    def feed(self, data: bytes) -> None:
        """Read on.

        Raises:
            InvalidRequest: the bytes are no such form, or hold what nobody sends.
        """
        try:
            self._parser.write(data)
        except FormParserError:
            raise InvalidRequest("the body is not a multipart form") from None

    def close(self) -> None:
        """Say that all bytes were fed.

        Raises:
            InvalidRequest: the form is not finished.
        """
        if not self._ended:
            raise InvalidRequest("the body is not a whole multipart form")

    # ---- what the parser tells ---------------------------------------------------------------------------------------

    def _begin(self) -> None:
        self._parts += 1
        if self._parts > _FIELDS:
            raise InvalidRequest(f"the form has more than {_FIELDS} parts")
        self._headers = {}
        self._value = bytearray()

    def _on_header(self, data: bytes, start: int, end: int) -> None:
        self._header += data[start:end]

    def _on_header_value(self, data: bytes, start: int, end: int) -> None:
        self._header_value += data[start:end]

    def _on_header_end(self) -> None:
        name = self._header.decode("latin-1").lower()
        self._headers[name] = self._header_value.decode("utf-8", "replace")
        self._header.clear()
        self._header_value.clear()

    def _open(self) -> None:
        told = Message()
        told["content-disposition"] = self._headers.get("content-disposition", "")
        name = told.get_param("name", header="content-disposition")
        if not isinstance(name, str) or not name:
            raise InvalidRequest("a part of the form has no name")
        self._name = name
        if name == self._file:
            if self.audio is not None:
                raise InvalidRequest(f"{name} is there twice", param=name)
            self.audio = self._value
            self.filename = told.get_filename() or ""
            self.media_type = self._headers.get("content-type", "")

    def _on_data(self, data: bytes, start: int, end: int) -> None:
        if self._name != self._file and len(self._value) + end - start > _FIELD_BYTES:
            raise InvalidRequest(f"{self._name} is too long", param=self._name)
        self._value += memoryview(data)[start:end]

    def _end(self) -> None:
        if self._name == self._file:
            return
        try:
            value = self._value.decode()
        except UnicodeDecodeError:
            raise InvalidRequest(f"{self._name} must be UTF-8", param=self._name) from None
        self.fields.setdefault(self._name.removesuffix("[]"), []).append(value)

    def _finish(self) -> None:
        self._ended = True
