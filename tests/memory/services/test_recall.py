"""A question to its memories: through the real indexes, rows and log."""

from dataclasses import replace
from datetime import timedelta
from uuid import uuid4

import pytest

from accounts.models import Space
from memory.config import Floor, RecallConfig
from memory.domain.selection import COVERED, ECHO, EXPIRED, OVER_BUDGET, WEAK
from memory.domain.types import Effort, Kind, MemoryType, Role
from memory.models import RetrievalLog
from memory.providers.registry import token_counter
from memory.services.recall import SMALL_TALK
from memory.services.recall_search import search_kind
from tests.memory.indexing import make_user
from tests.memory.recalling import LATER, MONDAY, Memory, reasons, texts

pytestmark = pytest.mark.django_db


class TestFinding:
    @pytest.mark.parametrize("effort", list(Effort))
    def test_finds_a_turn_by_its_meaning_and_its_words(self, memory: Memory, effort):
        memory.say(("Alice", "My puppy is a poodle."), ("Ben", "I drink tea."))
        assert texts(memory.ask("What breed is her dog?", effort=effort))[0] == "My puppy is a poodle."
        assert texts(memory.ask("Who has a poodle?", effort=effort))[0] == "My puppy is a poodle."

    def test_finds_by_words_what_has_no_vector_yet(self, memory: Memory):
        memory.say(("Alice", "The zeppelin landed."), is_embedded=False)
        assert texts(memory.ask("Where did the zeppelin land?")) == ["The zeppelin landed."]

    @pytest.mark.parametrize("is_filed_meanwhile", [False, True])
    def test_puts_what_was_just_said_before_what_is_filed(
        self, memory: Memory, monkeypatch: pytest.MonkeyPatch, is_filed_meanwhile
    ):
        for said in memory.say(*(("Alice", f"The code of crate {n} is no secret.") for n in range(4))):
            memory.learn(said.text, said)
        (new,) = memory.say(("Alice", "The code of crate 7 is zorro."), is_embedded=False)
        memory.shelf.put(replace(new, is_filed=False))

        def search_and_file(*asked, **led):
            found = search_kind(*asked, **led)
            if is_filed_meanwhile and not memory.shelf.turns[new.id].is_filed:
                memory.learn(new.text, new)
                memory.shelf.put(new)
            return found

        monkeypatch.setattr("memory.services.recall_find.search_kind", search_and_file)
        recalled = memory.ask("Which crate has the code zorro?", effort=Effort.FAST)
        assert texts(recalled)[0] == new.text

    def test_finds_any_language_by_its_words(self, memory: Memory):
        memory.say(("小明", "我住在柏林的一个小公寓里"), ("小明", "今天天气很好"))
        assert texts(memory.ask("小明住在柏林吗？"))[0] == "我住在柏林的一个小公寓里"

    def test_puts_a_record_before_the_turn_that_it_rests_on(self, memory: Memory):
        (said,) = memory.say(("Alice", "I moved to Berlin."))
        fact = memory.learn("Alice lives in Berlin.", said)
        recalled = memory.ask("Where is the home of Alice in Berlin?")
        assert [hit.id for hit in recalled.hits] == [fact.id]
        assert reasons(recalled)["I moved to Berlin."] == COVERED

    def test_prefers_the_named_person(self, memory: Memory):
        memory.say(
            ("Ben", "I drink coffee."), ("Alice", "I drink coffee."), ("Ben", "Well."), session_id=uuid4()
        )
        assert memory.ask("What does alice drink?").hits[0].subject == "Alice"

    def test_knows_who_asks_about_themself(self, memory: Memory):
        memory.say(("Ben", "My dog is brown."), ("Alice", "My dog is white."))
        assert memory.ask("What colour has my dog?").hits[0].subject == memory.user.speaker == "Alice"

    def test_leaves_the_assistants_words_behind_a_persons(self, memory: Memory):
        memory.say(("", "Your dog drinks tea."), ("Alice", "My dog drinks tea."))
        assert memory.ask("What drinks the dog?").hits[0].source_role is Role.USER

    def test_does_not_answer_a_question_with_itself(self, memory: Memory):
        memory.say(("Alice", "Where is the dog of Ben?"), ("Alice", "Rex is at the office with Ben."))
        recalled = memory.ask("Where is the dog of Ben?")
        assert texts(recalled) == ["Rex is at the office with Ben."]
        assert reasons(recalled)["Where is the dog of Ben?"] == ECHO
        more = memory.ask("Where is the puppy of Ben?")
        assert "Where is the dog of Ben?" in texts(more)

    def test_prefers_what_lies_in_the_time_asked_about(self, memory: Memory):
        memory.say(("Alice", "I drink tea."), at=MONDAY, session_id=uuid4())
        memory.say(("Alice", "I drink tea."), at=MONDAY + timedelta(days=9), session_id=uuid4())
        first = memory.ask("What did Alice drink on 4 May 2026?").hits[0]
        assert first.said_at == MONDAY

    def test_obeys_top_k_from_one_upwards(self, memory: Memory):
        memory.say(*[("Alice", f"My dog number {n} barks.") for n in range(12)])
        for top_k in (1, 3, 12, 100):
            assert len(memory.ask("Which dog barks?", top_k=top_k).hits) == min(top_k, 12)

    def test_finds_nothing_in_an_empty_space(self, memory: Memory):
        recalled = memory.ask("Where does Alice live?")
        assert recalled.hits == ()
        assert recalled.context == ""
        assert recalled.context_tokens == 0

    @pytest.mark.parametrize("question", ["?!", " ", "5", "\u2026"])
    def test_of_a_question_without_words_is_empty(self, memory: Memory, question):
        memory.say(("Alice", "I live in Berlin."))
        assert memory.ask(question).hits == ()

    def test_of_a_giant_question_is_answered(self, memory: Memory):
        memory.say(("Alice", "My dog is called Rex."))
        assert memory.ask("What is the name of the dog? " + "ha " * 2_000).hits


