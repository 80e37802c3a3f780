"""The promises of the LanguageModel port, held by every adapter."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest

from memory.domain.summaries import SECTIONS, Summary, SummaryRequest, summary_text
from memory.domain.types import EncodedRecord, Fragment, MemoryType, Plan, Role, Turn
from memory.ports import AnswerRequest, LanguageModel
from memory.providers.litellm_call import ModelClient
from memory.providers.litellm_language import LiteLLMLanguage
from memory.providers.model_settings import ModelSettings
from memory.providers.offline_language import OfflineLanguage
from memory.providers.tokens import TiktokenCounter
from tests.memory.prompting import question, segment, turn
from tests.model_server import ModelServer

TALK = segment(
    turn(3, "I moved to Berlin yesterday. My sister Rose lives in Paris."),
    turn(4, "Congratulations on the move!", role=Role.ASSISTANT),
    turn(5, "I never eat meat."),
    zone="Europe/Berlin",
)
ODD_TEXTS = [
    "",
    " \n",
    "\ud800",
    "\x00",
    "a" * 20_000,
    "<|endoftext|>",
    "</turns>",
    "👍",
    "{}",
    '{"records": [',
]


@pytest.fixture(params=["offline", "litellm"])
def adapter(request: pytest.FixtureRequest) -> Iterator[LanguageModel]:
    if request.param == "offline":
        yield OfflineLanguage()
        return
    with ModelServer() as server:
        yield LiteLLMLanguage(ModelClient(ModelSettings("openai/test-model", api_base=server.url)))


def assert_sound(record: EncodedRecord) -> None:
    assert record.memory_type in MemoryType
    assert record.semantic_text.strip() == record.semantic_text != ""
    assert record.evidence_turns
    assert set(record.evidence_turns) <= {3, 4, 5}
    assert record.subject.casefold() not in ("", "user", "the user", "i")
    assert 0 <= record.confidence <= 1


def assert_sound_plan(plan: Plan) -> None:
    assert plan.mode in ("answer", "action", "mixed")
    assert plan.is_small_talk or plan.routes
    assert len(plan.routes) <= 6
    for route in plan.routes:
        assert 1 <= len(route.queries) <= 6
        assert route.time_range is None or route.time_range.start < route.time_range.end


def test_it_has_a_name(adapter: LanguageModel) -> None:
    assert adapter.name


def test_records_rest_on_turns_of_the_segment_and_name_their_subject(adapter: LanguageModel) -> None:
    encoding = adapter.encode(TALK)
    assert encoding.records
    for record in encoding.records:
        assert_sound(record)
    assert any("Berlin" in record.semantic_text for record in encoding.records)
    assert {record.subject for record in encoding.records} & {"Alice", "Rose"}


def test_a_plan_has_a_query_and_names_what_the_question_names(adapter: LanguageModel) -> None:
    plan = adapter.plan(question("Where does my sister Rose live?"))
    assert_sound_plan(plan)
    assert "Rose" in plan.names


def test_an_answer_comes_in_pieces_of_text(adapter: LanguageModel) -> None:
    request = AnswerRequest(question("Where does Rose live?"), (), "[1] Rose lives in Paris.", ())
    pieces = list(adapter.answer(request))
    assert pieces
    assert all(isinstance(piece, str) for piece in pieces)
    assert "".join(pieces).strip()


def test_an_answer_may_be_abandoned(adapter: LanguageModel) -> None:
    answer = adapter.answer(AnswerRequest(question("Where does Rose live?"), (), "[1] Rose.", ()))
    next(iter(answer))
    answer.close()  # type: ignore[attr-defined]
    assert list(answer) == []


@pytest.mark.parametrize("text", ODD_TEXTS)
def test_odd_texts_never_raise(adapter: LanguageModel, text: str) -> None:
    for record in adapter.encode(segment(turn(3, text), turn(4, "I like tea and I live in Rome."))).records:
        assert_sound(record)
    assert_sound_plan(adapter.plan(question(f"What about {text}?")))


def test_the_language_of_the_text_stays(adapter: LanguageModel) -> None:
    encoding = adapter.encode(segment(turn(3, "我上个月搬到了柏林。", speaker="王伟")))
    assert encoding.records
    assert all("柏林" in record.semantic_text for record in encoding.records)


def test_threads_may_share_it(adapter: LanguageModel) -> None:
    expected = [record.semantic_text for record in adapter.encode(TALK).records]
    with ThreadPoolExecutor(4) as pool:
        made = list(pool.map(adapter.encode, [TALK] * 8))
    assert all([record.semantic_text for record in one.records] == expected for one in made)


FRAGMENTS = [
    Fragment("Rose has a sailing boat.", 0.8, 2),
    Fragment("Bob bakes bread.", 0.1, 9),
    Fragment("A boat needs care.", 0.7, 3),
]


def test_what_helps_is_told_by_places_and_the_abstract_are_of_it(adapter: LanguageModel) -> None:
    judged = adapter.judge("Which boat has Rose?", FRAGMENTS)
    assert 0 in judged.relevant
    assert 1 not in judged.relevant
    assert set(judged.abstract) <= set(judged.relevant)


def test_what_is_missing_is_at_most_a_few_queries(adapter: LanguageModel) -> None:
    assert adapter.check_adequacy("Which boat?", FRAGMENTS).queries == ()
    queries = adapter.check_adequacy("Which zeppelin boat?", FRAGMENTS[1:2]).queries
    assert len(queries) <= 3
    assert all(query.strip() for query in queries)


def test_each_fragment_has_a_score_and_what_is_useful_is_cited(adapter: LanguageModel) -> None:
    made = adapter.synthesize("Which boat has Rose?", FRAGMENTS)
    assert len(made.scores) == len(FRAGMENTS)
    assert all(0 <= score <= 1 for score in made.scores)
    assert made.scores[0] >= 0.6 > made.scores[1]
    assert "[1]" in made.background_context
    assert "[2]" not in made.background_context


@pytest.mark.parametrize("text", ODD_TEXTS)
def test_odd_fragments_never_raise(adapter: LanguageModel, text: str) -> None:
    odd = [Fragment(f"Rose {text}", 0.7), Fragment("[1] Rose. </memory>", 0.6)]
    asked = f"Rose {text}?"
    assert set(adapter.judge(asked, odd).relevant) <= {0, 1}
    adapter.check_adequacy(asked, odd)
    assert len(adapter.synthesize(asked, odd).scores) == 2


BEFORE = Summary(goals=("Alice wants to sail.",), facts=("Bob bakes bread.",))


def summarize(
    adapter: LanguageModel, *turns: Turn, tokens: int = 300, previous: Summary | None = None
) -> Summary:
    return adapter.summarize(SummaryRequest(turns or TALK.turns, "Europe/Berlin", tokens, previous))


def test_a_summary_tells_what_was_said_in_its_sections(adapter: LanguageModel) -> None:
    told = summarize(adapter)
    assert "Berlin" in summary_text(told)
    assert set(told.sections) <= set(SECTIONS)


def test_a_summary_extends_the_one_before_it(adapter: LanguageModel) -> None:
    told = summary_text(summarize(adapter, previous=BEFORE))
    assert "Bob bakes bread." in told
    assert "Berlin" in told


@pytest.mark.parametrize("tokens", [30, 60, 120])
def test_a_summary_keeps_to_its_tokens(adapter: LanguageModel, tokens: int) -> None:
    long = [turn(n, f"My friend number {n} lives in a house with {n} windows in Porto.") for n in range(60)]
    told = summarize(adapter, *long, tokens=tokens)
    assert TiktokenCounter().count(summary_text(told)) <= tokens


def test_a_summary_speaks_the_language_of_the_conversation(adapter: LanguageModel) -> None:
    assert "柏林" in summary_text(summarize(adapter, turn(3, "我上个月搬到了柏林。", speaker="王伟")))


@pytest.mark.parametrize("text", ODD_TEXTS)
def test_odd_turns_are_summarised_too(adapter: LanguageModel, text: str) -> None:
    told = summarize(adapter, turn(3, text or " "), turn(4, "My sister Rose lives in Paris."))
    assert "Paris" in summary_text(told)


@pytest.mark.parametrize("text", ODD_TEXTS)
def test_each_group_of_texts_gets_a_title_on_one_line_or_none(adapter: LanguageModel, text: str) -> None:
    assert adapter.title([]) == ()
    titles = adapter.title([["Alice has a dog.", text], [text], ["Ben drinks tea."]])
    assert len(titles) == 3
    assert all(len(title.splitlines()) <= 1 and len(title) <= 80 for title in titles)
