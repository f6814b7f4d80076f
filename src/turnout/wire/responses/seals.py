"""Proofs of reasoning, and how those of other protocols travel through clients of this one.

A reasoning item has one opaque member, `encrypted_content`, which clients send back as it came (openai 3.57). A proof
that another protocol's provider made is put into it with its issuer, and taken out again when it comes back.
"""

import base64
import binascii

import msgspec

from turnout.model import Seal

from .members import PROTOCOL

_MARK = "turnout."
_SEAL = msgspec.json.Decoder(Seal)


def read_seal(data: str, issuer: str) -> Seal:
    """The proof that an `encrypted_content` is; of `issuer`, unless it was put in here."""
    if data.startswith(_MARK):
        try:
            return _SEAL.decode(base64.urlsafe_b64decode(data[len(_MARK) :]))
        except (msgspec.DecodeError, binascii.Error, ValueError):
            pass
    return Seal(issuer=issuer, kind="encrypted", data=data)


def is_ours(seal: Seal) -> bool:
    """Whether a provider that speaks this protocol made the proof."""
    return seal.issuer.partition(":")[0] == PROTOCOL


def write_seal(seal: Seal) -> str:
    """The `encrypted_content` that carries a proof to a client."""
    if is_ours(seal) and seal.kind == "encrypted":
        return seal.data
    return _MARK + base64.urlsafe_b64encode(msgspec.json.encode(seal)).decode()
