"""The list of what is remembered, and filing on request."""

import pytest
from django.urls import reverse

from accounts.models import Job
from sessions_app.models import Segment, Session
from sessions_app.services.sessions import delete_session
from tests.sessions_app.views.conftest import remember, talk

MEMORY = reverse("sessions:memory", args=["garden"])
HTMX = {"HX-Request": "true"}


def file_url(session: Session, space: str = "garden") -> str:
    return reverse("sessions:remember-now", args=[space, session.id])


def shown(response) -> list[str]:
    return [record.semantic_text for record in response.context["records"]]


def test_an_empty_memory_says_what_to_do(browse, alice):
    page = browse(alice).get(MEMORY).content.decode()
    assert "No memories filed yet" in page
    assert "Start a conversation" in page


def test_memories_are_listed_newest_first_with_a_link_to_each(browse, alice, session):
    remember(session, "Ana lives in Porto.")
    newer = remember(session, "Ana likes trains.", turn_index=2)
    response = browse(alice).get(MEMORY)
    assert shown(response) == ["Ana likes trains.", "Ana lives in Porto."]
    assert reverse("sessions:record", args=["garden", newer.id]) in response.content.decode()


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ({"q": "trains"}, ["Ana likes trains."]),
        ({"type": "preference"}, ["Ana likes trains."]),
        ({"state": "expired"}, ["Ana lives in Lisbon."]),
        ({"since": "2026-05-04"}, []),
        ({"until": "2026-05-03"}, []),
        ({"since": "2026-05-03", "until": "2026-05-04"}, ["Ana likes trains.", "Ana lives in Porto."]),
    ],
)
def test_filters_narrow_the_list(browse, alice, session, query, found):
    remember(session, "Ana lives in Lisbon.", expired_at=session.created_at)
    remember(session, "Ana lives in Porto.")
    remember(session, "Ana likes trains.", memory_type="preference")
    assert shown(browse(alice).get(MEMORY, query)) == found


def test_what_a_newer_value_has_replaced_is_listed_and_counted_only_if_asked_for(browse, alice, session):
    remember(session, "Ana lives in Lisbon.", superseded_at=session.created_at)
    remember(session, "Ana lives in Porto.")
    visitor = browse(alice)
    now = visitor.get(MEMORY)
    assert shown(now) == ["Ana lives in Porto."]
    assert now.context["figures"][0] == {"label": "memory", "count": "1"}
    before = visitor.get(MEMORY, {"state": "replaced"})
    assert shown(before) == ["Ana lives in Lisbon."]
    assert shown(visitor.get(MEMORY, {"state": "all"})) == ["Ana lives in Porto.", "Ana lives in Lisbon."]


def test_the_list_can_be_narrowed_to_a_conversation(browse, alice, session):
    remember(session, "Ana lives in Porto.")
    other = talk(alice, "I have a cat.", name="other")
    remember(other, "Alice has a cat.")
    assert shown(browse(alice).get(MEMORY, {"session": str(other.id)})) == ["Alice has a cat."]


@pytest.mark.parametrize(
    "query",
    [
        {"type": "rumour"},
        {"since": "soon"},
        {"since": "0001-01-01"},
        {"until": "9999-12-31"},
        {"session": "x"},
        {"state": "lost"},
    ],
)
def test_a_faulty_filter_is_told(browse, alice, query):
    response = browse(alice).get(MEMORY, query)
    assert response.status_code == 422
    assert 'role="alert"' in response.content.decode()


def test_a_faulty_cursor_is_told(browse, alice):
    assert browse(alice).get(MEMORY, {"cursor": "x"}).status_code in (404, 422)


def test_htmx_gets_the_list_alone_and_more_of_it_by_cursor(browse, alice, session):
    for i in range(31):
        remember(session, f"Fact {i}.")
    client = browse(alice)
    first = client.get(MEMORY, {"q": "Fact"}, headers=HTMX)
    assert "<html" not in first.content.decode()
    assert len(shown(first)) == 30
    assert "q=Fact" in first.context["more_url"]
    rest = client.get(first.context["more_url"], headers=HTMX)
    assert shown(rest) == ["Fact 0."]
    assert "<ul" not in rest.content.decode()


def test_nothing_found_offers_the_whole_list(browse, alice, record):
    page = browse(alice).get(MEMORY, {"q": "zebra"}).content.decode()
    assert "Nothing matches" in page
    assert "Show everything" in page


def test_what_came_of_a_private_conversation_is_for_its_author(browse, alice, bob):
    session = talk(alice, "A secret plan.", "Understood.", private=True)
    remember(session, "Alice has a secret plan.")
    assert shown(browse(alice).get(MEMORY)) == ["Alice has a secret plan."]
    page = browse(bob).get(MEMORY).content.decode()
    assert "secret" not in page


def test_a_stranger_finds_no_memory(browse, charlie, record):
    assert browse(charlie).get(MEMORY).status_code == 404
    own = browse(charlie).get(reverse("sessions:memory", args=["charlie"]))
    assert shown(own) == []


def test_unfiled_turns_are_announced_with_their_size(browse, alice, session):
    response = browse(alice).get(MEMORY)
    (waiting,) = response.context["waiting"]
    assert (waiting.session_id, waiting.turns) == (session.id, 4)
    assert waiting.tokens == session.token_total
    assert "Not yet filed, already searchable" in response.content.decode()


