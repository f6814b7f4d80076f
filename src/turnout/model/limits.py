"""Bounds on what a client may send and an answer may hold."""

from .base import V


class Limits(V, frozen=True, kw_only=True):
    """Sizes in bytes unless a name says otherwise."""

    request_bytes: int = 33_554_432
    media_bytes: int = 16_777_216
    assets: int = 32
    output_bytes: int = 8_388_608
    event_bytes: int = 1_048_576
    multipart_bytes: int = 33_554_432
    ui_item_bytes: int = 262_144
    ui_action_bytes: int = 65_536
