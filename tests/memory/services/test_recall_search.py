"""The channels of one kind: merged, shortlisted, and words alone when vectors fail."""

import pytest

from memory.config import RecallConfig
from memory.domain.types import Kind, Plan, Reader, RecallRequest
from memory.errors import ProviderUnavailable
from memory.models import IndexState
from memory.services import recall_search
from memory.services.recall_plan import Asked, embed, prepare
from memory.services.recall_search import NO_VECTORS, is_named, search_kind
from tests.memory.recalling import LATER, Memory, texts

pytestmark = pytest.mark.django_db


def asked(memory: Memory, question: str, config: RecallConfig = RecallConfig.STANDARD) -> Asked:
    request = RecallRequest(question, Reader(memory.space.id, memory.user.id), LATER, "UTC")
    made = prepare(request, config, Plan(), [])
    return embed(made)[0]


class TestAShortlist:
    def test_holds_what_meaning_or_words_found_best_first(self, memory: Memory):
        dog, zeppelin, tea = memory.say(
            ("Alice", "My puppy barks."), ("Ben", "A zeppelin!"), ("Ben", "I drink tea.")
        )
        found = search_kind([asked(memory, "Does the dog like a zeppelin?")], Kind.TURN)[0]
        assert {entry.uid for entry in found.entries[:2]} == {dog.id, zeppelin.id}
        assert found.entries[-1].uid == tea.id
        assert found.cosines[[entry.uid for entry in found.entries].index(dog.id)] > 0.5
        assert found.shares[[entry.uid for entry in found.entries].index(zeppelin.id)] > 0

    def test_lets_the_named_speaker_lead(self, memory: Memory):
        _, ann = memory.say(("Ben", "I drink tea."), ("Ann", "I drink tea."))
        found = search_kind([asked(memory, "What does Ann drink?")], Kind.TURN)[0]
        assert found.entries[0].uid == ann.id
        assert found.scored.channels["speaker"].tolist() == [1, 0]

    def test_is_as_long_as_the_recipe_says_but_never_shorter_than_top_k_needs(self, memory: Memory):
        memory.say(*[("Alice", f"My dog barks {n}.") for n in range(30)])
        small = RecallConfig(shortlist=4, hydrated=2, top_k=3)
        assert len(search_kind([asked(memory, "Which dog?", small)], Kind.TURN)[0].entries) == 6

    def test_of_an_empty_space_is_empty(self, memory: Memory):
        assert search_kind([asked(memory, "Which dog?")], Kind.RECORD)[0].entries == ()


class TestWithoutVectors:
    def test_of_another_embedder_words_are_left_and_the_command_is_named(self, memory: Memory):
        memory.say(("Alice", "The dog is called Rex."))
        IndexState.objects.update(embedder="another", dimension=7)
        recalled = memory.ask("What is the dog called?")
        assert texts(recalled) == ["The dog is called Rex."]
        assert any("rebuild_index" in note for note in recalled.notes)
        assert len(recalled.notes) == 1

    def test_of_a_store_that_is_down_words_are_left_and_it_is_said(
        self, memory: Memory, monkeypatch: pytest.MonkeyPatch
    ):
        memory.say(("Alice", "The dog is called Rex."))

        def down() -> None:
            raise ProviderUnavailable

        monkeypatch.setattr(recall_search, "vector_index", down)
        recalled = memory.ask("What is the dog called?")
        assert texts(recalled) == ["The dog is called Rex."]
        assert recalled.notes == (NO_VECTORS,)


@pytest.mark.parametrize(
    ("speaker", "names", "is_it"),
    [("Ann", ("ann",), True), ("Ánn", ("Ann",), True), ("Anna", ("Ann",), False), ("", ("Ann",), False)],
)
def test_names_are_compared_folded(speaker, names, is_it):
    assert is_named(speaker, names) is is_it
