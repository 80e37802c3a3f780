"""The conversation's pages."""

from datetime import timedelta

import pytest
from django.test import override_settings
from django.urls import reverse
from django.utils import timezone
from django.utils.html import escape

from accounts.models import Space, User
from accounts.services.jobs import run_job
from sessions_app.models import Session, SessionTurn
from sessions_app.services.compress import request_compression
from tests.sessions_app.views.conftest import talk, without_token

NEW = reverse("sessions:chat-new", args=["garden"])
FETCH = {"X-Requested-With": "fetch"}


def chat_url(session: Session, space: str = "garden") -> str:
    return reverse("sessions:chat", args=[space, session.id])


def turns_url(session: Session, **query: int) -> str:
    path = reverse("sessions:turns", args=["garden", session.id])
    return path + "?" + "&".join(f"{name}={value}" for name, value in query.items())


def test_home_is_the_personal_space(browse, charlie):
    assert browse(charlie).get("/app/").url == "/app/s/charlie/"


def test_pages_are_for_people_who_signed_in(client, session):
    for address in ("/app/", NEW, chat_url(session)):
        assert client.get(address).url.startswith("/app/sign-in/")


def test_an_empty_conversation_says_what_to_do(browse, alice):
    page = browse(alice).get(NEW).content.decode()
    assert "What is on your mind, Alice?" in page
    assert not Session.objects.for_space(alice.space_id).exists()


def test_a_foreign_space_and_a_missing_one_look_alike(browse, charlie):
    foreign = browse(charlie).get(NEW)
    missing = browse(charlie).get(reverse("sessions:chat-new", args=["nowhere"]))
    assert foreign.status_code == missing.status_code == 404
    assert without_token(foreign) == without_token(missing)


@pytest.mark.parametrize(("choice", "is_private"), [("yes", True), ("no", False)])
def test_a_new_conversation_becomes_a_session_as_chosen(browse, alice, choice, is_private):
    response = browse(alice).post(NEW, {"private": choice})
    made = Session.objects.for_space(alice.space_id).get()
    assert response.status_code == 201
    assert response.json() == {"id": str(made.id), "url": chat_url(made)}
    assert (made.private_to_id == alice.user_id) is is_private


def test_privacy_that_is_not_chosen_is_the_spaces_default(browse, alice):
    Space.objects.filter(pk=alice.space_id).update(are_sessions_private=True)
    browse(alice).post(NEW)
    assert Session.objects.for_space(alice.space_id).get().private_to_id == alice.user_id


def test_a_faulty_choice_makes_no_session(browse, alice):
    assert browse(alice).post(NEW, {"private": "perhaps"}).status_code == 422
    assert not Session.objects.for_space(alice.space_id).exists()


def test_a_viewers_conversation_is_private_and_a_shared_one_is_refused(browse, vera):
    assert browse(vera).post(NEW, {"private": "no"}).status_code == 403
    assert browse(vera).post(NEW).status_code == 201
    assert Session.objects.for_space(vera.space_id).get().private_to_id == vera.user_id


def test_a_conversation_shows_its_turns_and_its_title(browse, alice, session):
    response = browse(alice).get(chat_url(session))
    page = response.content.decode()
    assert response.context["turns"][0].text == "My sister Ana lives in Porto."
    assert "<strong>Porto</strong>" in page
    assert "<h1 data-title> My sister Ana lives in Porto. </h1>" in " ".join(page.split())


def test_what_a_person_typed_is_never_html(browse, alice):
    session = talk(alice, "<script>alert(1)</script> **not bold**")
    page = browse(alice).get(chat_url(session)).content.decode()
    assert "&lt;script&gt;alert(1)&lt;/script&gt; **not bold**" in page


def test_a_foreign_conversation_and_a_missing_one_look_alike(browse, alice, charlie, session):
    foreign = browse(charlie).get(chat_url(session, "charlie"))
    missing = browse(charlie).get(reverse("sessions:chat", args=["charlie", alice.user_id]))
    assert foreign.status_code == missing.status_code == 404
    assert without_token(foreign) == without_token(missing)


