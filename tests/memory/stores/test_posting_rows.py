"""A posting's weight: length and frequency in one number."""

import pytest

from memory.stores.posting_rows import MAX_FREQUENCY, MAX_LENGTH, pack_weight


@pytest.mark.parametrize(("frequency", "length"), [(1, 1), (3, 40), (255, 65_535)])
def test_both_parts_come_out_as_they_went_in(frequency: int, length: int):
    weight = pack_weight(frequency, length)
    assert (weight & MAX_FREQUENCY, weight >> 8 & MAX_LENGTH) == (frequency, length)


def test_parts_beyond_their_bits_saturate_and_leave_each_other_alone():
    assert pack_weight(100_000, 7) == 7 << 8 | MAX_FREQUENCY
    assert pack_weight(1, 10**9) == MAX_LENGTH << 8 | 1
