"""Numbers in words and in Chinese digits."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory.domain.number_words import count_of, digits_of


@pytest.mark.parametrize(
    ("word", "least", "most"),
    [
        ("3", 3, 3),
        ("a", 1, 1),
        ("", 1, 1),
        ("a couple", 2, 2),
        ("few", 2, 4),
        ("twelve", 12, 12),
        ("十二", 12, 12),
        ("几", 2, 4),
    ],
)
def test_numbers_and_vague_amounts_are_counted(word, least, most):
    assert count_of(word) == (least, most)


@pytest.mark.parametrize(
    ("word", "number"), [("〇", 0), ("十", 10), ("十五", 15), ("二十", 20), ("三十一", 31), ("07", 7)]
)
def test_chinese_numerals_are_read(word, number):
    assert digits_of(word) == number


@given(st.integers(0, 99))
def test_every_small_chinese_numeral_is_read(number):
    digits = "零一二三四五六七八九"
    tens, ones = divmod(number, 10)
    word = (
        digits[number]
        if number < 10
        else f"{digits[tens] if tens > 1 else ''}十{digits[ones] if ones else ''}"
    )
    assert digits_of(word) == number