def test_a_private_conversation_is_for_its_author(browse, alice, bob):
    session = talk(alice, "A secret plan.", private=True)
    assert browse(alice).get(chat_url(session)).status_code == 200
    for address in (chat_url(session), turns_url(session)):
        assert browse(bob).get(address).status_code == 404
    assert "secret" not in browse(bob).get(NEW).content.decode()


def test_members_read_a_shared_conversation_and_a_viewer_cannot_write_there(browse, bob, vera, session):
    assert 'name="message"' in browse(bob).get(chat_url(session)).content.decode()
    page = browse(vera).get(chat_url(session)).content.decode()
    assert "She likes trains." in page
    assert 'name="message"' not in page
    assert "Enter sends" not in page


def test_a_link_to_a_turn_shows_what_stands_around_it(browse, alice):
    session = talk(alice, *(f"turn {i}" for i in range(120)))
    client = browse(alice)
    newest = client.get(chat_url(session)).context
    assert (newest["turns"][0].index, newest["turns"][-1].index) == (60, 119)
    around = client.get(chat_url(session), {"at": 20}).context
    assert (around["turns"][0].index, around["turns"][-1].index) == (8, 67)
    first = client.get(chat_url(session) + around["earlier_url"]).context
    assert first["turns"][0].index == 0
    assert first["earlier_url"] == ""
    assert newest["later_url"] == ""


@pytest.mark.parametrize("at", ["x", "-1", "9" * 30])
def test_a_place_that_cannot_be_is_no_page(browse, alice, session, at):
    assert browse(alice).get(chat_url(session), {"at": at}).status_code == 404


def test_a_place_after_the_end_is_an_empty_page(browse, alice, session):
    assert browse(alice).get(chat_url(session), {"at": 9_999}).context["turns"] == []


def test_only_turns_after_the_last_shown_are_sent(browse, alice, session):
    response = browse(alice).get(turns_url(session, after=1), headers=FETCH)
    assert [turn.index for turn in response.context["turns"]] == [2, 3]
    page = response.content.decode()
    assert 'id="gauge"' in page
    assert "data-new-title" in page
    assert "<html" not in page


def test_a_part_that_is_opened_by_itself_leads_to_its_page(browse, alice, session, record):
    parts = {
        reverse("sessions:session-list", args=["garden"]): NEW,
        turns_url(session): chat_url(session),
        reverse("sessions:record-item", args=["garden", record.id]): reverse(
            "sessions:record", args=["garden", record.id]
        ),
    }
    for part, whole in parts.items():
        assert browse(alice).get(part).url == whole


def test_a_faulty_last_index_is_refused(browse, alice, session):
    assert browse(alice).get(turns_url(session) + "after=x").status_code == 422


def test_a_pending_answer_is_awaited_and_not_shown(browse, alice, session):
    SessionTurn.objects.for_space(session.space_id).create(
        space_id=session.space_id,
        session=session,
        index=4,
        role="assistant",
        said_at=timezone.now(),
        state="pending",
        lease_until=timezone.now() + timedelta(minutes=1),
    )
    Session.objects.for_space(session.space_id).filter(pk=session.pk).update(turn_count=5)
    response = browse(alice).get(chat_url(session))
    assert "data-pending" in response.content.decode()
    assert len(response.context["turns"]) == 4


def test_an_interrupted_answer_is_shown_as_such(browse, alice, session):
    session.turns.filter(index=3).update(state="interrupted")
    assert "interrupted" in browse(alice).get(chat_url(session)).content.decode()


@pytest.mark.parametrize("is_consolidated", [True, False])
def test_an_answer_whose_writer_died_can_be_asked_for_again_the_same_way(
    browse, alice, session, is_consolidated
):
    answer = session.turns.filter(index=3)
    answer.update(author_id=alice.user_id, is_consolidated=is_consolidated)
    answer.update(content="", state="pending", lease_until=timezone.now() - timedelta(seconds=1))
    page = browse(alice).get(chat_url(session)).content.decode()
    assert "interrupted" in page
    assert "data-again" in page
    assert "data-pending" not in page
    assert ("data-unfiled" in page) is not is_consolidated


