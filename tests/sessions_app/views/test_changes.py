"""What became of a memory, in words and with what it replaced."""

from django.urls import reverse

from memory.domain.types import Reader
from memory.models import MemoryRecord
from memory.selectors import record_history
from memory.services.curate import edit_record, expire_record
from memory.services.curate_merge import merge_records
from memory.services.curate_purge import purge_record
from memory.services.curate_state import pin_record, restore_record
from sessions_app.views.changes import history_of, newer_of
from tests.sessions_app.views.conftest import SAID, remember, talk


def lines(principal, record):
    return history_of(principal, record_history(Reader(principal.space_id, principal.user_id), record.id))


def test_a_person_sees_the_text_before_and_after(browse, alice, record):
    edit_record(alice, record.id, {"semantic_text": "Ana lives in Lisbon.", "topics": ["home", "city"]})
    line = lines(alice, record)[-1]
    assert line.words == "Alice: edited (semantic text, topics)"
    assert [(value.before, value.after) for value in line.values] == [
        ("Ana lives in Porto.", "Ana lives in Lisbon."),
        ("", "home, city"),
    ]
    page = browse(alice).get(reverse("sessions:record", args=["garden", record.id])).content.decode()
    assert "<del>Ana lives in Porto.</del>" in page


def test_moments_are_told_in_the_readers_words(alice, record):
    edit_record(alice, record.id, {"valid_from": SAID})
    ((value,),) = (line.values for line in lines(alice, record))
    assert value.before == ""
    assert "2026" in value.after
    assert "T" not in value.after


def test_acts_are_told_newest_first_with_their_reason(alice, bob, record):
    pin_record(alice, record.id)
    expire_record(bob, record.id, "outgrown")
    expired, pinned = lines(alice, record)
    assert (expired.words, pinned.words) == ("Bob: expired", "Alice: pinned")
    assert [(value.label, value.after) for value in expired.values] == [("reason", "outgrown")]


def test_a_merge_names_what_was_merged_on_both_sides(browse, alice, record):
    other = remember(talk(alice, "Porto it is.", "Oh."), "Ana's home is Porto.")
    merge_records(alice, record.id, [other.id])
    (merged,), (expired,) = lines(alice, record), lines(alice, other)
    assert [(value.label, value.after) for value in merged.values] == [("merged", "“Ana's home is Porto.”")]
    assert [value.after for value in expired.values] == ["merged into “Ana lives in Porto.”"]
    page = browse(alice).get(reverse("sessions:record", args=["garden", other.id])).content.decode()
    assert page.count("merged into “Ana lives in Porto.”") == 2
    assert str(record.id) not in page.partition('id="history"')[2]
    restore_record(alice, other.id)
    newest = record_history(Reader(alice.space_id, alice.user_id), other.id, limit=1)
    (restored,) = history_of(alice, newest)
    assert "merged into “Ana lives in Porto.”" in [value.before for value in restored.values]
    purge_record(alice, other.id)
    assert [value.after for value in lines(alice, record)[0].values] == ["“a memory that is no longer there”"]


def test_the_newer_value_is_named_to_those_who_may_see_it(alice, bob, session, record):
    newer = remember(talk(alice, "Ana moved.", "Oh.", name="own", private=True), "Ana lives in Rome.")
    MemoryRecord.objects.for_space(record.space_id).filter(id=record.id).update(superseded_by=newer)
    record.refresh_from_db()
    assert newer_of(alice, record) == newer
    assert newer_of(bob, record) is None
    purge_record(alice, newer.id)
    record.refresh_from_db()
    assert newer_of(alice, record) is None


def test_before_a_value_goes_its_page_says_what_holds_again(browse, alice, bob, record):
    newer = remember(talk(alice, "Ana moved.", "Oh.", name="moved"), "Ana lives in Rome.")
    own = remember(talk(bob, "Ana moved.", "Oh.", name="bobs", private=True), "Ana lived in Faro.")
    replaced = MemoryRecord.objects.for_space(record.space_id).filter(id__in=[record.id, own.id])
    replaced.update(superseded_by=newer)
    addresses = [
        reverse(f"sessions:record{form}", args=["garden", newer.id]) for form in ("", "-expire", "-purge")
    ]
    for address in addresses:
        page = browse(alice).get(address).content.decode()
        assert "holds again without it" in page
        assert "Ana lives in Porto." in page
        assert "Faro" not in page
    expire_record(alice, record.id, "outgrown")
    assert "holds again" not in browse(alice).get(addresses[0]).content.decode()
