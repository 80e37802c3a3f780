"""What is being done, told by turns, tool calls and the text; refined by the plan."""

from datetime import UTC, datetime

import pytest

from memory.config import ActionConfig
from memory.domain.action_state import build_action_state, refine_action_state
from memory.domain.types import ActionState, Plan, Question
from tests.memory.talking import Line, talk

CONFIG = ActionConfig()
NOW = datetime(2026, 5, 8, 12, tzinfo=UTC)


def built(text: str, *lines: Line, config: ActionConfig = CONFIG) -> ActionState:
    question = Question(text, NOW, "UTC", talk(*lines))
    return build_action_state(question, count=lambda line: len(line.split()), config=config)


def test_of_a_plain_question_is_empty_but_for_its_budget():
    assert built("Where does Ann live?") == ActionState(budget_tokens=600)


class TestTools:
    LINES = (("Ann", "Book it."), ("!search", "3 flights found"), ("!book", "Seat 12A held.\nFare 99"))

    def test_are_those_that_were_used_the_last_with_its_result(self):
        state = built("And now?", *self.LINES)
        assert state.available_tools == ("search", "book")
        assert (state.last_tool, state.last_result) == ("book", "Seat 12A held. Fare 99")

    def test_a_long_result_is_cut(self):
        assert len(built("And now?", ("!dump", "word " * 500)).last_result) <= CONFIG.result_chars


class TestConstraints:
    @pytest.mark.parametrize(
        "text",
        [
            "It must be a window seat.",
            "Spend at most 200 euros.",
            "Use it without sudo.",
            "Es darf nichts kosten.",
            "不要用糖。",
        ],
    )
    def test_are_sentences_that_bound_what_may_be_done(self, text):
        assert built(f"Go on please. {text}").known_constraints == (text,)

    def test_of_earlier_turns_of_people_count_the_assistants_and_questions_do_not(self):
        state = built(
            "Go on.", ("Ann", "Only trains."), ("", "You must hurry."), ("Ann", "Must I pay at once?")
        )
        assert state.known_constraints == ("Only trains.",)


class TestFailure:
    @pytest.mark.parametrize(
        ("text", "lines", "signal"),
        [
            ("That didn't work.", (), "That didn't work."),
            ("Try again", (("!build", "Compiling. Error: no such file"),), "Error: no such file"),
            ("Weiter", (("!run", "exit code 2"),), "exit code 2"),
            ("Try again", (("!build", "Error"), ("!build", "Built in 3 s")), ""),
            ("Where is it?", (("", "I could not find it."),), ""),
        ],
    )
    def test_is_told_by_the_text_or_the_last_of_person_or_tool(self, text, lines, signal):
        assert built(text, *lines).failure_signal == signal


class TestMissing:
    ASKED = (("Ann", "Book a table."), ("", "Sure. For how many? And when?"))

    def test_is_what_the_assistant_asked_and_got_no_answer_to(self):
        assert built("What is free?", *self.ASKED).missing_slots == ("For how many?", "And when?")

    def test_is_nothing_once_it_is_answered(self):
        assert built("For four, at eight.", *self.ASKED).missing_slots == ()


class TestTalk:
    def test_is_the_newest_turns_that_fit_oldest_first(self):
        lines = [("Ann", f"word {n}") for n in range(9)]
        assert built("?", *lines).talk == tuple(f"Ann: word {n}" for n in range(3, 9))
        short = ActionConfig(recent_tokens=7)
        assert built("?", *lines, config=short).talk == ("Ann: word 7", "Ann: word 8")


class TestRefining:
    def test_the_plans_words_win_and_constraints_add_up(self):
        rules = built("Book it. Only trains.", ("!search", "Error: none"))
        plan = Plan(
            mode="action",
            action=ActionState("book a train", ("by Friday", "only trains."), "no trains", ("date",)),
            required_constraints=("under 50",),
            tool_hints=("book", "search"),
        )
        state = refine_action_state(rules, plan, text="Book it.", config=CONFIG)
        assert state.tentative_action == "book a train"
        assert state.known_constraints == ("by Friday", "under 50", "only trains.")
        assert (state.failure_signal, state.missing_slots) == ("no trains", ("date",))
        assert state.available_tools == ("book", "search")
        assert (state.last_tool, state.last_result) == ("search", "Error: none")

    def test_a_silent_plan_keeps_what_rules_found(self):
        rules = built("Book it. Only trains.", ("!search", "Error: none"))
        state = refine_action_state(rules, Plan(mode="action"), text="Book it.", config=CONFIG)
        assert state.tentative_action == "Book it."
        assert (state.known_constraints, state.failure_signal) == (("Only trains.",), "Error: none")
        assert refine_action_state(rules, Plan(), text="Where?", config=CONFIG).tentative_action == ""