class TestTheFloor:
    def test_a_question_about_nothing_stored_returns_nothing_and_says_why(self, memory: Memory):
        memory.say(("Alice", "I live in Berlin."), ("Ben", "I drink tea."))
        recalled = memory.ask("Which volcano erupted?")
        assert recalled.hits == ()
        assert reasons(recalled) == {"I live in Berlin.": WEAK, "I drink tea.": WEAK}

    def test_scores_are_absolute_and_a_minimum_is_obeyed(self, memory: Memory):
        memory.say(("Alice", "My dog barks."), ("Alice", "My office has a dog."))
        recalled = memory.ask("Does the dog bark?")
        assert all(0 <= hit.score <= 1 for hit in recalled.hits)
        assert recalled.hits[0].score == pytest.approx(1.0)
        assert texts(memory.ask("Does the dog bark?", min_score=0.9)) == ["My dog barks."]

    def test_is_higher_for_a_question_that_names_nobody_known(self, memory: Memory):
        memory.say(("Alice", "I drink tea at home in my city."))
        halfway = replace(
            RecallConfig.STANDARD, question_floor=Floor(0.3, 0.3), nameless_floor=Floor(0.99, 0.99)
        )
        assert memory.ask("Does Alice drink coffee?", config=halfway).hits
        assert memory.ask("Does Zoe drink coffee?", config=halfway).hits == ()

    def test_without_a_vector_half_of_the_words_are_enough(self, memory: Memory):
        memory.say(*(("Alice", text) for text in ("Box 4711 0815.", "My dog.", "My tea.", "My job.")))
        digits = "4711 0815 99999?"  # which the embedder cannot read
        assert texts(memory.ask(digits)) == ["Box 4711 0815."]
        strict = replace(RecallConfig.STANDARD, words_floor=RecallConfig.STANDARD.nameless_floor)
        assert memory.ask(digits, config=strict).hits == ()

    def test_is_a_recipe(self, memory: Memory):
        memory.say(("Alice", "I live in Berlin."))
        none = Floor(-1, 0)
        anything = replace(RecallConfig.STANDARD, nameless_floor=none, words_floor=none, item_floor=none)
        assert memory.ask("Which volcano erupted?", config=anything).hits


