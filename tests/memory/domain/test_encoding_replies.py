"""A reply becomes records that can be trusted, or says what is wrong with it."""

import json
from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory.domain.encoding_replies import MAX_RECORDS, ReadEncoding, read_encoding
from memory.domain.replies import Fault, Unreadable
from memory.domain.types import EncodedRecord, MemoryType, Role, SegmentText
from tests.memory.prompting import BERLIN, segment, turn

GOOD = {
    "memory_type": "fact",
    "semantic_text": "Alice lives in Berlin.",
    "subject": "Alice",
    "slot": "residence",
    "value": "Berlin",
    "entities": ["Alice", "Berlin"],
    "topics": ["moving"],
    "temporal": {"t_valid_from": "2023-05-07"},
    "evidence_turns": [3],
    "source_role": "user",
    "confidence": 0.9,
}


def reading(*records: object, of: SegmentText = BERLIN, **more: object) -> ReadEncoding:
    made = read_encoding(json.dumps({"records": records, **more}), of)
    assert isinstance(made, ReadEncoding), made
    return made


def record(of: SegmentText = BERLIN, **changes: object) -> EncodedRecord:
    made = reading({**GOOD, **changes}, of=of)
    assert not made.errors, made.errors
    return made.encoding.records[0]


def error(of: SegmentText = BERLIN, **changes: object) -> str:
    made = reading({**GOOD, **changes}, of=of)
    assert made.encoding.records == ()
    (sentence,) = made.errors
    return sentence


def test_a_good_record_is_read_whole() -> None:
    assert record() == EncodedRecord(
        memory_type=MemoryType.FACT,
        semantic_text="Alice lives in Berlin.",
        subject="Alice",
        evidence_turns=(3,),
        slot="residence",
        value="Berlin",
        entities=("Alice", "Berlin"),
        topics=("moving",),
        temporal=record().temporal,
        confidence=0.9,
    )
    assert record().temporal.valid_from == datetime(2023, 5, 7, tzinfo=UTC)


def test_an_empty_list_is_legitimately_nothing() -> None:
    made = reading()
    assert made.encoding.records == ()
    assert made.is_usable
    assert made.encoding.origin == "encoded"


@pytest.mark.parametrize(
    "text",
    ["{}", "[]", '{"records": null}', '{"records": "none"}', '{"records": 3}', "null", '{"facts": []}'],
)
def test_a_reply_without_a_list_of_records_is_faulty(text: str) -> None:
    made = read_encoding(text, BERLIN)
    assert isinstance(made, Unreadable)
    assert made.fault is Fault.NO_JSON


@pytest.mark.parametrize("wrap", [lambda one: [one], lambda one: {"records": one}])
def test_a_bare_list_or_a_single_object_is_taken(wrap) -> None:
    made = read_encoding(json.dumps(wrap(GOOD)), BERLIN)
    assert isinstance(made, ReadEncoding)
    assert len(made.encoding.records) == 1


@pytest.mark.parametrize("item", [None, 7, "Alice lives in Berlin.", [], {}])
def test_what_is_no_record_is_an_error(item: object) -> None:
    made = reading(item)
    assert made.errors
    assert not made.is_usable


def test_an_unknown_type_is_an_error_that_names_the_known_ones() -> None:
    assert "tool_affordance" in error(memory_type="observation")


@pytest.mark.parametrize("name", ["FACT", " fact ", "Failure Pattern", "failure-pattern"])
def test_a_types_spelling_is_forgiven(name: str) -> None:
    assert record(memory_type=name).memory_type in (MemoryType.FACT, MemoryType.FAILURE_PATTERN)


@pytest.mark.parametrize("text", ["", " ", "…", None, ["a"], "a"])
def test_a_record_needs_a_sentence(text: object) -> None:
    assert "semantic_text" in error(semantic_text=text)


@pytest.mark.parametrize("turns", [[], [99], None, ["x"], [-3], [0]])
def test_evidence_outside_the_segment_is_none(turns: object) -> None:
    assert "3, 4, 5" in error(evidence_turns=turns)


def test_unknown_evidence_beside_known_is_dropped() -> None:
    assert record(evidence_turns=[3, 99, "5"]).evidence_turns == (3, 5)


def test_in_a_segment_of_one_turn_the_evidence_is_clear() -> None:
    of = segment(turn(7, "I live in Berlin."))
    assert record(of, evidence_turns=None).evidence_turns == (7,)


