"""Names in questions: found in any case and script, cut whole."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory.domain.planning import (
    MAX_NAMES,
    cut_names,
    is_about_asker,
    is_first_person,
    is_first_persons,
    names_in,
    question_terms,
)


class TestNamesInAQuestion:
    @pytest.mark.parametrize(
        ("text", "found"),
        [
            ("What does ann eat?", ("Ann Lee",)),
            ("What does ANN LEE eat?", ("Ann Lee",)),
            ("Ann's dog", ("Ann Lee",)),
            ("Is Anna here, or Hannah?", ()),
            ("böb or bob?", ("Böb",)),
            ("小明喜欢什么？", ("小明",)),
            ("Где живёт Алёна?", ("Алена",)),
            ("Ben and Ann", ("Ann Lee", "Ben")),
            ("", ()),
        ],
    )
    def test_are_the_known_ones(self, text, found):
        assert names_in(text, ["Ann Lee", "Ben", "Böb", "小明", "Алена", "", "X"]) == found

    def test_are_bounded(self):
        assert len(names_in("Ann", [f"Ann {number}" for number in range(500)])) == MAX_NAMES

    @given(st.text(max_size=60), st.lists(st.text(max_size=12), max_size=5))
    def test_come_from_the_known_names_alone(self, text, known):
        assert set(names_in(text, known)) <= set(known)


class TestCuttingNames:
    @pytest.mark.parametrize(
        ("text", "names", "bare"),
        [
            ("What does Ann's dog eat?", ["Ann"], "What does dog eat?"),
            ("What did ann lee and Ben buy?", ["Ann Lee", "Ben"], "What did and buy?"),
            ("Is Hannah at Ann’s?", ["Ann"], "Is Hannah at ?"),
            ("小明喜欢什么？", ["小明"], "喜欢什么？"),
            ("Wo wohnt Jürgen?", ["Jürgen"], "Wo wohnt ?"),
            ("Ann", ["Ann"], "Ann"),
            ("Ann?", ["Ann"], "Ann?"),
            ("Nothing to cut", [], "Nothing to cut"),
        ],
    )
    def test_takes_them_out_with_their_endings(self, text, names, bare):
        assert cut_names(text, names) == bare

    def test_survives_letters_that_grow_when_folded(self):
        assert cut_names("Straße von Ann ﬁn", ["Ann"]) == "Straße von ﬁn"

    @given(st.text(max_size=80), st.lists(st.text(max_size=10), max_size=4))
    def test_never_leaves_nothing_of_something_and_never_grows(self, text, names):
        bare = cut_names(text, names)
        assert len(bare) <= max(len(text), 1) or bare == text
        if any(char.isalnum() for char in text):
            assert any(char.isalnum() for char in bare)


@pytest.mark.parametrize(
    ("text", "is_own"),
    [
        ("Where do I live?", True),
        ("What’s my dog called?", True),
        ("Wo ist meine Brille?", True),
        ("我住在哪里？", True),
        ("¿Dónde vivo?", True),
        ("Où est-ce que j’habite ?", True),
        ("Onde moro?", True),
        ("¿Dónde vive Ana?", False),
        ("Где мои ключи?", True),
        ("Where does Ann live?", False),
        ("Mime and mining", False),
    ],
)
def test_first_person_is_seen_in_several_languages(text, is_own):
    assert is_first_person(text) is is_own


@pytest.mark.parametrize(
    ("text", "is_ours"),
    [("Where did we live before?", True), ("Wie heißt unser Hund?", True), ("Where is the US?", False)],
)
def test_so_are_several_first_persons(text, is_ours):
    assert is_first_persons(text) is is_ours
    assert not is_first_person(text)


@pytest.mark.parametrize(
    ("question", "terms"),
    [
        ("我住在哪里？", ["住在", "住"]),
        ("我的猫叫什么？", ["猫叫", "猫"]),
        ("我对什么过敏？", ["过敏", "过", "敏"]),
        ("私の犬の名前は何ですか？", ["犬", "名前", "名", "前"]),
        ("小明的狗叫什么名字？", ["小明", "明的", "的狗", "狗叫", "名字", "名", "字"]),
        ("どこに住んでいますか", ["に住", "住ん", "んで", "でい"]),
        ("Где живёт Анна?", ["живет", "ан"]),
        ("Как зовут мою кошку?", ["зовут", "кошк"]),
        ("Wo wohnt Anna?", ["wohnt", "anna"]),
        ("Wo wohne ich?", ["wohn"]),
        ("أين أسكن؟", ["اسك"]),
        ("When did my dog die?", ["dog", "die"]),
        ("What was she in?", []),
        ("¿Dónde vive Ana?", ["vive", "ana"]),
        ("Where does the dog sleep?", ["dog", "sleep"]),
        ("谁？", ["谁"]),
        ("", []),
        ("What do you remember about the boat trip?", ["boat", "trip"]),
        ("Do you still know where my key is?", ["key"]),
        ("Who knows Vera?", ["know", "vera"]),
        ("Weißt du noch, wo der Schlüssel ist?", ["schlussel"]),
        ("Te souviens-tu de Vera ?", ["vera"]),
        ("¿Qué sabes de Vera?", ["vera"]),
        ("Ты помнишь мою собаку?", ["собак"]),
        ("你还记得我的猫吗？", ["猫"]),
        ("Do you remember?", ["rememb"]),
    ],
)
def test_question_words_are_no_terms_unless_there_is_nothing_else(question, terms):
    assert question_terms(question) == terms


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("What do you know about me?", True),
        ("what's my name", False),
        ("¿Qué sabes de mí?", True),
        ("Что ты обо мне помнишь?", True),
        ("你还记得关于我的什么？", True),
        ("What do you know about me and Ben?", False),
        ("What is my dog's name?", False),
    ],
)
def test_a_question_of_nothing_but_its_asker(text, expected):
    assert is_about_asker(text) is expected
