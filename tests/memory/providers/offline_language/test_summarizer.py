"""Summaries by rules: what people said, sorted, quoted, in their language, inside the tokens."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memory.domain.summaries import SECTIONS, Summary, SummaryRequest, summary_text
from memory.domain.types import Role
from memory.providers.offline_language.summarizer import summarize_turns
from memory.providers.tokens import TiktokenCounter
from tests.memory.prompting import turn

count = TiktokenCounter().count


def summarize(*turns, tokens=400, previous=None, zone="UTC"):
    return summarize_turns(SummaryRequest(turns, zone, tokens, previous), count=count)


def said(*texts):
    return [turn(index, text) for index, text in enumerate(texts)]


@pytest.mark.parametrize(
    ("text", "section"),
    [
        ("I want to run the Berlin marathon in September.", "goals"),
        ("We decided to take the night train to Vienna.", "decisions"),
        ("My sister Rose lives in Paris.", "facts"),
        ("Remind me to call the dentist on Friday.", "open_points"),
        ("Ich möchte im Sommer nach Rom fahren.", "goals"),
        ("Wir haben uns für das rote Sofa entschieden.", "decisions"),
        ("Nous voulons acheter une maison à Lyon.", "goals"),
        ("Quiero aprender a tocar el piano.", "goals"),
        ("Мы решили поехать на поезде.", "decisions"),
        ("我打算明年搬到上海。", "goals"),
    ],
)
def test_a_statement_stands_in_its_section_in_its_own_words(text, section):
    summary = summarize(*said(text))
    assert list(summary.sections) == [section]
    (entry,) = getattr(summary, section)
    assert entry == f"Alice (2023-05-08): {text}"


def test_the_day_is_that_of_the_speaker_s_zone():
    (entry,) = summarize(turn(0, "My sister Rose lives in Paris."), zone="Pacific/Kiritimati").facts
    assert entry.startswith("Alice (2023-05-09): ")


def test_chatter_is_no_part_of_it():
    assert summarize(*said("Hello there!", "Thanks a lot!")) == Summary()


def test_a_question_nobody_answered_is_an_open_point_and_one_that_was_is_none():
    asked = turn(0, "What does the boat cost in Kiel?")
    reply = turn(1, "It costs 900 euros.", role=Role.ASSISTANT)
    assert summarize(asked).open_points == ("Alice (2023-05-08): What does the boat cost in Kiel?",)
    assert summarize(asked, reply).open_points == ()


def test_a_long_result_of_a_tool_is_shortened_and_says_so():
    result = "Sunny in Paris. " + "x" * 5_000 + " Rain on Friday."
    (entry,) = summarize(turn(0, result, role=Role.TOOL, speaker="weather")).tool_results
    assert entry.startswith("weather (2023-05-08): Sunny in Paris.")
    assert "characters left out" in entry
    assert entry.endswith("Rain on Friday.")


def test_what_was_summarised_before_is_carried_over():
    before = Summary(goals=("Alice (2023-05-01): I want to sail to Crete.",), facts=("Rose lives in Paris.",))
    after = summarize(*said("Bob is allergic to 12 kinds of nuts."), previous=before)
    assert after.goals == before.goals
    assert after.facts == ("Rose lives in Paris.", "Alice (2023-05-08): Bob is allergic to 12 kinds of nuts.")


def test_a_section_may_take_all_where_there_is_nothing_else():
    decided = [f"We decided to meet Tom{n} in Porto on {n} May at the harbour." for n in range(1, 9)]
    assert len(summarize(*said(*decided), tokens=400).decisions) == 8
    assert len(summarize(*said(*decided), tokens=70).decisions) == 1


def test_no_section_keeps_another_out():
    decided = [f"We decided to meet Tom{n} in Porto on {n} May at the harbour." for n in range(1, 20)]
    facts = [f"My friend Rose{n} lives at {n} Harbour Street." for n in range(1, 20)]
    told = summarize(*said(*decided, *facts), tokens=400)
    assert told.decisions
    assert len(told.facts) > len(told.decisions)


def test_every_part_of_a_long_conversation_is_heard():
    facts = [f"My friend Rose{n} lives at {n} Harbour Street in the town of Porto." for n in range(100)]
    told = summarize(*said(*facts), tokens=500).facts
    numbers = [int(entry.partition(" Harbour")[0].rpartition(" ")[2]) for entry in told]
    assert len({number // 10 for number in numbers}) == 10
    assert numbers == sorted(numbers)


def test_what_is_said_twice_stands_there_once():
    assert len(summarize(*said("Rose lives in Paris.", "Rose lives in Paris.")).facts) == 1


def test_where_tokens_are_few_what_tells_most_stays():
    texts = [
        "It was nice there somehow.",
        "Rose pays 1,250 euros rent for her flat in Paris near Montmartre.",
    ]
    (entry,) = summarize(*said(*texts), tokens=60).facts
    assert "1,250" in entry


@settings(max_examples=30)
@given(
    st.lists(st.text(min_size=0, max_size=60) | st.just("<|endoftext|> Rose lives in Paris."), max_size=15),
    st.integers(min_value=1, max_value=300),
)
def test_any_text_is_summarised_inside_the_tokens(texts, tokens):
    summary = summarize(*said(*texts), tokens=tokens)
    assert count(summary_text(summary)) <= tokens
    assert set(summary.sections) <= set(SECTIONS)
