"""What is kept of a described skill, by whom it was taught, and what makes two of them one."""

from memory.domain.types import EncodedSkill, Role
from skills.config import SkillConfig
from skills.domain.extraction import (
    fit_text,
    intent_key,
    is_same_text,
    lesson_of,
    origin_of,
    says_the_same,
    shares_words,
    tools_named,
)
from skills.domain.types import Origin, SkillText
from tests.skills.teaching import DEPLOY, turn

CONFIG = SkillConfig()


def origin(*turns: tuple[Role, str], skill: EncodedSkill = DEPLOY, has_tools: bool = False) -> Origin:
    said = [turn(n, role, text) for n, (role, text) in enumerate(turns)]
    return origin_of(skill, said, has_tools=has_tools, config=CONFIG)


def test_whose_words_it_is_made_of_taught_it() -> None:
    assert origin((Role.USER, DEPLOY.doc_markdown)) is Origin.TAUGHT
    assert origin((Role.ASSISTANT, DEPLOY.doc_markdown), (Role.USER, "Thanks!")) is Origin.SUGGESTED
    assert origin((Role.USER, "Do it."), (Role.TOOL, "done")) is Origin.OBSERVED
    assert origin() is Origin.SUGGESTED


def test_a_question_that_names_half_of_it_teaches_nothing() -> None:
    asked = (Role.USER, "How do I push the image and restart the pods?")
    assert origin(asked, (Role.ASSISTANT, DEPLOY.doc_markdown)) is Origin.SUGGESTED


def test_beside_tools_it_takes_more_to_be_a_persons() -> None:
    half = (Role.USER, "run make build please, then push the image")
    assert origin(half, (Role.TOOL, "done")) is Origin.TAUGHT
    assert origin(half, (Role.TOOL, "done"), has_tools=True) is Origin.OBSERVED
    assert origin((Role.USER, DEPLOY.doc_markdown), (Role.TOOL, "ok"), has_tools=True) is Origin.TAUGHT


def test_its_tools_are_those_used_that_it_names_whole() -> None:
    skill = EncodedSkill("Book", "1. `search_flights`\n2. then book (web.book)")
    used = ["book_flight", "web.book", "search_flights", "search", "web.book", ""]
    assert tools_named(skill, used) == ("web.book", "search_flights")


def test_a_lesson_is_cut_screened_and_one_line_of_intent() -> None:
    skill = EncodedSkill("  Do\n it \u200b ", " 1. x \x00\n\n", ("a", " a ", "", "b" * 999))
    lesson = lesson_of(skill, [], config=CONFIG, screen=lambda text: text.replace("x", "[redacted]"))
    assert lesson.text.intent.split() == ["Do", "it", "\u200b"] or lesson.text.intent == "Do it"
    assert lesson.text.doc_markdown == "1. [redacted]"
    assert lesson.text.preconditions == ("a", "b" * 300)


def test_fitting_twice_changes_nothing_more() -> None:
    text = SkillText(" é\u0301 " * 200, "\r\n x " * 9_000, ("y",) * 30, ("t",) * 30)
    once = fit_text(text, config=CONFIG, screen=str)
    assert fit_text(once, config=CONFIG, screen=str) == once
    assert len(once.intent) <= 300
    assert len(once.doc_markdown) <= 20_000


def test_one_intent_is_one_whatever_its_case_and_punctuation_but_not_its_tools() -> None:
    key = intent_key(SkillText("Deploy the service!", "x", tools=("Make", "git")))
    assert key == intent_key(SkillText("deploy  the service", "y", tools=("git", "make", "git")))
    assert key != intent_key(SkillText("deploy the service", "y", tools=("git",)))
    assert key != intent_key(SkillText("deploy a service", "y", tools=("git", "make")))


def test_the_same_text_is_told_from_another_whatever_its_blanks() -> None:
    one = SkillText("Deploy", "1. make\n\n2. push ", ("a",), ("t",))
    assert is_same_text(one, SkillText("Release", "1.  make\n2. push", ("a",), ("T",)))
    assert not is_same_text(one, SkillText("Deploy", "1. make\n2. pull", ("a",), ("t",)))
    assert not is_same_text(one, SkillText("Deploy", "1. make\n2. push", ("b",), ("t",)))


def test_words_are_shared_in_any_script() -> None:
    assert shares_words("Deploy the web service", "deploying web services") == 1.0
    assert shares_words("部署网络服务", "烤面包") == 0.0
    assert shares_words("", "x") == 0.0


def test_marks_case_and_punctuation_make_no_other_lesson():
    one = SkillText("Deploy", "1. Make it.\n2. Push it!", ("Tests pass", "On main"), ("t",))
    marked = SkillText("Release", "# make it\n\n- push it", ("on main.", "tests pass"), ("T",))
    assert says_the_same(one, marked)
    assert not says_the_same(one, SkillText("Deploy", "1. Push it.\n2. Make it!", one.preconditions, ("t",)))
    assert not says_the_same(one, SkillText("Deploy", one.doc_markdown, ("Tests pass",), ("t",)))
    assert not says_the_same(one, SkillText("Deploy", one.doc_markdown, one.preconditions, ()))
