"""A slip put right gives the statement as it was meant."""

import pytest

from memory.providers.offline_language.corrections import corrected
from memory.providers.offline_language.encoder import encode_segment
from tests.memory.talking import segment


@pytest.mark.parametrize(
    ("slip", "before", "meant"),
    [
        ("Sorry, I meant 555-9876.", "My number is 555-1234.", "My number is 555-9876."),
        ("Oops, I meant Thursday.", "The meeting is on Tuesday.", "The meeting is on Thursday."),
        ("No wait, it's Porto.", "I live in Lisbon.", "I live in Porto."),
        ("Sorry, Porto, not Lisbon.", "I live in Lisbon.", "I live in Porto."),
        ("Sorry, not Lisbon but Porto.", "I live in Lisbon.", "I live in Porto."),
        (
            "Sorry, my favourite colour is blue, not green.",
            "My favourite colour is green.",
            "My favourite colour is blue.",
        ),
        (
            "Sorry, aunt Ruth comes on Thursday, not Wednesday.",
            "Aunt Ruth comes on Wednesday.",
            "Aunt Ruth comes on Thursday.",
        ),
        (
            "Entschuldigung, meine Lieblingsfarbe ist Blau, nicht Grün.",
            "Meine Lieblingsfarbe ist Grün.",
            "Meine Lieblingsfarbe ist Blau.",
        ),
        (
            "Perdón, mi color favorito es azul, no verde.",
            "Mi color favorito es verde.",
            "Mi color favorito es azul.",
        ),
        (
            "Correction: my brother's wedding is on 27 February 2027, not on the 20th.",
            "My brother Erik marries on 20 February 2027.",
            "My brother Erik marries on 27 February 2027.",
        ),
        (
            "No, sorry, my wedding is on 27 February 2027.",
            "My wedding is on 20 February 2027.",
            "My wedding is on 27 February 2027.",
        ),
        (
            "Entschuldigung, meine Hochzeit ist am 27. Februar 2027, nicht am 20.",
            "Meine Hochzeit ist am 20. Februar 2027.",
            "Meine Hochzeit ist am 27. Februar 2027.",
        ),
        ("Sorry, the meeting is on Friday.", "The meeting is on Thursday.", "The meeting is on Friday."),
        ("Sorry, I meant 7pm.", "Dinner is at 6pm on 12 May.", "Dinner is at 7pm on 12 May."),
        ("Correction: it's 42.", "My room is 24.", "My room is 42."),
        ("Actually, it's ann@b.org", "My email is ann@a.org.", "My email is ann@b.org."),
        ("Entschuldigung, ich meinte Hamburg.", "Ich wohne in Berlin.", "Ich wohne in Hamburg."),
        ("抱歉，说错了，是星期三。", "会议在星期二。", "会议在星期三。"),
        ("不对，是北京。", "我住在上海。", "我住在北京。"),
        ("Извините, я имел в виду пятницу.", "Встреча в четверг.", "Встреча в пятницу."),
        ("Perdón, quise decir viernes.", "La cena es el jueves.", "La cena es el viernes."),
    ],
)
def test_like_replaces_like(slip, before, meant):
    assert corrected(slip, [before]) == (0, meant)


@pytest.mark.parametrize(
    ("said", "before"),
    [
        ("Actually, I like tea.", "I like coffee."),
        ("No, my wedding is on 27 February 2027.", "My wedding is on 20 February 2027."),
        ("Sorry, my dentist is on 27 February 2027.", "My wedding is on 20 February 2027."),
        ("Sorry, my wedding is on 27 May 2027, not on the 21st.", "My wedding is on 20 May 2027."),
        ("Sorry, I was away on Monday.", "The meeting is on Thursday."),
        ("No, thanks.", "I live in Lisbon."),
        ("No, Monday.", "I was away on Friday."),
        ("Sorry I am late.", "My room is 24."),
        ("Actually I moved to Berlin.", "I live in Paris."),
        ("No, I meant my sister.", "My brother is in Rome."),
        ("Sorry, I meant 5.", "I paid 3 of 4 bills."),
        ("Sorry, I meant Thursday.", "My room is 24."),
        ("Sorry, I meant Porto.", ""),
    ],
)
def test_what_is_no_slip_of_that_statement_is_left(said, before):
    assert corrected(said, [before]) is None


def test_the_newest_statement_that_it_fits_is_put_right():
    said = ["I like it there.", "I live in Lisbon.", "I work in Faro."]
    assert corrected("Sorry, I meant Porto.", said) == (1, "I live in Porto.")


def test_the_record_of_a_slip_is_the_one_that_was_meant():
    talked = segment(
        ("Alice", "My number is 555-1234."), ("", "Noted."), ("Alice", "Sorry, I meant 555-9876.")
    )
    (record,) = [each for each in encode_segment(talked).records if each.subject == "Alice"]
    assert record.semantic_text == "Alice's number is 555-9876."
    assert (record.slot, record.value) == ("phone", "555-9876")
    assert set(record.evidence_turns) == {0, 2}


def test_a_slip_put_right_in_the_same_breath_leaves_one_record():
    (record,) = encode_segment(
        segment(("Alice", "My dentist is on Main Street on Tuesday. Oops, I meant Thursday."))
    ).records
    assert "Thursday" in record.semantic_text
    assert "Tuesday" not in record.semantic_text


def test_nobody_puts_anothers_words_right():
    talked = segment(("Alice", "I live in Lisbon."), ("Bob", "Sorry, I meant Porto."))
    assert any("Lisbon" in each.semantic_text for each in encode_segment(talked).records)


def test_a_slip_that_says_it_all_again_is_one_record():
    said = segment(
        ("Alice", "My favourite colour is green."),
        ("Alice", "Sorry, my favourite colour is blue, not green."),
    )
    (record,) = encode_segment(said).records
    assert record.semantic_text == "Alice's favourite colour is blue."
    assert (record.slot, record.value) == ("favourite_colour", "blue")
