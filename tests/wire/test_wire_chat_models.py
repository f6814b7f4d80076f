"""The list of models, read by the official client's own types."""

from openai.types import Model

from turnout.model import Info
from turnout.wire.chat import CODEC
from turnout.wire.json import mend


def test_models_are_listed_as_the_official_client_reads_them() -> None:
    one = Model.model_validate_json(CODEC.encode_model("a", Info(created=7, owned_by="me")))
    assert (one.id, one.created, one.owned_by, one.object) == ("a", 7, "me", "model")
    listed = CODEC.encode_models({"a": Info(created=7), "ü": Info()})
    assert listed.startswith(b'{"object":"list","data":[')
    assert b'"id":"\xc3\xbc"' in mend(listed)
    assert CODEC.encode_models({}) == b'{"object":"list","data":[]}'
