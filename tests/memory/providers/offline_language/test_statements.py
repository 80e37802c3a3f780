"""Turns fall into statements that can be understood alone."""

import pytest

from memory.providers.offline_language.statements import (
    MAX_ASSISTANT_STATEMENTS,
    MAX_SENTENCE_CHARS,
    find_statements,
    is_only_secret,
    is_worthless,
    sentences_of,
)
from tests.memory.talking import Line, talk


def told(*lines: Line) -> list[str]:
    return [statement.text for statement in find_statements(talk(*lines))]


def test_each_fact_stands_alone():
    assert told(("Alice", "I live in Paris. I work at ACME.")) == ["I live in Paris.", "I work at ACME."]


def test_a_clause_that_becomes_a_sentence_begins_as_one():
    assert told(("Ana", "I live in Lisbon and my cat is called Mo.")) == [
        "I live in Lisbon.",
        "My cat is called Mo.",
    ]
    assert told(("Luc", "J'adore le thé mais je déteste courir.")) == [
        "J'adore le thé.",
        "Je déteste courir.",
    ]


def test_two_attributes_in_one_sentence_are_two_statements():
    assert told(("demo_user", "I'm Ana and I live in Lisbon.")) == ["I'm Ana.", "I live in Lisbon."]
    assert told(("Ana", "I'm Ana Lee, I'm 41 and I live in Lisbon, in Alfama.")) == [
        "I'm Ana Lee.",
        "I'm 41.",
        "I live in Lisbon, in Alfama.",
    ]
    assert told(("Ana", "I'm tired, I'm 41 and I live in Lisbon.")) == [
        "I'm tired, I'm 41 and I live in Lisbon."
    ]
    assert told(("Ana", "I love boats and I go sailing every summer.")) == [
        "I love boats and I go sailing every summer."
    ]


def test_what_is_liked_and_what_is_not_are_two_statements():
    assert told(("Ana", "I can't stand olives, but I love capers")) == [
        "I can't stand olives",
        "I love capers",
    ]
    assert told(("Ana", "I like tea. I hate coffee.")) == ["I like tea.", "I hate coffee."]
    assert told(("Ana", "I like tea. I love coffee.")) == ["I like tea.", "I love coffee."]
    assert told(("Ana", "I like tea. It keeps me awake.")) == ["I like tea. It keeps me awake."]
    assert told(("Ana", "I like tea. But I hate coffee.")) == ["I like tea. But I hate coffee."]


@pytest.mark.parametrize(
    ("said", "first"),
    [
        ("I live in Lisbon and I work at Siemens.", "I live in Lisbon."),
        ("I live in Lisbon and I work at Siemens!", "I live in Lisbon."),
        ("我叫李雷，我住在北京。", "我叫李雷。"),
        ("I live in Lisbon and I work at Siemens", "I live in Lisbon"),
    ],
)
def test_a_clause_that_stands_alone_ends_as_its_sentence_did(said, first):
    assert told(("Zoe", said))[0] == first


def test_a_sentence_that_leans_on_the_one_before_stays_with_it():
    assert told(("Alice", "My sister bought a red sailing boat. It is called Erna.")) == [
        "My sister bought a red sailing boat. It is called Erna."
    ]


def test_courtesies_and_questions_fall_away():
    assert told(("Alice", "Hi Bob! My boat sank in the harbour. How are you?")) == [
        "My boat sank in the harbour."
    ]


@pytest.mark.parametrize(
    "said",
    [
        "Tell me about my boat Nina please.",
        "Remind me what Nina cost in 2019.",
        "Sag mir, wo Nina liegt.",
        "Dime dónde está Nina.",
        "Dis-moi où est Nina.",
        "Расскажи мне о Нине.",
    ],
)
def test_a_request_to_be_told_tells_nothing_whatever_it_names(said):
    assert told(("Zoe", said), ("", "All right.")) == []


@pytest.mark.parametrize(
    "said", ["Remind me to feed Nina on Friday.", "Tell me about Nina, the boat that I bought for 300 euros."]
)
def test_a_wish_or_a_fact_within_a_request_is_kept(said):
    assert told(("Zoe", said), ("", "All right.")) == [said]