class TestSight:
    def test_what_is_private_is_its_owners_alone(self, memory: Memory):
        bob = make_user("bob")
        memory.say(("Alice", "My dog is secret."), owner=memory.user)
        memory.learn("Alice has a secret dog.", owner=memory.user)
        assert memory.ask("Whose dog is secret?").hits
        assert memory.ask("Whose dog is secret?", user=bob).hits == ()

    def test_another_space_with_the_same_texts_stays_out(self, memory: Memory):
        stranger = Memory(Space.objects.create(slug="other", name="Other"), make_user("eve"), memory.shelf)
        for each in (memory, stranger):
            each.say(("Alice", "My dog is called Rex."))
        own = {turn.id for turn in memory.shelf.turns.values() if turn.space_id == memory.space.id}
        assert {hit.id for hit in memory.ask("What is the dog called?").hits} <= own

    def test_excluded_sessions_and_turns_are_not_recalled(self, memory: Memory):
        session = uuid4()
        (seen,) = memory.say(("Alice", "My dog is called Rex."))
        (other,) = memory.say(("Alice", "The dog is called Bello."), session_id=session)
        ask = "What is the dog called?"
        assert other.id not in {hit.id for hit in memory.ask(ask, exclude=[session]).hits}
        recalled = memory.ask(ask, exclude_turn_ids=frozenset({seen.id}))
        assert [hit.id for hit in recalled.hits] == [other.id]

    def test_a_stale_index_entry_is_checked_before_the_cut(self, memory: Memory):
        gone, stays = memory.say(("Alice", "My dog is Rex."), ("Alice", "Rex the dog barks."))
        del memory.shelf.turns[gone.id]
        assert [hit.id for hit in memory.ask("Is Rex a dog?", top_k=1).hits] == [stays.id]

    def test_an_expired_record_is_not_recalled_even_from_a_stale_index(self, memory: Memory):
        fact = memory.learn("Alice lives in Berlin.")
        fact.expired_at = LATER
        fact.save()
        assert memory.ask("Who lives in Berlin?").hits == ()

    def test_what_only_the_assistant_claimed_is_recalled_when_asked_for_it(self, memory: Memory):
        memory.learn(
            "The assistant recommended tea.",
            source_role=Role.ASSISTANT,
            is_confirmed=False,
            subject="assistant",
        )
        assert memory.ask("Is tea recommended to drink?").hits == ()
        assert memory.ask("Which tea did you recommend?").hits


class TestTime:
    def test_as_of_asks_what_was_true_then(self, memory: Memory):
        moved = MONDAY + timedelta(days=10)
        memory.learn("Alice lives in Paris.", valid_from=MONDAY, valid_to=moved)
        memory.learn("Alice lives in Berlin.", valid_from=moved, said_at=moved)
        ask = "In which city does Alice live?"
        assert texts(memory.ask(ask, as_of=MONDAY + timedelta(days=1))) == ["Alice lives in Paris."]
        assert texts(memory.ask(ask, as_of=moved)) == ["Alice lives in Berlin."]

    def test_as_of_leaves_out_what_was_said_later_and_keeps_past_events(self, memory: Memory):
        memory.say(("Alice", "I moved to a flat."), at=LATER)
        memory.learn(
            "Alice moved to Berlin.",
            memory_type=MemoryType.EVENT,
            valid_from=MONDAY,
            valid_to=MONDAY + timedelta(days=1),
        )
        recalled = memory.ask("Where has Alice moved?", as_of=MONDAY + timedelta(days=5))
        assert texts(recalled) == ["Alice moved to Berlin."]

    def test_known_at_asks_what_was_known_then(self, memory: Memory):
        memory.learn("Alice lives in Paris.", learned_at=MONDAY)
        memory.learn("Alice lives in Berlin.", learned_at=LATER)
        ask = "In which city does Alice live?"
        assert texts(memory.ask(ask, known_at=MONDAY)) == ["Alice lives in Paris."]

    def test_what_was_imported_later_was_not_known_then(self, memory: Memory):
        memory.say(("Alice", "My dog drinks tea."), at=MONDAY, learned_at=LATER)
        ask = "What does the dog drink?"
        assert memory.ask(ask, known_at=LATER - timedelta(days=1)).hits == ()
        assert texts(memory.ask(ask, known_at=LATER)) == ["My dog drinks tea."]
        assert texts(memory.ask(ask, as_of=LATER - timedelta(days=1))) == ["My dog drinks tea."]

    def test_known_at_finds_what_has_been_expired_since(self, memory: Memory):
        fact = memory.learn("Alice lives in Paris.", learned_at=MONDAY)
        memory.expire(fact, LATER)
        ask = "In which city does Alice live, Paris?"
        assert memory.ask(ask).hits == ()
        assert texts(memory.ask(ask, known_at=MONDAY)) == ["Alice lives in Paris."]
        assert memory.ask(ask, known_at=MONDAY, entities=("Rome",)).hits == ()
        assert memory.ask(ask, known_at=LATER).hits == ()

    def test_of_one_attribute_the_newest_statement_comes_first(self, memory: Memory):
        memory.learn("Alice lives in Paris, her home city.", slot="residence", valid_from=MONDAY)
        memory.learn("Alice moved, a flat.", slot="residence", valid_from=LATER)
        recalled = memory.ask("What is the home city of Alice, Paris?")
        assert texts(recalled)[0] == "Alice moved, a flat."
        assert recalled.context.index("a flat") < recalled.context.index("Paris")


