"""What the next turn says of an answer, in the words of several languages."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory.domain.feedback import (
    REWARDS,
    Outcome,
    is_asked_again,
    is_tool_error,
    judge_next_turn,
    usage_prior,
)

ASKED = "How do I restart the gateway?"
SAID = {
    Outcome.CORRECTION: (
        "No, I meant the other gateway.",
        "Sorry, I meant Ann Lee.",
        "That's wrong.",
        "no that is not what I asked",
        "That’s not right, it was in May.",
        "Nein, ich meinte Anna.",
        "Das stimmt nicht.",
        "Non, je voulais dire Paris.",
        "Ce n'est pas ça.",
        "No, me refería a Ana.",
        "No, intendevo l'altro.",
        "Não, eu quis dizer Lisboa.",
        "Nee, ik bedoelde morgen.",
        "Нет, я имел в виду другое.",
        "Это неверно.",
        "不,我是说上海。",
        "不对。",
        "違います。",
        "아니요, 제 말은 부산이에요.",
    ),
    Outcome.FAIL: (
        "That didn't work.",
        "That didn't work, what now?",
        "Thanks, but it still doesn't work.",
        "It’s still broken.",
        "Hmm, same error.",
        "I still get the same error!",
        "Das hat leider nicht funktioniert.",
        "Danke, aber es geht nicht.",
        "Ça ne marche pas.",
        "No funciona.",
        "Grazie, ma non funziona.",
        "Isso não funcionou.",
        "Het werkt nog steeds niet.",
        "Спасибо, но не помогло.",
        "还是不行。",
        "まだエラーが出ます。",
        "여전히 안 돼요.",
        "How do I restart the gateway?",
        "how do i restart the gateway",
    ),
    Outcome.SUCCESS: (
        "That worked!",
        "Great, it works now.",
        "Perfect.",
        "Yes, exactly.",
        "That fixed it, thanks.",
        "Thanks!",
        "Many thanks, Lychee",
        "Thank you so much.",
        "Das hat geklappt.",
        "Danke dir!",
        "Ça marche, merci.",
        "Merci beaucoup !",
        "Funcionó.",
        "Muchas gracias",
        "Ha funzionato!",
        "Obrigada!",
        "Bedankt!",
        "Заработало!",
        "Спасибо большое",
        "搞定了,谢谢",
        "谢谢!",
        "できました。",
        "ありがとうございます",
        "감사합니다",
    ),
    None: (
        "",
        "…",
        "And where does Ann live?",
        "Did that work?",
        "I tried the trick that worked last year.",
        "It works on Tuesdays only, I was told.",
        "Write a thank you note to my boss.",
        "Thanks for asking; my sister Nora moved to Bergen in May and works as a marine biologist there now.",
        "No thanks needed: tell me about the weather instead.",
        "What is wrong with the gateway?",
        "My correct address is 5 Elm Street, please note it down.",
        "Then restart the collector.",
        "Wo wohnt Anna?",
        "我住在上海。",
    ),
}
CASES = [(text, outcome) for outcome, texts in SAID.items() for text in texts]


@pytest.mark.parametrize(("text", "outcome"), CASES)
def test_the_turn_judges_the_answer_before_it(text: str, outcome: Outcome | None) -> None:
    assert judge_next_turn(text, asked=ASKED) == outcome


def test_a_tools_error_is_a_failure_unless_the_person_says_otherwise() -> None:
    error = ["done", "Error: no such file"]
    assert judge_next_turn("Now list the files.", asked=ASKED, tool_results=error) is Outcome.FAIL
    assert judge_next_turn("Thanks.", asked=ASKED, tool_results=error) is Outcome.FAIL
    assert judge_next_turn("That worked all the same.", asked=ASKED, tool_results=error) is Outcome.SUCCESS
    assert judge_next_turn("Now list the files.", asked=ASKED, tool_results=["2 files"]) is None


@pytest.mark.parametrize(
    "result",
    [
        "Traceback (most recent call last):\n  File",
        "ERROR 500",
        "bash: line 1\nprocess ended with exit code 2",
        '{"is_error": true}',
        "{'error': 'not found'}",
        "permission denied: /etc/shadow",
        "ошибка: нет такого файла",
    ],
)
def test_what_tools_report_as_failures(result: str) -> None:
    assert is_tool_error(result)


@pytest.mark.parametrize(
    "result", ["", "ok", "0 errors", '{"error": null}', "exit code 0", "The error page was updated."]
)
def test_what_tools_report_otherwise(result: str) -> None:
    assert not is_tool_error(result)


def test_a_question_is_asked_again_in_nearly_the_same_words() -> None:
    assert is_asked_again("So how do I restart that gateway now?", ASKED)
    assert not is_asked_again("How do I restart the collector?", ASKED)
    assert not is_asked_again("", "")


@given(st.text(max_size=400), st.text(max_size=100))
def test_whatever_is_said_is_judged_without_an_error(text: str, asked: str) -> None:
    assert judge_next_turn(text, asked=asked) in (None, *REWARDS)


class TestPrior:
    def test_what_was_never_used_is_neither_better_nor_worse(self) -> None:
        assert usage_prior(0, 0, weight=0.05) == 0
        assert usage_prior(8, 0, weight=0.05) == pytest.approx(0.04)
        assert usage_prior(0, 8, weight=0.05) == pytest.approx(-0.04)
        assert usage_prior(99, 3, weight=0) == 0

    @given(st.integers(0, 10**6), st.integers(0, 10**6))
    def test_it_stays_within_its_weight_and_grows_with_success(self, success: int, fail: int) -> None:
        prior = usage_prior(success, fail, weight=0.05)
        assert -0.05 < prior < 0.05
        assert usage_prior(success + 1, fail, weight=0.05) > prior
        assert usage_prior(success, fail + 1, weight=0.05) < prior
        assert usage_prior(fail, success, weight=0.05) == pytest.approx(-prior)
