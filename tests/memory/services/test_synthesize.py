"""Fragments judged one by one; those of use become one text; nonsense drops nothing."""

from collections.abc import Sequence

import pytest

from memory.domain.types import Fragment, Synthesis
from memory.errors import ProviderUnavailable, ReplyFaulty
from memory.ports import Embedding
from memory.providers.offline_language import OfflineLanguage
from memory.services import synthesize as service
from memory.services.synthesize import NOT_SYNTHESIZED, synthesize
from tests.memory.recalling import TopicEmbedder

DOG, TEA, BOTH = "My dog barks.", "I drink tea.", "My dog drinks tea."


class Tokens(TopicEmbedder):
    """With token vectors, at no cost."""

    makes_tokens = True


class Down(Tokens):
    """An embedder that fails."""

    def embed(self, texts: Sequence[str], **_how: object) -> list[Embedding]:
        raise ProviderUnavailable


class Scripted(OfflineLanguage):
    """A model that says what it is told to."""

    def __init__(self, said: Synthesis | None) -> None:
        self.said = said
        self.shown: list[Fragment] = []

    def synthesize(
        self, question: str, fragments: Sequence[Fragment], *, on_usage: object = None
    ) -> Synthesis:
        self.shown = list(fragments)
        if self.said is None:
            raise ReplyFaulty
        return self.said


@pytest.fixture(autouse=True)
def embedder(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(service, "embedder", Tokens)


class TestByRules:
    def test_what_answers_is_quoted_and_numbered_anew(self):
        made = synthesize("dog?", [TEA, DOG, BOTH], language=OfflineLanguage())
        assert made.kept == (1, 2)
        assert made.background_context == f"{DOG} [1]\n{BOTH} [2]"
        assert made.scores == (0.0, 1.0, 1.0)
        assert made.notes == ()

    def test_the_best_of_what_is_near_is_the_measure(self):
        made = synthesize("dog tea zeppelin balloon", [BOTH, DOG], language=OfflineLanguage())
        assert made.scores[0] == 1.0
        assert made.kept[0] == 0

    def test_of_nothing_near_nothing_is_kept(self):
        made = synthesize("dog?", [TEA, "I drink coffee."], language=OfflineLanguage())
        assert (made.kept, made.background_context) == ((), "")

    @pytest.mark.parametrize("using", [TopicEmbedder, Down], ids=["no tokens", "down"])
    def test_words_decide_where_there_are_no_token_vectors(self, monkeypatch: pytest.MonkeyPatch, using):
        monkeypatch.setattr(using, "makes_tokens", using is Down, raising=False)
        monkeypatch.setattr(service, "embedder", using)
        made = synthesize("Which dog barks?", [TEA, DOG], language=OfflineLanguage())
        assert made.kept == (1,)
        assert made.background_context == f"{DOG} [1]"

    def test_the_bare_text_is_judged_and_the_dated_one_quoted(self):
        dated = ["I drink tea. (said by a dog)", f"{DOG} (said on Monday)"]
        made = synthesize("dog?", [TEA, DOG], shown=dated, language=OfflineLanguage())
        assert (made.kept, made.background_context) == ((1,), f"{DOG} (said on Monday) [1]")

    def test_of_no_fragments_is_empty(self):
        assert synthesize("dog?", []).background_context == ""


class TestByAModel:
    def test_its_scores_decide_and_its_citations_follow_what_is_kept(self):
        language = Scripted(Synthesis((0.59, 0.6, 1.0), "A dog [2] barks [3], and tea [1]."))
        made = synthesize("dog?", [TEA, DOG, BOTH], language=language)
        assert made.kept == (1, 2)
        assert made.background_context == "A dog [1] barks [2], and tea."

    def test_where_nothing_is_of_use_nothing_is_told(self):
        language = Scripted(Synthesis((0.1, 0.2, 0.0), "They speak of nothing [1]."))
        made = synthesize("cat?", [TEA, DOG, BOTH], language=language)
        assert (made.kept, made.background_context) == ((), "")

    def test_citations_in_one_bracket_follow_too(self):
        language = Scripted(Synthesis((0.1, 0.9, 1.0), "A dog barks [2, 3]."))
        assert (
            synthesize("dog?", [TEA, DOG, BOTH], language=language).background_context
            == "A dog barks [1][2]."
        )
        assert [each.text for each in language.shown] == [TEA, DOG, BOTH]
        synthesize("dog?", [TEA, DOG, BOTH], shown=["a", "b", "c"], language=language)
        assert [each.text for each in language.shown] == ["a", "b", "c"]

    def test_nonsense_drops_nothing_and_is_noted(self):
        made = synthesize("dog?", [TEA, DOG], language=Scripted(None))
        assert made.kept == (0, 1)
        assert made.background_context == f"{TEA} [1]\n{DOG} [2]"
        assert made.notes == (NOT_SYNTHESIZED,)

    @pytest.mark.parametrize("told", ["Once upon a time.", "All is well [9].", "Of tea [1]."])
    def test_a_text_that_cites_nothing_of_use_gives_way_to_quotations(self, told: str):
        language = Scripted(Synthesis((0.1, 0.9, 1.0), told))
        made = synthesize("dog?", [TEA, DOG, BOTH], language=language)
        assert made.background_context == f"{DOG} [1]\n{BOTH} [2]"
        assert (made.kept, made.notes) == ((1, 2), (NOT_SYNTHESIZED,))

    def test_long_fragments_are_cut_and_only_so_many_are_shown(self):
        language = Scripted(Synthesis((0.0,) * 100, ""))
        synthesize("dog?", ["word " * 900] * 130, language=language)
        assert len(language.shown) == 100
        assert len(language.shown[0].text) <= 1_500