class TestFilters:
    def test_types_leave_records_of_those_types(self, memory: Memory):
        memory.say(("Alice", "I drink tea."))
        memory.learn("Alice drinks coffee.", memory_type=MemoryType.PREFERENCE)
        memory.learn("Alice drinks tea.", memory_type=MemoryType.FACT)
        recalled = memory.ask("What does Alice drink?", types=frozenset({MemoryType.PREFERENCE}))
        assert texts(recalled) == ["Alice drinks coffee."]

    def test_entities_leave_what_is_about_them(self, memory: Memory):
        memory.learn("The dog is called Rex.", entities=["Rex"])
        memory.learn("The dog is called Bello.", entities=["Bello"])
        memory.say(("Ben", "Rex is my dog."), ("Ben", "Bello is my dog."))
        found = memory.ask("What is the dog called?", entities=("rex",))
        assert set(texts(found)) == {"The dog is called Rex.", "Rex is my dog."}


class TestTheContext:
    def test_quotes_each_hit_with_the_turns_around_it(self, memory: Memory):
        memory.say(("Ben", "Any pets?"), ("Alice", "My dog is called Rex."), ("Ben", "Cute."))
        hit = memory.ask("What is the dog called?", top_k=1).hits[0]
        assert [(each.text, each.is_neighbour) for each in hit.evidence] == [
            ("My dog is called Rex.", False),
            ("Any pets?", True),
            ("Cute.", True),
        ]

    def test_stays_inside_the_token_budget_and_names_what_it_cost(self, memory: Memory):
        memory.say(*[("Alice", f"My dog number {n} barks. " + "woof " * 60) for n in range(10)])
        for budget in (60, 200, 700):
            recalled = memory.ask("Which dog barks?", context_tokens=budget)
            assert recalled.context_tokens == token_counter().count(recalled.context) <= budget
            assert OVER_BUDGET in reasons(recalled).values()

    def test_is_shortened_rather_than_left_out(self, memory: Memory):
        memory.say(("Alice", "My dog barks. " + "woof " * 3_000))
        recalled = memory.ask("Which dog barks?", context_tokens=150)
        assert len(recalled.hits) == 1
        assert "[…]" in recalled.context

    def test_explains_every_hit(self, memory: Memory):
        (said,) = memory.say(("Alice", "I live in Berlin."))
        memory.learn("Alice lives in Berlin.", said)
        hit = memory.ask("Does Alice live in Berlin?").hits[0]
        assert "Alice, named in the question" in hit.reason
        assert "a record and a turn agree" in hit.reason
        own = memory.ask("Do I live in Berlin?").hits[0]
        assert "it is about the person asking" in own.reason
        assert "named" not in own.reason
        assert {"cosine", "matched_share", "dense", "bm25"} <= set(hit.breakdown)


class TestTheLog:
    def test_is_one_row_a_recall_and_the_askers_own(self, memory: Memory):
        memory.say(("Alice", "I live in Berlin."))
        recalled = memory.ask("Who lives in Berlin?", session_id=memory.session_id)
        (log,) = RetrievalLog.objects.for_space(memory.space.id)
        assert (log.id, log.private_to_id, log.user_id) == (recalled.log_id, memory.user.id, memory.user.id)
        assert log.session_id == memory.session_id
        assert log.outcome == RetrievalLog.Outcome.OPEN
        assert [hit["id"] for hit in log.hits] == [str(hit.id) for hit in recalled.hits]
        assert {"plan", "embed", "search", "hydrate", "rank", "select"} <= set(log.timings_ms)

    def test_is_written_for_an_empty_recall_too(self, memory: Memory):
        assert memory.ask("Where is it?").log_id is not None

    def test_keeps_the_plan(self, memory: Memory):
        memory.ask("What did I drink yesterday?")
        (log,) = RetrievalLog.objects.for_space(memory.space.id)
        assert log.plan["origin"] == "offline"
        assert len(log.plan["routes"][0]["time_range"]) == 2


