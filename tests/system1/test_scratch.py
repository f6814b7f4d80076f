"""Memory that goes back to the system."""

import numpy as np

from turnout.system1.scratch import scratch


def test_it_is_zeros_of_the_shape_that_is_asked_for_and_can_be_written() -> None:
    for shape in ((3, 4), (5,), (0, 7), (2, 3, 4)):
        found = scratch(*shape)
        assert found.shape == shape
        assert found.dtype == np.float32
        assert not found.any()
        found += 1
        assert found.sum() == np.prod(shape)


def test_two_pieces_share_nothing_and_a_part_keeps_the_whole() -> None:
    one, other = scratch(2, 2), scratch(2, 2)
    one += 1
    assert not other.any()
    row = scratch(1000, 3)[7]
    row += 2
    assert row.tolist() == [2.0, 2.0, 2.0]