def test_the_list_holds_conversations_last_used_first_and_marks_the_open_one(browse, alice, session):
    newer = talk(alice, "Something else.", name="other")
    response = browse(alice).get(chat_url(session))
    assert [item.id for item in response.context["sessions"]] == [newer.id, session.id]
    page = " ".join(response.content.decode().split())
    assert f'href="{chat_url(session)}" aria-current="page"' in page


def test_the_list_goes_on_where_it_stopped(browse, alice):
    for i in range(42):
        talk(alice, f"talk {i}", name=f"s{i}")
    client = browse(alice)
    shown = client.get(NEW).context
    cursor = {"cursor": shown["sessions_cursor"]}
    rest = client.get(reverse("sessions:session-list", args=["garden"]), cursor, headers=FETCH)
    assert len(shown["sessions"]) == 40
    assert [item.title for item in rest.context["sessions"]] == ["talk 1", "talk 0"]
    assert rest.context["sessions_cursor"] == ""


def test_a_faulty_cursor_is_no_page(browse, alice):
    response = browse(alice).get(reverse("sessions:session-list", args=["garden"]), {"cursor": "x"})
    assert response.status_code == 404


def test_times_are_in_the_readers_zone(browse, alice, session):
    User.objects.filter(pk=alice.user_id).update(time_zone="Asia/Tokyo")
    page = browse(alice).get(chat_url(session)).content.decode()
    assert 'datetime="2026-05-03T18:30:00+09:00"' in page


def test_the_gauge_is_a_meter_in_tokens(browse, alice, session):
    with override_settings(WM_MAX_TOKENS=4 * session.token_total):
        page = " ".join(browse(alice).get(chat_url(session)).content.decode().split())
    assert f'max="{2 * session.token_total}"' in page
    assert f'value="{session.token_total}"' in page
    assert "50%" in page


@pytest.fixture
def summarised(alice, settings):
    """A long conversation whose beginning is summarised."""
    settings.WM_MAX_TOKENS = 2_000
    long = talk(
        alice, *[f"My friend Tom{n} lives at {n} Harbour Street in Porto." for n in range(60)], name="long"
    )
    job = request_compression(long)
    assert job is not None
    run_job(job.id)
    return long


def test_a_person_can_read_what_the_model_sees_of_the_beginning(browse, alice, summarised):
    page = " ".join(browse(alice).get(chat_url(summarised)).content.decode().split())
    made = summarised.summaries.get(state="ready")
    entry = escape(made.sections["facts"][0])
    assert f'<li dir="auto">{entry}</li>' in page
    assert f"Summary of the first {made.end_turn} turns" in page
    assert "Quoted by rules" in page
    assert f"{60 - made.end_turn} turns," in page
    assert "M70 0v10M90 0v10" in page


def test_a_stranger_reads_nothing_of_it(browse, charlie, summarised):
    assert browse(charlie).get(chat_url(summarised)).status_code == 404


def test_what_a_summary_says_is_text_and_no_markup(browse, alice, summarised):
    evil = "<script>alert(1)</script>"
    summarised.summaries.filter(state="ready").update(sections={"facts": [evil]})
    page = browse(alice).get(chat_url(summarised)).content.decode()
    assert evil not in page
    assert escape(evil) in page


def test_without_a_model_the_page_says_it_is_offline(browse, alice):
    assert "offline" in browse(alice).get(NEW).content.decode()


def test_someone_with_several_spaces_can_go_from_one_to_the_other(browse, alice):
    page = browse(alice).get(NEW).content.decode()
    assert reverse("sessions:chat-new", args=["alice"]) in page


def test_the_administration_is_offered_to_staff_alone(browse, alice):
    assert reverse("admin:index") not in browse(alice).get(NEW).content.decode()
    User.objects.filter(pk=alice.user_id).update(is_staff=True)
    assert reverse("admin:index") in browse(alice).get(NEW).content.decode()


def test_the_pages_keep_the_strict_policy(browse, alice, session):
    response = browse(alice).get(chat_url(session))
    assert "unsafe" not in response["Content-Security-Policy"]
    assert " style=" not in response.content.decode()
