"""The offline engine does the three tasks of its port without state."""

from datetime import UTC, datetime

from memory.domain.types import Question
from memory.ports import AnswerRequest, LanguageModel
from memory.providers.offline_language import OfflineLanguage
from tests.memory.talking import record_hit, segment

NOW = datetime(2026, 5, 7, tzinfo=UTC)


def test_it_is_a_language_model_named_offline():
    engine: LanguageModel = OfflineLanguage()
    assert engine.name == "offline"


def test_it_plans_encodes_and_answers():
    engine = OfflineLanguage()
    question = Question("Where does Alice live?", NOW, "UTC")
    assert engine.plan(question).origin == "offline"
    encoding = engine.encode(segment(("Alice", "I live in Paris.")))
    assert [record.semantic_text for record in encoding.records] == ["Alice lives in Paris."]
    hit = record_hit(encoding.records[0].semantic_text)
    assert "".join(engine.answer(AnswerRequest(question, (hit,), "", ()))) == "Alice lives in Paris. [1]"


def test_the_same_input_gives_the_same_output():
    said = segment(("Alice", "I live in Paris. I love jazz and my dog Rex."), ("Bob", "I hate rain in Cork."))
    assert OfflineLanguage().encode(said) == OfflineLanguage().encode(said)
