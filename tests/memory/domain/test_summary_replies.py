"""What models write when asked for a summary: all that can be meant is read, nothing else."""

import json

import pytest

from memory.domain.replies import Fault, Unreadable
from memory.domain.summaries import Summary
from memory.domain.summary_replies import ENTRY_CHARS, MAX_ENTRIES, read_summary

SAID = Summary(facts=("Rose lives in Paris.",), open_points=("Who feeds the cat?",))


@pytest.mark.parametrize(
    "reply",
    [
        '{"facts": ["Rose lives in Paris."], "open_points": ["Who feeds the cat?"]}',
        '```json\n{"facts": ["Rose lives in Paris."], "open_points": ["Who feeds the cat?"]}\n```',
        "<think>They talk about a cat.</think>"
        '{"facts": ["Rose lives in Paris."], "open_points": ["Who feeds the cat?"]}',
        'Here it is:\n{"goals": [], "facts": ["Rose lives in Paris."], "openPoints": "Who feeds the cat?"}',
        '{"Facts": [{"text": "Rose lives in Paris."}], "Open points": [{"who": "Who feeds the cat?"}]}',
        '{"summary": {"facts": ["Rose lives in Paris."], "open-points": ["Who feeds the cat?"]}}',
        '{"analysis": "Long.", "facts": ["- Rose lives in Paris."], "open_points": ["Who feeds the cat?",]}',
        "{'facts': ['Rose lives in Paris.'], 'open_points': ['Who feeds the cat?']}",
    ],
)
def test_however_it_is_wrapped(reply):
    assert read_summary(reply) == SAID


@pytest.mark.parametrize(
    ("reply", "fault"),
    [
        ("", Fault.EMPTY),
        ("<think>Hm", Fault.EMPTY),
        ("I'm sorry, but I can't help with that.", Fault.REFUSED),
        ("They talked about a cat.", Fault.NO_JSON),
        ("[1, 2]", Fault.NO_JSON),
        ('{"records": []}', Fault.NO_JSON),
        ('{"facts": [], "goals": []}', Fault.EMPTY),
        ('{"facts": ["Rose lives in', Fault.CUT),
    ],
)
def test_what_says_nothing_takes_no_history_s_place(reply, fault):
    read = read_summary(reply)
    assert isinstance(read, Unreadable)
    assert read.fault is fault


def test_a_reply_at_the_output_limit_is_cut_off():
    read = read_summary('{"facts": ["Rose lives in Paris."]}', is_cut=True)
    assert isinstance(read, Unreadable)
    assert read.fault is Fault.CUT


def test_entries_are_bounded_and_distinct():
    many = [f"Fact {number}." for number in range(200)]
    read = read_summary(json.dumps({"facts": [*many, "Fact 1."], "goals": ["x" * 5_000]}))
    assert isinstance(read, Summary)
    assert read.facts == tuple(many[:MAX_ENTRIES])
    assert len(read.goals[0]) <= ENTRY_CHARS + 1


@pytest.mark.parametrize("value", ["null", "true", "{}", "[[[]]]", '{"a": {"b": []}}', "1e999"])
def test_odd_values_never_raise(value):
    read = read_summary(f'{{"facts": {value}, "goals": ["Sail."]}}')
    assert isinstance(read, Summary)
    assert read.goals == ("Sail.",)