def test_what_is_stated_before_a_question_in_one_sentence_is_kept():
    lines = told(("Alice", "I have a peanut allergy, can you suggest some snacks?"))
    assert lines == ["I have a peanut allergy."]


def test_a_chinese_request_at_the_end_falls_away():
    assert told(("李雷", "我非常喜欢户外运动，请为我推荐一些项目。"), ("", "好的。")) == [
        "我非常喜欢户外运动。"
    ]


class TestReplies:
    def reply(self, *lines: Line):
        return list(find_statements(talk(*lines)))[-1]

    def test_a_short_reply_keeps_its_question_and_who_asked(self):
        statement = self.reply(("Bob", "Where did you go?"), ("Alice", "To Paris with my mother."))
        assert statement.question == "Where did you go?"
        assert statement.asked_in.index == 0

    def test_a_bare_yes_says_what_was_asked(self):
        statement = self.reply(("", "Do you live in Paris?"), ("Alice", "Yes."))
        assert (statement.question, statement.text) == ("Do you live in Paris?", "Yes.")

    def test_a_yes_to_a_courtesy_says_nothing(self):
        assert told(("", "Is it okay?"), ("Alice", "Yes.")) == []

    def test_an_attribute_needs_no_question(self):
        assert self.reply(("Bob", "Where do you live?"), ("Alice", "I live in Paris.")).question == ""

    def test_an_assistants_politeness_is_no_question(self):
        statement = self.reply(
            ("", "Is there anything else I can help you with?"), ("Alice", "It sank in the harbour.")
        )
        assert statement.question == ""

    def test_nobody_answers_their_own_question(self):
        assert self.reply(("Alice", "Where did I go?"), ("Alice", "To Paris by train.")).question == ""


class TestAssistant:
    def test_what_it_tells_is_kept_as_unconfirmed(self):
        (statement,) = find_statements(
            talk(("Alice", "What is there to see?"), ("", "The Louvre opens at nine on Mondays."))
        )
        assert not statement.is_confirmed

    def test_a_yes_confirms_it(self):
        lines = (("Alice", "When?"), ("", "The meeting with Dr. Lee is on Monday."), ("Alice", "Exactly."))
        assert next(find_statements(talk(*lines))).is_confirmed

    def test_its_courtesies_are_dropped(self):
        assert told(("Alice", "Thanks!"), ("", "You're welcome! Happy to help. Anything else?")) == []

    def test_a_flood_is_cut(self):
        flood = " ".join(f"Museum number {n} shows paintings of old harbours and ships." for n in range(200))
        assert len(told(("Alice", "List museums?"), ("", flood))) == MAX_ASSISTANT_STATEMENTS

    @pytest.mark.parametrize(
        "order", ["Please recommend some good books.", "Write a poem about rain.", "帮我写一首诗。"]
    )
    def test_an_order_to_it_says_little_of_the_person(self, order):
        assert told(("Alice", order), ("", "Harbour pubs in Cork serve cider.")) == [
            "Harbour pubs in Cork serve cider."
        ]

    def test_an_order_that_names_something_is_kept(self):
        assert told(("Alice", "Help me plan a trip to Japan in May."), ("", "Sure."))[0].endswith(
            "Japan in May."
        )

    def test_a_standing_order_is_kept(self):
        assert told(("Alice", "Please always answer in short sentences."), ("", "Sure.")) != []


class TestSentences:
    def test_code_files_and_endless_runs_are_left_out(self):
        text = (
            "Look:\n```\nsecret = 1\n```\ndata:image/png;base64,iVBORw0KGgo= and " + "x" * 500 + " end here"
        )
        assert sentences_of(text) == ["Look:", "and   end here"]

    def test_list_marks_are_taken_off(self):
        assert sentences_of("- **buy milk**\n2. call Bob") == ["buy milk", "call Bob"]

    def test_an_endless_sentence_is_cut_at_a_blank(self):
        pieces = sentences_of("word " * 1_000)
        assert all(len(piece) <= MAX_SENTENCE_CHARS for piece in pieces)
        assert " ".join(pieces).split() == ["word"] * 1_000

    def test_nothing_is_nothing(self):
        assert sentences_of("  \n ") == []


