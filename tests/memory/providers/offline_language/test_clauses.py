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


@pytest.mark.parametrize(
    ("sentence", "clauses"),
    [
        ("We sold the Skoda and bought a Zoe.", ["We sold the Skoda.", "We bought a Zoe."]),
        ("I've quit my job and started a bakery", ["I've quit my job.", "I've started a bakery"]),
        (
            "Wir haben den Skoda verkauft und einen Zoe gekauft.",
            ["Wir haben den Skoda verkauft.", "Wir haben einen Zoe gekauft."],
        ),
        (
            "Nous avons vendu la Skoda et acheté une Zoe.",
            ["Nous avons vendu la Skoda.", "Nous avons acheté une Zoe."],
        ),
        ("Vendimos el Skoda y compramos un Zoe.", ["Vendimos el Skoda.", "Compramos un Zoe."]),
        ("Мы продали Шкоду и купили Зою.", ["Мы продали Шкоду.", "Мы купили Зою."]),
        ("我们卖了斯柯达，买了一辆雷诺。", ["我们卖了斯柯达。", "我们买了一辆雷诺。"]),
    ],
)
def test_what_is_over_and_what_begins_are_two(sentence, clauses):
    assert clauses_of(sentence) == clauses


@pytest.mark.parametrize(
    ("sentence", "clauses"),
    [
        ("I have a dog and a cat.", ["I have a dog.", "I have a cat."]),
        ("We own a boat, two bikes and a van", ["We own a boat", "We own two bikes", "We own a van"]),
        ("I love tea and coffee.", ["I love tea.", "I love coffee."]),
        ("Ich habe einen Hund und eine Katze.", ["Ich habe einen Hund.", "Ich habe eine Katze."]),
        ("J'aime le thé et le café.", ["J'aime le thé.", "J'aime le café."]),
        ("Я люблю чай и кофе.", ["Я люблю чай.", "Я люблю кофе."]),
        ("我有一只狗和一只猫。", ["我有一只狗。", "我有一只猫。"]),
    ],
)
def test_things_that_one_has_or_likes_are_told_one_by_one(sentence, clauses):
    assert clauses_of(sentence) == clauses


@pytest.mark.parametrize(
    "sentence",
    [
        "We sold the car and bought it back.",
        "We sold cakes and books.",
        "We bought a car and sold it.",
        "She sold the car and bought a bike.",
        "I love fish and chips.",
        "I love you and him dearly.",
        "I have a dog and love it.",
        "I have a dog and a cat at my mother's place in town.",
        "I like tea and hate coffee in the morning.",
    ],
)
def test_what_belongs_together_is_not_cut(sentence):
    assert clauses_of(sentence) == [sentence]
