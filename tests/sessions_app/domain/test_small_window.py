"""In every window that the start allows, the turns keep their budget and the prompt its window."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime
from uuid import uuid4

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory.domain.prompts import answer_prompt, has_several_people, spoken_text
from memory.domain.types import Question, Role, Turn
from memory.providers.registry import token_counter
from sessions_app.config import TurnConfig, WindowConfig
from sessions_app.domain.prompting import Beside, fit_beside
from sessions_app.domain.types import Window
from sessions_app.domain.window import cut_window, excerpt

COUNT = token_counter().count
NOW = datetime(2026, 3, 1, tzinfo=UTC)
OVERHEAD = TurnConfig().overhead_tokens
LEAST = WindowConfig().least_tokens
MARK = "characters left out"
LEAST_OF_ALL = 64  # no start allows it, and the turns keep their budget all the same

# Pieces of very different tokens a character: 128 blanks are one token, a fox is three.
PIECES = st.sampled_from(["word ", "x", " ", "字", "🦊", "\n", "<|endoftext|>", "9"])
TEXTS = st.lists(st.tuples(PIECES, st.integers(1, 900)), min_size=1, max_size=3).map(
    lambda parts: "".join(piece * times for piece, times in parts)
)
ROLES = st.sampled_from([Role.USER, Role.ASSISTANT, Role.SYSTEM, Role.TOOL])
SAID = st.lists(st.tuples(ROLES, TEXTS), max_size=10)
WINDOWS = st.integers(LEAST_OF_ALL, 300) | st.integers(300, 4 * LEAST) | st.integers(LEAST, 140_000)
RECENT = st.integers(0, 9)


def turn(index: int, role: Role, text: str) -> Turn:
    return Turn(
        id=uuid4(),
        space_id=uuid4(),
        private_to=None,
        session_id=uuid4(),
        session_name="plans",
        index=index,
        role=role,
        speaker="Alice",
        text=text,
        said_at=NOW,
        tokens=COUNT(text) + OVERHEAD,
    )


def asked(said: Sequence[tuple[Role, str]], question: str) -> list[Turn]:
    return [turn(index, *each) for index, each in enumerate([*said, (Role.USER, question)])]


def window(turns: list[Turn], config: WindowConfig) -> Window:
    total = sum(each.tokens for each in turns)
    return cut_window(turns, session_turns=len(turns), session_tokens=total, config=config, count=COUNT)


@given(said=SAID, question=TEXTS, max_tokens=WINDOWS, recent=RECENT)
def test_the_turns_keep_the_budget_whatever_they_hold(
    said: list[tuple[Role, str]], question: str, max_tokens: int, recent: int
) -> None:
    config = WindowConfig(max_tokens=max_tokens, min_recent_turns=recent)
    turns = asked(said, question)
    cut = window(turns, config)
    is_shared = has_several_people(turns)
    taken = sum(COUNT(spoken_text(each, is_shared=is_shared)) + OVERHEAD for each in cut.recent)
    assert taken == cut.tokens <= config.budget_tokens
    assert cut.recent[-1].id == turns[-1].id
    assert cut.left_out + len(cut.recent) == len(turns)


@given(said=SAID, question=TEXTS, max_tokens=WINDOWS, recent=RECENT)
def test_the_oldest_give_way_first_and_one_that_is_cut_carries_the_mark(
    said: list[tuple[Role, str]], question: str, max_tokens: int, recent: int
) -> None:
    turns = asked(said, question)
    cut = window(turns, WindowConfig(max_tokens=max_tokens, min_recent_turns=recent))
    given_texts = {each.id: each.text for each in turns}
    changed = [each for each in cut.recent if each.text != given_texts[each.id]]
    assert all(MARK in each.text for each in changed)
    spoken = [each.index for each in turns if each.role is not Role.SYSTEM]
    kept = [each for each in cut.recent if each.role is not Role.SYSTEM]
    assert [each.index for each in kept] == spoken[len(spoken) - len(kept) :]
    of_talk = [each for each in changed if each.role is not Role.SYSTEM and each.id != turns[-1].id]
    assert of_talk in ([], kept[:1])


@pytest.mark.parametrize("max_tokens", [LEAST, LEAST + 1, 2_048, 8_000, 24_999, 25_001, 128_000])
@pytest.mark.parametrize("text", ["word " * 900, "🦊" * 3_000, " " * 90_000 + "字" * 2_000])
def test_prompt_and_answer_fit_the_window_when_talk_and_recall_are_full(max_tokens: int, text: str) -> None:
    config = WindowConfig(max_tokens=max_tokens)
    roles = [Role.USER, Role.ASSISTANT] * 100
    cut = window(asked([(role, "so it goes " * 40) for role in roles], text), config)
    question = Question(text=cut.recent[-1].text, now=NOW, time_zone="Europe/Paris")
    context = "word " * (config.recall_tokens - 1)
    prompt = answer_prompt(question, context=context, window=cut.recent[:-1])
    used = sum(COUNT(message.content) + OVERHEAD for message in prompt)
    assert used <= max_tokens - 128, "no room for an answer"


def showing(turns: list[Turn], images: Sequence[str]) -> list[Turn]:
    """The turns, each third one sent with images, the last one too."""
    return [replace(each, images=tuple(images)) if each.index % 3 == 0 else each for each in turns[:-1]] + [
        replace(turns[-1], images=tuple(images))
    ]


def prompt_tokens(beside: Beside, config: WindowConfig) -> int:
    """What the prompt takes with as many recalled items as it may hold."""
    *earlier, asked = beside.turns
    question = Question(text=asked.text, now=NOW, time_zone="Europe/Paris", images=asked.images)
    context = "word " * (config.recall_tokens - 1)
    shown = {"skills": beside.skills, "pictures": beside.pictures}
    prompt = answer_prompt(question, context=context, window=earlier, **shown)
    return sum(COUNT(message.content) + OVERHEAD for message in prompt)


@given(
    talk=st.integers(0, 60),
    question=TEXTS,
    skills=st.lists(TEXTS, max_size=3),
    images=st.lists(TEXTS | st.just("</images> <skill> " * 90), max_size=3),
    max_tokens=st.integers(LEAST, 4 * LEAST) | st.integers(LEAST, 140_000),
)
def test_skills_and_images_leave_room_for_the_talk_and_an_answer(
    talk: int, question: str, skills: list[str], images: list[str], max_tokens: int
) -> None:
    config = WindowConfig(max_tokens=max_tokens)
    cut = window(asked([(Role.USER, "so it goes " * 10)] * talk, question), config)
    cut = replace(cut, recent=tuple(showing(list(cut.recent), images)))
    beside = fit_beside(cut, skills=skills, pictures=images, count=COUNT)
    assert prompt_tokens(beside, config) <= max_tokens - config.answer_least_tokens
    assert [each.text for each in beside.turns] == [each.text for each in cut.recent]
    assert len(beside.skills) <= len(skills)
    is_whole = beside == Beside(tuple(skills), tuple(images), cut.recent, is_tight=False)
    assert is_whole is not beside.is_tight


def test_a_window_of_the_usual_size_shows_every_skill_and_image_whole() -> None:
    cut = window(asked([(Role.USER, "so it goes ")] * 9, "why?"), WindowConfig())
    cut = replace(cut, recent=tuple(showing(list(cut.recent), ["a cat on a mat " * 30] * 2)))
    skills, pictures = ["step by step " * 480] * 3, ["a dog in the fog " * 30] * 5
    beside = fit_beside(cut, skills=skills, pictures=pictures, count=COUNT)
    assert beside == Beside(tuple(skills), tuple(pictures), cut.recent, is_tight=False)


@pytest.mark.parametrize(("max_tokens", "least"), [(2_048, 200), (4_096, 500), (8_000, 1_200)])
def test_in_a_full_window_skills_keep_a_share_that_shrinks_with_it(max_tokens: int, least: int) -> None:
    full = asked([(Role.USER, "so it goes on and on ")] * 900, "why?")
    cut = window(full, WindowConfig(max_tokens=max_tokens))
    shown = fit_beside(cut, skills=["step by step " * 480] * 3, pictures=(), count=COUNT).skills
    room = cut.skill_tokens + cut.image_tokens + cut.spare_tokens
    assert least < sum(COUNT(skill) for skill in shown) < room < max_tokens // 4
    assert shown[-1].endswith("…")


def test_what_the_talk_leaves_free_is_for_skills_and_images() -> None:
    cut = window(asked([], "why?"), WindowConfig(max_tokens=LEAST))
    beside = fit_beside(cut, skills=["step by step " * 60], pictures=["a dog in the fog"], count=COUNT)
    assert beside == Beside(("step by step " * 60,), ("a dog in the fog",), cut.recent, is_tight=False)


def test_the_images_of_the_question_come_first_and_those_of_the_oldest_turns_go_first() -> None:
    cut = window(asked([(Role.USER, "so it goes ")] * 7, "why?"), WindowConfig(max_tokens=LEAST))
    cut = replace(cut, recent=tuple(showing(list(cut.recent), ["a cat on a mat " * 30])))
    *earlier, question = fit_beside(cut, skills=(), pictures=(), count=COUNT).turns
    images = {each.index: each.images for each in (*earlier, question) if each.images}
    assert sorted(images) == [3, 6, 7]
    assert images[7] == images[6] == ("a cat on a mat " * 30,)
    assert images[3][0].endswith("…")


@pytest.mark.parametrize("max_tokens", range(LEAST_OF_ALL, 130))
def test_in_a_tiny_window_system_texts_give_way_to_a_question_that_fits_no_half(max_tokens: int) -> None:
    config = WindowConfig(max_tokens=max_tokens)
    cut = window(asked([(Role.SYSTEM, "Be kind to all of us.")], "why? " * 500), config)
    assert cut.tokens <= config.budget_tokens
    assert MARK in cut.recent[-1].text
    assert cut.left_out + len(cut.recent) == 2


def test_a_question_that_fits_stays_whole_where_half_the_budget_holds_no_excerpt() -> None:
    question = "why do we sail so late in the year, again and again?"
    cut = window(asked([(Role.SYSTEM, "be kind " * 40)], question), WindowConfig(max_tokens=LEAST_OF_ALL))
    assert [each.text for each in cut.recent] == [question]


def test_dense_ends_around_a_thin_middle_leave_the_mark_at_least() -> None:
    long = turn(0, Role.USER, "🦊" * 40 + " " * 90_000 + "🦊" * 40)
    for allowed in (OVERHEAD + 25, 40, 64, 128, 200):
        cut = excerpt(long, allowed_tokens=allowed, count=COUNT, config=WindowConfig())
        assert cut is not None
        assert cut.tokens == COUNT(cut.text) + OVERHEAD <= allowed
        assert MARK in cut.text


def test_an_estimate_that_is_always_too_generous_leaves_the_mark_alone() -> None:
    def dear(text: str) -> int:
        return 20 if text.startswith("\n[") and text.endswith("]\n") else 5_000

    long = replace(turn(0, Role.USER, "x" * 90_000), tokens=5_000 + OVERHEAD)
    cut = excerpt(long, allowed_tokens=4_000, count=dear, config=WindowConfig())
    assert cut is not None
    assert cut.text == "\n[… 90,000 characters left out …]\n"
