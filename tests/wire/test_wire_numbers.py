"""Numbers that clients write: digits of ASCII, and no more of them than are of use."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from turnout.wire.numbers import whole


@given(st.integers(0, 10**9 - 1))
def test_a_number_is_read_back_as_text_and_as_bytes(number: int) -> None:
    assert whole(str(number)) == whole(str(number).encode()) == number


@given(st.integers(1, 30), st.integers(1, 30))
def test_no_more_digits_are_read_than_are_asked_for(digits: int, most: int) -> None:
    assert (whole("7" * digits, most) is None) == (digits > most)


@pytest.mark.parametrize("word", ["", "-1", "+1", "1.0", " 1", "1_0", "\u0663", "\u00b2", "ten", "7" * 9000])
def test_what_is_no_plain_number_is_none(word: str) -> None:
    assert whole(word) is None
    assert whole(word.encode()) is None
