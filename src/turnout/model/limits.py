"""Bounds on what a client may send and an answer may hold."""

from typing import Annotated, TypeAlias

import msgspec
from msgspec import Meta

from .base import V

Size: TypeAlias = Annotated[int, Meta(ge=1)]


class Limits(V, frozen=True, kw_only=True):
    """Sizes in bytes unless a name says otherwise; a zero or negative one means its default."""

    request_bytes: Size = 33_554_432
    media_bytes: Size = 16_777_216
    assets: Size = 32
    output_bytes: Size = 8_388_608
    event_bytes: Size = 1_048_576
    multipart_bytes: Size = 33_554_432
    ui_item_bytes: Size = 262_144
    ui_action_bytes: Size = 65_536

    def __post_init__(self) -> None:
        for name, default in zip(self.__struct_fields__, self.__struct_defaults__, strict=True):
            if getattr(self, name) <= 0:
                msgspec.structs.force_setattr(self, name, default)