@pytest.mark.parametrize(
    ("said", "count"),
    [
        ("Yesterday I met Li. Tomorrow I fly to Rome.", 2),
        ("Gestern sah ich Li. Er fliegt am 3. Juni 2026 ab.", 2),
        ("昨天我见了李。明天我飞罗马。", 2),
        ("I met Li in May 2024. It was on 3 May 2024, in a bar.", 1),
        ("I met Li in a bar. That was on 3 May 2024.", 1),
    ],
)
def test_sentences_are_joined_only_if_their_dates_agree(said, count):
    assert len(list(find_statements(talk(("Zoe", said))))) == count


@pytest.mark.parametrize(
    ("text", "is_empty"),
    [
        ("Hi! Where do I live? Thanks!", True),
        ("Hi! I live in Paris.", False),
        ("I have a peanut allergy, can you suggest snacks?", False),
        ("谢谢！我住在哪里？", True),
        ("", True),
    ],
)
def test_a_turn_of_questions_and_courtesies_is_worthless(text, is_empty):
    assert is_worthless(text) == is_empty


@pytest.mark.parametrize(
    "said",
    [
        "Demo's IBAN password is [redacted: password]",
        "My password is [redacted: password].",
        "The wifi password for the office is [redacted: password], ok",
        "my pin [redacted: pin]",
        "[redacted: api key]",
        "密码是[redacted: password]。",
        "パスワードは[redacted: password]です",
        "Mein Passwort ist [redacted: password]!",
        "Мой пароль — [redacted: password]",
        "كلمة المرور: [redacted: password]",
    ],
)
def test_a_sentence_of_which_only_a_hidden_secret_is_left_says_nothing(said):
    assert is_only_secret(said)
    assert list(find_statements(talk(("Zoe", said)))) == []
    assert is_worthless(said)


@pytest.mark.parametrize(
    "said",
    [
        "I moved to Rome and my password is [redacted: password].",
        "I paid the hotel in Rome with [redacted: card number].",
        "I use [redacted: api key] for the weather service in Oslo.",
        "My password is hard to remember.",
    ],
)
def test_what_else_is_said_beside_a_secret_is_kept(said):
    assert not is_only_secret(said)
    assert [s.text for s in find_statements(talk(("Zoe", said)))] == [said]


def test_system_turns_say_nothing():
    (turn,) = talk(("Alice", "Always be brief and truthful."))
    assert list(find_statements([])) == []
    assert [s.turn for s in find_statements([turn])] == [turn]


@pytest.mark.parametrize(
    ("text", "sentences"),
    [
        ("Sorry! is the game that I own.", ["Sorry! is the game that I own."]),
        ("Guess Who? was my favourite.", ["Guess Who? was my favourite."]),
        ("Wow! is that yours?", ["Wow!", "is that yours?"]),
        ("I moved! The flat is big.", ["I moved!", "The flat is big."]),
    ],
)
def test_a_title_that_ends_in_a_mark_stays_the_subject(text, sentences):
    assert sentences_of(text) == sentences


def test_what_the_engine_itself_adds_to_a_list_is_no_statement():
    listed = "- Alice is 38. [1]\n- The memory list shows all of them; left out here: 6"
    assert told(("Alice", "Who am I?"), ("", listed)) == []


@pytest.mark.parametrize(
    "request_",
    [
        "Summarise what you know about Kate.",
        "Please summarize everything about Kate and Tom.",
        "List everything I told you about Kate.",
        "Fass zusammen, was du über Kate weißt.",
    ],
)
def test_a_request_to_sum_up_tells_nothing_of_whom_it_names(request_):
    assert told(("Tom", request_), ("", "All right.")) == []


def test_what_is_quoted_whole_from_a_person_is_no_news():
    assert told(("", "- “I stopped learning Italian.”")) == []