@pytest.mark.parametrize(
    "subject",
    ["the user", "User", "THE USER", "I", "", None, "用户", "der Benutzer", "l'utilisateur", "пользователь"],
)
def test_no_subject_is_a_bare_user_when_it_is_known_who_spoke(subject: object) -> None:
    assert record(subject=subject, semantic_text="Someone lives in Berlin.").subject == "Alice"


@pytest.mark.parametrize(
    ("text", "became"),
    [
        ("The user lives in Berlin.", "Alice lives in Berlin."),
        ("The user's home is Berlin.", "Alice's home is Berlin."),
        ("User lives in Berlin.", "Alice lives in Berlin."),
        ("Users of trains live in Berlin.", "Users of trains live in Berlin."),
    ],
)
def test_a_text_about_the_user_is_about_whoever_spoke(text: str, became: str) -> None:
    assert record(semantic_text=text, subject="user").semantic_text == became


def test_the_user_in_chinese_is_named_too() -> None:
    of = segment(turn(0, "我住在柏林。", speaker="王伟"))
    made = record(of, semantic_text="用户住在柏林。", subject="用户", evidence_turns=[0])
    assert made.semantic_text == "王伟住在柏林。"


def test_with_two_speakers_the_subject_is_who_said_it() -> None:
    of = segment(turn(0, "I live in Berlin.", speaker="Ann"), turn(1, "I live in Rome.", speaker="Bob"))
    assert record(of, subject="the user", evidence_turns=[1], semantic_text="Lives in Rome.").subject == "Bob"
    assert "subject" in error(of, subject="the user", evidence_turns=[0, 1])


def test_a_dollar_sign_in_a_name_is_no_pattern() -> None:
    of = segment(turn(0, "I live in Berlin.", speaker=r"A\g<0>$1"))
    made = record(of, semantic_text="The user lives in Berlin.", subject="user", evidence_turns=[0])
    assert made.semantic_text == r"A\g<0>$1 lives in Berlin."


def test_a_translated_record_is_an_error() -> None:
    of = segment(turn(0, "我上个月搬到了柏林。", speaker="王伟"))
    assert "language" in error(of, semantic_text="Wang Wei moved to Berlin.", evidence_turns=[0])
    assert record(of, semantic_text="王伟上个月搬到了柏林。", evidence_turns=[0])


@pytest.mark.parametrize("text", ["Bob collects old stamps from France.", "Bob collects stamps from France"])
def test_an_echo_of_the_reference_is_left_out_without_being_an_error(text: str) -> None:
    of = segment(*BERLIN.turns, reference=["Bob collects old stamps from France."])
    made = reading({**GOOD, "semantic_text": text, "subject": "Bob"}, of=of)
    assert made.encoding.records == ()
    assert made.errors == ()
    assert made.is_usable
    assert "known already" in made.encoding.notes[0]


def test_what_is_known_and_said_anew_is_no_echo() -> None:
    of = segment(turn(0, "I live in Berlin."), reference=["Alice lives in Berlin."])
    assert record(of, evidence_turns=[0])


def test_a_name_resolved_by_the_reference_is_no_echo() -> None:
    of = segment(turn(0, "She moved to Rome with her dog."), reference=["Melanie has a dog named Rex."])
    assert record(
        of, semantic_text="Melanie moved to Rome with her dog.", subject="Melanie", evidence_turns=[0]
    )


@pytest.mark.parametrize("date", ["0000-01-01", "9999-12-31", "room 2024", 2024, 2**31, None])
def test_an_insane_date_is_dropped_alone(date: object) -> None:
    made = record(temporal={"t_ref": date, "t_valid_from": "2023-05-07", "t_valid_to": date})
    assert made.temporal.ref is None
    assert made.temporal.valid_to is None
    assert made.temporal.valid_from is not None


@pytest.mark.parametrize("temporal", [None, "2023", [], {"t_ref": {}}])
def test_a_faulty_time_does_not_cost_the_record(temporal: object) -> None:
    assert record(temporal=temporal).temporal.valid_from is None


def test_what_only_the_assistant_said_is_unconfirmed() -> None:
    made = record(
        evidence_turns=[4], semantic_text="Moving to Berlin deserves congratulations.", confirmed=None
    )
    assert made.source_role is Role.ASSISTANT
    assert not made.is_confirmed


def test_a_claim_that_a_person_said_it_does_not_count_against_the_turns() -> None:
    assert record(evidence_turns=[4], source_role="user").source_role is Role.ASSISTANT


def test_a_person_may_have_confirmed_what_the_assistant_said() -> None:
    made = record(evidence_turns=[4, 5], source_role="assistant", confirmed=True)
    assert (made.source_role, made.is_confirmed) == (Role.ASSISTANT, True)


