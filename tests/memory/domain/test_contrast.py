"""A contrast is taken away from what it is told apart from; a denial stays."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory.domain.contrast import without_contrast


@pytest.mark.parametrize(
    ("sentence", "meant"),
    [
        ("It is blue, not green.", "It is blue."),
        ("It is blue – not dark green.", "It is blue."),
        ("It is not green but blue.", "It is blue."),
        ("Ruth comes on Thursday, not on Wednesday.", "Ruth comes on Thursday."),
        ("Ruth comes on Thursday rather than Wednesday.", "Ruth comes on Thursday."),
        ("Ruth comes on Thursday instead of Wednesday", "Ruth comes on Thursday"),
        ("Ruth comes at 10, not at 9:30.", "Ruth comes at 10."),
        ("Ruth kommt am Donnerstag, nicht am Mittwoch.", "Ruth kommt am Donnerstag."),
        ("Ruth kommt nicht am Mittwoch, sondern am Donnerstag.", "Ruth kommt am Donnerstag."),
        ("Ruth viene el jueves, no el miércoles.", "Ruth viene el jueves."),
        ("Ruth vient jeudi, pas mercredi.", "Ruth vient jeudi."),
        ("Rute chega na quinta, não na quarta.", "Rute chega na quinta."),
        ("Рут приедет в четверг, а не в среду.", "Рут приедет в четверг."),
        ("露丝周四来，不是周三。", "露丝周四来。"),
    ],
)
def test_what_is_meant_stays(sentence, meant):
    assert without_contrast(sentence) == meant


@pytest.mark.parametrize(
    "sentence",
    [
        "I do not work on Tuesday.",
        "I worked at ACME, not anymore.",
        "It has not begun, not yet.",
        "I'm not vegan.",
        "Ich arbeite nicht.",
        "No vivo en París.",
        "我不是医生。",
    ],
)
def test_a_denial_is_no_contrast(sentence):
    assert without_contrast(sentence) == sentence


@given(st.text(alphabet="ab not,.-", max_size=60))
def test_what_is_left_is_never_longer(text):
    assert len(without_contrast(text)) <= len(text)