def test_remember_now_queues_one_job_and_shows_how_it_goes(browse, alice, session):
    client = browse(alice)
    response = client.post(file_url(session), headers=HTMX)
    job = Job.objects.for_space(alice.space_id).get(subject_id=session.id)
    assert (job.kind, job.state) == ("consolidate", "queued")
    assert reverse("sessions:job", args=["garden", job.id]) in response.content.decode()
    client.post(file_url(session), headers=HTMX)
    assert Job.objects.for_space(alice.space_id).count() == 1


def test_a_conversation_that_could_not_be_filed_says_so_and_can_be_tried_again(browse, alice, session):
    Segment.objects.for_space(session.space_id).create(
        space_id=session.space_id, session=session, first_turn=0, end_turn=4, state="failed"
    )
    session.filed_until = 4
    session.save(update_fields=["filed_until"])
    page = browse(alice).get(MEMORY).content.decode()
    assert "could not be filed" in page
    assert "Try again" in page


def test_a_failed_job_offers_another_try(browse, alice, vera, session):
    browse(alice).post(file_url(session))
    job = Job.objects.for_space(alice.space_id).get(subject_id=session.id)
    Job.objects.with_id(job.id).update(state="failed", error="It broke.")
    shown_job, again = (reverse(f"sessions:{name}", args=["garden", job.id]) for name in ("job", "job-retry"))
    assert again in browse(alice).get(shown_job, headers=HTMX).content.decode()
    assert again not in browse(vera).get(shown_job, headers=HTMX).content.decode()
    assert browse(vera).post(again).status_code == 403
    assert "Filing…" in browse(alice).post(again, headers=HTMX).content.decode()
    assert browse(alice).post(again).url == MEMORY
    assert [each.state for each in Job.objects.for_space(alice.space_id).order_by("id")] == [
        "failed",
        "queued",
    ]


def test_remember_now_works_without_scripts(browse, alice, session):
    assert browse(alice).post(file_url(session)).url == MEMORY


def test_remember_now_is_for_those_who_may_write(browse, vera, charlie, session):
    assert browse(vera).post(file_url(session)).status_code == 403
    assert "Remember now" not in browse(vera).get(MEMORY).content.decode()
    assert browse(charlie).post(file_url(session, "charlie")).status_code == 404
    assert not Job.objects.for_space(session.space_id).exists()


def test_remember_now_needs_a_post(browse, alice, session):
    assert browse(alice).get(file_url(session)).status_code == 405


@pytest.mark.parametrize(
    ("state", "result", "words"),
    [
        ("done", {"records_added": 1}, "Filed: 1 new memory."),
        ("done", {"records_added": 3}, "Filed: 3 new memories."),
        ("done", {"records_added": 3, "skills_added": 1}, "Filed: 3 new memories. 1 skill learned."),
        ("done", {"skills_added": 2}, "2 skills learned."),
        ("done", {"records_added": 3, "left": 2}, "A part is filed; the rest follows by itself."),
        ("done", {}, "nothing new to remember"),
        ("failed", {}, "The model does not answer."),
    ],
)
def test_a_job_that_ended_says_what_came_of_it_and_is_not_asked_again(
    browse, alice, session, state, result, words
):
    client = browse(alice)
    client.post(file_url(session), headers=HTMX)
    jobs = Job.objects.for_space(alice.space_id)
    jobs.update(state=state, result=result, error="The model does not answer." if state == "failed" else "")
    response = client.get(reverse("sessions:job", args=["garden", jobs.get().id]), headers=HTMX)
    page = response.content.decode()
    assert words in page
    assert "hx-trigger" not in page
    assert ("Show" in page) is bool(result.get("records_added"))
    assert response.get("HX-Retarget") == ("closest .item" if state == "done" else None)


def test_a_foreign_job_is_no_page(browse, alice, charlie, session):
    browse(alice).post(file_url(session))
    job = Job.objects.for_space(alice.space_id).get()
    assert browse(charlie).get(reverse("sessions:job", args=["charlie", job.id])).status_code == 404


def test_the_figures_count_what_the_reader_may_see(browse, alice, bob, record):
    remember(talk(alice, "A secret.", name="own", private=True), "Alice has a secret.")
    counted = [
        {f["label"]: f["count"] for f in browse(person).get(MEMORY).context["figures"]}
        for person in (alice, bob)
    ]
    assert counted == [
        {"memories": "2", "conversations": "2", "turns": "5"},
        {"memory": "1", "conversation": "1", "turns": "4"},
    ]


def test_the_figures_alone_are_given_to_who_asks_for_them(browse, alice, record):
    response = browse(alice).get(MEMORY, headers={**HTMX, "HX-Target": "figures"})
    page = response.content.decode()
    assert page.startswith('<dl class="figures"')
    assert "conversation" in page
    assert "Ana" not in page


def test_each_memory_leads_to_the_turn_it_came_from(browse, alice, session):
    remember(session, "Ana likes trains.", turn_index=2)
    source = reverse("sessions:chat", args=["garden", session.id]) + "?at=2#turn-2"
    assert f'href="{source}"' in browse(alice).get(MEMORY).content.decode()


def test_a_memory_of_a_deleted_conversation_leads_nowhere(browse, alice, session, record):
    client = browse(alice)
    assert "Source turn" in client.get(MEMORY).content.decode()
    delete_session(alice, session)
    page = client.get(MEMORY).content.decode()
    assert "Ana lives in Porto." in page
    assert "Source turn" not in page
    kept = client.get(reverse("sessions:record", args=["garden", record.id])).content.decode()
    assert "The conversation was deleted; the memory was kept." in kept
    item = client.get(reverse("sessions:record-item", args=["garden", record.id]), headers=HTMX)
    assert "Source turn" not in item.content.decode()
