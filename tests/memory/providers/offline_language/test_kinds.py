"""Cue words choose the type, in the order of how much they say."""

import pytest

from memory.domain.types import MemoryType
from memory.providers.offline_language.kinds import is_failure, is_hedged, memory_type_of


@pytest.mark.parametrize(
    ("statement", "memory_type"),
    [
        ("I live in a small house.", "fact"),
        ("我住在北京", "fact"),
        ("I love jazz.", "preference"),
        ("She prefers tea.", "preference"),
        ("My favourite colour is blue.", "preference"),
        ("Ich mag Kaffee.", "preference"),
        ("Мне нравится чай.", "preference"),
        ("我喜欢火锅", "preference"),
        ("I went to a concert.", "event"),
        ("We bought a boat.", "event"),
        ("我去了西安", "event"),
        ("Я купила лодку.", "event"),
        ("I'm allergic to peanuts.", "constraint"),
        ("The report must be ready by Friday.", "constraint"),
        ("我对花生过敏", "constraint"),
        ("Мне нельзя орехи.", "constraint"),
        ("Never use tabs.", "constraint"),
        ("Never call me at night.", "constraint"),
        ("To restart the server, run make up and wait.", "procedure"),
        ("First open the lid, then press the button.", "procedure"),
        ("首先打开盖子，然后按按钮", "procedure"),
        ("The deploy failed with a timeout error.", "failure_pattern"),
        ("ValueError: bad input", "failure_pattern"),
        ("部署失败", "failure_pattern"),
        ("The export API supports CSV files.", "tool_affordance"),
        ("这个工具可以导出表格", "tool_affordance"),
    ],
)
def test_a_cue_word_chooses_the_type(statement, memory_type):
    assert memory_type_of(statement, has_date=False) == memory_type


def test_a_date_makes_an_event_of_what_has_no_other_cue():
    assert memory_type_of("The fair is on 3 May.", has_date=True) is MemoryType.EVENT
    assert memory_type_of("I love the fair on 3 May.", has_date=True) is MemoryType.PREFERENCE


@pytest.mark.parametrize("statement", ["It looks like rain.", "That sounds like fun"])
def test_like_as_a_comparison_is_no_taste(statement):
    assert memory_type_of(statement, has_date=False) is MemoryType.FACT


@pytest.mark.parametrize(
    "statement", ["Maybe I will go", "I think it rains", "也许明天", "Vielleicht", "Возможно"]
)
def test_doubt_is_heard(statement):
    assert is_hedged(statement)
    assert not is_hedged("It is certain")


def test_a_failure_is_heard():
    assert is_failure("Traceback (most recent call last):")
    assert not is_failure("All tests passed")


@pytest.mark.parametrize(
    ("statement", "memory_type"),
    [
        ("I really like old maps.", "preference"),
        ("They like it there.", "preference"),
        ("I'm a huge fan of Bach.", "preference"),
        ("I'd rather take the train.", "preference"),
        ("Je préfère le thé.", "preference"),
        ("Me gusta el mar.", "preference"),
        ("コーヒーが好きです", "preference"),
        ("커피를 좋아해요", "preference"),
        ("We met at a conference.", "event"),
        ("She graduated with honours.", "event"),
        ("Ich habe ein Auto gekauft.", "event"),
        ("Мы ездили в Казань.", "event"),
        ("昨天我们开了会议", "event"),
        ("My budget is 500 euros.", "constraint"),
        ("You must not smoke here.", "constraint"),
        ("Ich muss um acht gehen.", "constraint"),
        ("我必须八点走", "constraint"),
        ("The build crashed again.", "failure_pattern"),
        ("The login page throws an error.", "failure_pattern"),
        ("Die Anwendung stürzt ab.", "failure_pattern"),
        ("Сервер упал с ошибкой.", "failure_pattern"),
        ("Step 1 is to open the valve.", "procedure"),
        ("Сначала открой окно, потом включи свет.", "procedure"),
        ("The script accepts two flags.", "tool_affordance"),
        ("The sky over Cork is grey.", "fact"),
        ("Она врач.", "fact"),
    ],
)
def test_more_cues_in_more_languages(statement, memory_type):
    assert memory_type_of(statement, has_date=False) == memory_type


@pytest.mark.parametrize(
    "text",
    [
        "Never deploy on a Friday, that broke everything in March.",
        "Don't call me before noon.",
        "Do not use the old key.",
        "Always back up before a migration.",
    ],
)
def test_an_order_to_whoever_listens_is_a_constraint(text: str) -> None:
    assert memory_type_of(text, has_date=False) is MemoryType.CONSTRAINT


@pytest.mark.parametrize("text", ["Never been to Rome.", "I never eat meat.", "Always loved the sea."])
def test_a_habit_or_an_experience_is_none(text: str) -> None:
    assert memory_type_of(text, has_date=False) is not MemoryType.CONSTRAINT