def test_a_slot_without_value_is_none() -> None:
    assert record(value=None).slot == ""
    assert record(slot="").value == ""
    assert record(slot="Home Address ", value=12).slot == "home_address"


def test_a_type_is_never_a_topic() -> None:
    assert record(topics=["fact", "Event", "moving"]).topics == ("moving",)


def test_tags_are_kept_by_kind() -> None:
    made = record(tool_tags=["git"], failure_tags="timeout", constraint_tags=[], affordance_tags=None)
    assert made.tags == {"tool_tags": ("git",), "failure_tags": ("timeout",)}


def test_relations_need_both_ends() -> None:
    good = {"from": "Rose", "type": "sister of", "to": "Alice", "valid_from": "2023-05-01"}
    made = record(
        relations=[good, {"from": "Rose", "type": "x"}, {"from": "A", "type": "is", "to": "a"}, None, 3]
    )
    (relation,) = made.relations
    assert (relation.source, relation.type, relation.target) == ("Rose", "sister of", "Alice")
    assert relation.valid_from == datetime(2023, 5, 1, tzinfo=UTC)


def test_equal_records_become_one_that_rests_on_both_turns() -> None:
    made = reading(GOOD, {**GOOD, "semantic_text": "alice lives in BERLIN.", "evidence_turns": [5]})
    (only,) = made.encoding.records
    assert only.evidence_turns == (3, 5)


def test_records_beyond_a_reasonable_number_are_left_out_and_noted() -> None:
    many = [{**GOOD, "semantic_text": f"Alice has {n} plants in Berlin."} for n in range(MAX_RECORDS + 5)]
    made = reading(*many)
    assert len(made.encoding.records) == MAX_RECORDS
    assert any(str(MAX_RECORDS) in note for note in made.encoding.notes)


def test_a_long_text_is_cut_not_refused() -> None:
    assert len(record(semantic_text="Alice " + "really " * 2_000).semantic_text) <= 2_001


def test_one_fault_among_many_good_ones_is_not_worth_a_repair() -> None:
    other = {**GOOD, "semantic_text": "Alice eats no meat.", "evidence_turns": [5]}
    made = reading(GOOD, other, {**GOOD, "memory_type": "x"})
    assert made.is_usable
    assert made.errors[0].startswith("records[2]: memory_type")
    assert "1 faulty records were left out." in made.encoding.notes


def test_as_many_faults_as_good_ones_are() -> None:
    assert not reading(GOOD, {**GOOD, "memory_type": "x"}).is_usable


def test_skills_need_an_intent_and_a_text() -> None:
    skill = {"intent": "Deploy the app", "doc_markdown": "1. build\n2. push", "preconditions": ["access"]}
    made = reading(GOOD, skills=[skill, {"intent": "x"}, None])
    (only,) = made.encoding.skills
    assert (only.intent, only.doc_markdown, only.preconditions) == (
        "Deploy the app",
        "1. build\n2. push",
        ("access",),
    )


@pytest.mark.parametrize(
    ("given", "aliases"),
    [
        ({"she": "Rose", "x": "", "he": None}, {"she": "Rose"}),
        ("she = Rose; my brother: Tom\nhe -> Tom", {"she": "Rose", "my brother": "Tom", "he": "Tom"}),
        ({"I": "the user"}, {}),
        ({"Rose": "rose"}, {}),
        ("nothing to resolve", {}),
        (None, {}),
        ([1], {}),
    ],
)
def test_disambiguation_is_read_as_object_or_as_prose(given: object, aliases: dict[str, str]) -> None:
    assert reading(GOOD, disambiguation=given).encoding.aliases == aliases


def test_nul_and_surrogates_never_reach_a_record() -> None:
    text = json.dumps({"records": [GOOD]}).replace("lives in", "lives\\u0000 \\ud83d in")
    made = read_encoding(text, BERLIN)
    assert isinstance(made, ReadEncoding)
    assert made.encoding.records[0].semantic_text == "Alice lives in Berlin."


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=5,
)


@given(st.dictionaries(st.sampled_from([*GOOD, "relations", "tool_tags", "confirmed"]), VALUES))
def test_whatever_a_field_holds_the_record_is_sound_or_an_error(changes: dict[str, object]) -> None:
    made = read_encoding(
        json.dumps({"records": [{**GOOD, **changes}], "skills": changes.get("topics")}), BERLIN
    )
    assert isinstance(made, ReadEncoding)
    for one in made.encoding.records:
        assert set(one.evidence_turns) <= {3, 4, 5}
        assert one.evidence_turns
        assert 0 <= one.confidence <= 1
        assert one.subject
        assert "\x00" not in one.semantic_text