def test_small_talk_searches_nothing_and_says_so(memory: Memory):
    memory.say(("Alice", "Thanks for the tea."))
    recalled = memory.ask("Thanks!")
    assert recalled.hits == ()
    assert SMALL_TALK in recalled.notes


def test_each_half_can_be_recalled_alone(memory: Memory):
    memory.say(("Alice", "I live in Berlin."))
    memory.learn("Alice lives in Berlin.")
    turns_alone = replace(RecallConfig.STANDARD, are_records_recalled=False)
    records_alone = replace(RecallConfig.STANDARD, are_turns_recalled=False)
    for kind, config in ((Kind.TURN, turns_alone), (Kind.RECORD, records_alone)):
        recalled = memory.ask("Who lives in Berlin?", config=config)
        assert {hit.kind for hit in recalled.hits} == {kind}


class TestWhatWasExpired:
    ASK = "Who is the dentist?"

    def test_is_not_recalled_from_the_turn_that_said_it_either(self, memory: Memory):
        (said,) = memory.say(("Alice", "My dentist is Doctor Weiss."))
        row = memory.learn("Alice's dentist is Doctor Weiss.", said)
        memory.expire(row, LATER)
        recalled = memory.ask(self.ASK)
        assert recalled.hits == ()
        assert reasons(recalled) == {"My dentist is Doctor Weiss.": EXPIRED}
        assert "Weiss" not in recalled.context

    def test_is_not_quoted_around_another_turn_either(self, memory: Memory):
        said, _ = memory.say(("Alice", "My dentist is Doctor Weiss."), ("Alice", "My dog is called Rex."))
        memory.expire(memory.learn("Alice's dentist is Doctor Weiss.", said), LATER)
        recalled = memory.ask("What is the dog called?")
        assert texts(recalled) == ["My dog is called Rex."]
        assert "Weiss" not in recalled.context

    def test_is_not_recalled_from_a_reply_that_repeats_it(self, memory: Memory):
        said, _ = memory.say(
            ("Alice", "My dentist is Doctor Weiss."), ("", "Noted: your dentist is Doctor Weiss.")
        )
        memory.expire(memory.learn("Alice's dentist is Doctor Weiss.", said), LATER)
        assert memory.ask(self.ASK).hits == ()

    def test_leaves_a_turn_that_says_something_else_still_known(self, memory: Memory):
        (said,) = memory.say(("Alice", "My dentist is Doctor Weiss and I drink tea."))
        memory.expire(memory.learn("Alice's dentist is Doctor Weiss.", said), LATER)
        memory.learn("Alice drinks tea.", said)
        assert said.text in texts(memory.ask(self.ASK))

    def test_is_found_again_by_what_was_known_before(self, memory: Memory):
        (said,) = memory.say(("Alice", "My dentist is Doctor Weiss."))
        memory.expire(memory.learn("Alice has a dentist.", said), LATER)
        before = memory.ask(self.ASK, known_at=LATER - timedelta(days=1))
        after = memory.ask(self.ASK, known_at=LATER + timedelta(days=1))
        assert said.text in [each.text for hit in before.hits for each in hit.evidence]
        assert after.hits == ()

    def test_of_somebody_elses_private_records_changes_nothing(self, memory: Memory):
        (said,) = memory.say(("Alice", "My dentist is Doctor Weiss."))
        row = memory.learn("Alice's dentist is Doctor Weiss.", said, owner=make_user("bob"))
        memory.expire(row, LATER)
        assert texts(memory.ask(self.ASK)) == [said.text]


def test_a_later_denial_stands_before_what_it_takes_back(memory: Memory):
    memory.say(("Alice", "I drink tea at work."))
    memory.say(("Alice", "I don't drink tea at work anymore."), at=LATER)
    memory.say(("Bob", "I never drink tea."), at=LATER)
    found = texts(memory.ask("Do I drink tea?"))
    assert found.index("I don't drink tea at work anymore.") < found.index("I drink tea at work.")
