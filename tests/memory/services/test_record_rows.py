"""An encoded record becomes a row that holds what was meant, cleaned and bounded."""

from datetime import UTC, datetime
from uuid import uuid4

import pytest

from memory.domain.types import EncodedRecord, Kind, MemoryType, Role, Temporal
from memory.services.record_rows import (
    RecordScope,
    build_evidence,
    build_row,
    cleaned_record,
    evidence_turns,
    hash_of,
    index_item,
    refresh_derived,
)
from tests.memory.talking import talk

NOON = datetime(2026, 5, 7, 12, tzinfo=UTC)
SCOPE = RecordScope(uuid4(), uuid4(), uuid4(), uuid4())


def encoded(text: str = "Alice lives in Paris.", **fields) -> EncodedRecord:
    return EncodedRecord(MemoryType.FACT, text, fields.pop("subject", "Alice"), (0,), **fields)


def row(record: EncodedRecord | None = None):
    return build_row(record or encoded(), SCOPE, said_at=NOON, now=NOON)


class TestCleaning:
    def test_hygiene_and_the_screen_reach_every_text(self):
        record = encoded(
            "Her key:\x00 sk-proj-abcdefghijklmnop1234 ",
            value="hunter\x00",
            entities=(" Paris ", "Paris", " "),
            topics=("", "home"),
        )
        cleaned = cleaned_record(record, is_screening=True)
        assert cleaned.semantic_text == "Her key: [redacted: api key]"
        assert (cleaned.value, cleaned.entities, cleaned.topics) == ("hunter", ("Paris",), ("home",))

    def test_without_the_screen_hygiene_remains(self):
        cleaned = cleaned_record(encoded("sk-proj-abcdefghijklmnop1234\x00"), is_screening=False)
        assert cleaned.semantic_text == "sk-proj-abcdefghijklmnop1234"

    def test_fields_fit_their_columns(self):
        record = encoded(subject="a" * 500, slot="b" * 500, value="c" * 5_000)
        cleaned = cleaned_record(record, is_screening=True)
        assert (len(cleaned.subject), len(cleaned.slot), len(cleaned.value)) == (128, 64, 512)


class TestRow:
    def test_it_holds_what_was_meant(self):
        temporal = Temporal(NOON, NOON, None)
        made = row(
            encoded(
                slot="residence",
                value="Paris",
                entities=("Paris",),
                topics=("home",),
                tags={"tool_tags": ("maps",)},
                temporal=temporal,
                source_role=Role.TOOL,
                is_confirmed=False,
                confidence=0.4,
            )
        )
        assert (made.space_id, made.private_to_id) == (SCOPE.space_id, SCOPE.private_to)
        assert (made.session_id, made.segment_id) == (SCOPE.session_id, SCOPE.segment_id)
        assert (made.slot, made.value, made.entities, made.topics) == (
            "residence",
            "Paris",
            ["Paris"],
            ["home"],
        )
        assert made.tags == {"tool_tags": ["maps"]}
        assert (made.time_ref, made.valid_from, made.valid_to) == (NOON, NOON, None)
        assert (made.source_role, made.is_confirmed, made.confidence) == (Role.TOOL, False, 0.4)
        assert (made.said_at, made.learned_at) == (NOON, NOON)
        assert made.normalized_text == "live pari"

    def test_its_hash_is_that_of_the_encoded_record(self):
        record = encoded(temporal=Temporal(ref=NOON))
        assert row(record).content_hash == hash_of(record)
        assert hash_of(record) != hash_of(encoded())

    @pytest.mark.parametrize("field", ["semantic_text", "memory_type", "subject", "time_ref"])
    def test_what_follows_from_a_change_is_computed_anew(self, field):
        made = row()
        old = made.content_hash
        changed = {"semantic_text": "x", "memory_type": "event", "subject": "Bob", "time_ref": NOON}
        setattr(made, field, changed[field])
        refresh_derived(made)
        assert made.content_hash != old

    def test_an_unchanged_row_keeps_its_hash(self):
        made = row()
        old = made.content_hash
        refresh_derived(made)
        assert made.content_hash == old


class TestEvidence:
    def test_it_points_to_each_turn_in_order(self):
        turns = talk(("Alice", "one"), ("Alice", "two"))
        made = row()
        links = build_evidence(made, turns, SCOPE.segment_id)
        assert [(link.turn_id, link.turn_index) for link in links] == [(t.id, t.index) for t in turns]
        assert {link.private_to_id for link in links} == {SCOPE.private_to}

    def test_turns_are_taken_once_in_the_encoders_order_and_only_if_known(self):
        first, second = talk(("Alice", "one"), ("Alice", "two"))
        record = EncodedRecord(MemoryType.FACT, "x", "Alice", (1, 0, 1, 9))
        assert evidence_turns(record, {0: first, 1: second}) == [second, first]


def test_the_index_entry_speaks_for_the_row():
    made = row()
    item = index_item(made, position=7)
    assert (item.kind, item.id, item.position, item.speaker) == (Kind.RECORD, made.id, 7, "Alice")
    assert (item.space_id, item.private_to, item.text) == (
        made.space_id,
        SCOPE.private_to,
        made.semantic_text,
    )
