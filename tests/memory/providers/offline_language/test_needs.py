"""Questions that join several needs are told from those that ask one thing."""

import pytest

from memory.providers.offline_language.needs import MOST, needs_of


@pytest.mark.parametrize(
    ("text", "needs"),
    [
        (
            "When did Ann move and where does Ben work?",
            ("When did Ann move", "where does Ben work?"),
        ),
        (
            "Where is my passport, and when does it expire?",
            ("Where is my passport", "when does it expire?"),
        ),
        ("Is the cat well? What did the vet say?", ("Is the cat well?", "What did the vet say?")),
        ("Wann ist Anna umgezogen und wo arbeitet Ben?", ("Wann ist Anna umgezogen", "wo arbeitet Ben?")),
        ("我什么时候搬家，还有我的狗叫什么名字？", ("我什么时候搬家", "我的狗叫什么名字？")),
    ],
)
def test_joined_questions_are_parted(text, needs):
    assert needs_of(text) == needs


@pytest.mark.parametrize(
    ("text", "needs"),
    [
        ("Does Ann prefer tea or coffee?", ("Does Ann prefer tea?", "Does Ann prefer coffee?")),
        (
            "Would she visit a quiet lake or a big city?",
            ("Would she visit a quiet lake?", "Would she visit a big city?"),
        ),
        (
            "Did Ann read Mary Shelley or Bram Stoker?",
            ("Did Ann read Mary Shelley?", "Did Ann read Bram Stoker?"),
        ),
        ("Who is older, Ann or Ben?", ("Who is older, Ann?", "Who is older, Ben?")),
    ],
)
def test_alternatives_are_asked_for_one_by_one(text, needs):
    assert needs_of(text) == needs


@pytest.mark.parametrize(
    ("text", "needs"),
    [
        ("What do both Ann and Ben collect?", ("What do Ann collect?", "What do Ben collect?")),
        ("Have Ann and Ben both been to Rome?", ("Have Ann been to Rome?", "Have Ben been to Rome?")),
        ("Who is Ann and Ben's dentist?", ("Who is Ann's dentist?", "Who is Ben's dentist?")),
    ],
)
def test_two_people_are_asked_about_one_by_one(text, needs):
    assert needs_of(text) == needs


def test_what_is_to_be_listed_is_searched_without_asking_for_a_list():
    assert needs_of("What are all the books that Ann has read?") == ("books that Ann has read",)


@pytest.mark.parametrize(
    "text",
    [
        "Where does Ann live?",
        "When and where did Ann marry?",
        "When did Ann marry and where?",
        "Which friend of Ann has a garden and is a nurse?",
        "What did Ann say when she left?",
        "Is it more or less finished?",
        "Hi! Where does Ann live?",
        "According to Ann, what is a good soup?",
        "What do Ann and Ann do?",
        "我住在柏林，你知道我的狗叫什么吗？",
        "and",
        "",
    ],
)
def test_one_need_is_left_whole(text):
    assert needs_of(text) == ()


def test_there_are_only_so_many():
    assert len(needs_of(" ".join(f"Where is the key number {n}?" for n in range(20)))) == MOST
