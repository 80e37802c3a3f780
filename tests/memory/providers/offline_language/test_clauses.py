"""A sentence is cut where each of its parts is a statement that is understood alone."""

import pytest

from memory.providers.offline_language.clauses import clauses_of, stopped


@pytest.mark.parametrize(
    ("sentence", "clauses"),
    [
        ("I can't stand olives, but I love capers", ["I can't stand olives", "I love capers"]),
        ("I like tea but I don't like coffee.", ["I like tea.", "I don't like coffee."]),
        ("Ich mag Tee, aber ich hasse Kaffee.", ["Ich mag Tee.", "Ich hasse Kaffee."]),
        ("J'aime le thé mais je déteste le café.", ["J'aime le thé.", "Je déteste le café."]),
        ("Odio el té, pero me encanta el café.", ["Odio el té.", "Me encanta el café."]),
        ("Я люблю чай, но я ненавижу кофе.", ["Я люблю чай.", "Я ненавижу кофе."]),
        ("我喜欢茶，但我讨厌咖啡。", ["我喜欢茶。", "我讨厌咖啡。"]),
        ("I live in Kiel, but I work at Siemens.", ["I live in Kiel.", "I work at Siemens."]),
    ],
)
def test_contrasts_are_two(sentence, clauses):
    assert clauses_of(sentence) == clauses


@pytest.mark.parametrize(
    ("sentence", "clauses"),
    [
        ("I quit at the hospital; I now run a bakery.", ["I quit at the hospital.", "I now run a bakery."]),
        ("My dog barks; my cat sleeps", ["My dog barks.", "My cat sleeps"]),
        ("我辞职了；我开了一家面包店。", ["我辞职了。", "我开了一家面包店。"]),
    ],
)
def test_what_a_semicolon_parts_is_two(sentence, clauses):
    assert clauses_of(sentence) == clauses


@pytest.mark.parametrize(
    "sentence",
    [
        "I like tea, but not coffee.",
        "I like my dog, but I hate walking him.",
        "I play chess, but I lose.",
        "I like tea, but I love coffee.",
        "I love tea, but I'm tired.",
        "I wanted to come; it rained.",
        "If I like tea, but I hate coffee, what then?",
        "She said “I like tea, but I hate coffee”.",
        "I bought tea; milk; bread.",
    ],
)
def test_what_is_one_statement_is_not_cut(sentence):
    assert clauses_of(sentence) == [sentence]


def test_a_clause_gets_the_stop_of_its_script():
    assert (stopped("I own a boat"), stopped("我有船"), stopped("Ahoy!")) == (
        "I own a boat.",
        "我有船。",
        "Ahoy!",
    )
