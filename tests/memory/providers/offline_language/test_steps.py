"""Ways of doing something, told or shown: what is one, and what only looks like one."""

from datetime import UTC, datetime
from uuid import uuid4

import pytest

from memory.domain.types import EncodedSkill, Role, Turn
from memory.providers.offline_language.steps import find_skills

Said = tuple[Role, str] | tuple[Role, str, str]
SPACE, SESSION = uuid4(), uuid4()
SPEAKERS = {Role.USER: "Alice", Role.ASSISTANT: "assistant"}


def turns(*said: Said) -> list[Turn]:
    return [
        Turn(
            id=uuid4(),
            space_id=SPACE,
            private_to=None,
            session_id=SESSION,
            session_name="work",
            index=index,
            role=each[0],
            speaker=each[2] if len(each) > 2 else SPEAKERS[each[0]],
            text=each[1],
            said_at=datetime(2026, 5, 1, tzinfo=UTC),
        )
        for index, each in enumerate(said)
    ]


def taught(text: str) -> tuple[EncodedSkill, ...]:
    return find_skills(turns((Role.USER, text)))


@pytest.mark.parametrize(
    ("text", "intent", "steps"),
    [
        (
            "Here's how to deploy the app:\n1. Run `make build`\n2. Push the image\n3. Restart the pods",
            "Deploy the app",
            ["Run `make build`", "Push the image", "Restart the pods"],
        ),
        (
            "Steps to reset the router:\n- unplug it\n- wait a minute\n- plug it in again",
            "Steps to reset the router",
            ["unplug it", "wait a minute", "plug it in again"],
        ),
        (
            "To bake the bread: first heat the oven to 220.5. Then knead the dough, then let it rest.",
            "Bake the bread",
            ["Heat the oven to 220.5", "Knead the dough", "Let it rest"],
        ),
        (
            "To restart the gateway, first stop it, then power-cycle the box, then start it.",
            "Restart the gateway",
            ["Stop it", "Power-cycle the box", "Start it"],
        ),
        (
            "So baut man das Projekt: zuerst Pakete holen. Dann `make build`. Schließlich Tests starten.",
            "So baut man das Projekt",
            ["Pakete holen", "`make build`", "Tests starten"],
        ),
        (
            "How to oil a deck: 1. Sand it with grain 120. 2. Wipe it clean. 3) Let 2.5 coats dry.",
            "Oil a deck",
            ["Sand it with grain 120.", "Wipe it clean.", "Let 2.5 coats dry."],
        ),
        ("How to oil a deck:\n1. Sand it. 2. Wipe it.", "Oil a deck", ["Sand it.", "Wipe it."]),
        ("部署服务的步骤：\n1. 构建镜像\n2. 重启服务", "部署服务的步骤", ["构建镜像", "重启服务"]),
        (
            "Как выпустить релиз:\n1. Поставить тег\n2. Отправить",
            "Как выпустить релиз",
            ["Поставить тег", "Отправить"],
        ),
    ],
)
def test_steps_that_a_person_tells_are_a_skill(text: str, intent: str, steps: list[str]) -> None:
    (skill,) = taught(text)
    assert skill.intent == intent
    assert skill.doc_markdown.split("\n") == [f"{n}. {step}" for n, step in enumerate(steps, start=1)]


@pytest.mark.parametrize(
    "text",
    [
        "My shopping list:\n1. Milk\n2. Eggs",
        "First I went to Paris. Then I met Ana. Finally we had dinner.",
        "How do I deploy the web service?",
        "To deploy:\n1. Run make",
        "The steps are as follows:\n1. Count\n2. Add",
        "How to do it:\n1. Count\n2. Add",
        "步骤：\n1. 构建镜像\n2. 重启服务",
        "How to get there: it is between the 1. and the 2. floor, or on the 4. floor.",
        "How to find it: on the 3. May and the 7. May it was there.",
        "I visited 3. Then 4 of them left, then I slept.",
        "",
        "1.",
    ],
)
def test_what_only_looks_like_steps_is_no_skill(text: str) -> None:
    assert taught(text) == ()


def test_the_answer_to_how_it_is_done_is_a_skill() -> None:
    asked = (Role.ASSISTANT, "How do you release the app?")
    (skill,) = find_skills(turns(asked, (Role.USER, "1. tag it\n2. push the tag")))
    assert (skill.intent, skill.doc_markdown) == ("Release the app", "1. tag it\n2. push the tag")
    asked = (Role.ASSISTANT, "What is in your bag?")
    assert find_skills(turns(asked, (Role.USER, "1. a tag\n2. a push pin"))) == ()


def test_a_step_keeps_the_lines_and_the_code_that_belong_to_it() -> None:
    (skill,) = taught(
        "How to build:\n1. Run this\n```\nmake all\n1. not a step\n```\n2. Copy it\n\nThat is all."
    )
    assert skill.doc_markdown == "1. Run this\n   ```\n   make all\n   1. not a step\n   ```\n2. Copy it"


def test_told_again_the_last_telling_counts() -> None:
    told = [(Role.USER, f"How to build it:\n1. Clean\n2. Make {what}") for what in ("all", "release")]
    (skill,) = find_skills(turns(*told))
    assert skill.doc_markdown == "1. Clean\n2. Make release"


BOOKING: list[Said] = [
    (Role.USER, "Please book a flight to Lisbon."),
    (Role.ASSISTANT, "I look for flights."),
    (Role.TOOL, "3 flights found", "search_flights"),
    (Role.ASSISTANT, "Now I book the first."),
    (Role.TOOL, "booked", "book_flight"),
]


def test_tools_used_one_after_another_until_it_was_done_are_a_skill() -> None:
    (skill,) = find_skills(turns(*BOOKING, (Role.ASSISTANT, "Done."), (Role.USER, "Thanks!")))
    assert skill.intent == "Book a flight to Lisbon"
    assert (
        skill.doc_markdown
        == "1. `search_flights`: I look for flights.\n2. `book_flight`: Now I book the first."
    )


@pytest.mark.parametrize(
    "ending",
    [
        [(Role.TOOL, "Error: the card was refused", "pay")],
        [(Role.USER, "No, that's wrong.")],
        [(Role.USER, "It didn't work.")],
        [(Role.USER, "Please book a flight to Lisbon.")],
    ],
)
def test_tools_that_did_not_get_there_are_no_skill(ending: list[Said]) -> None:
    assert find_skills(turns(*BOOKING, *ending)) == ()


def test_one_tool_alone_is_no_way_of_doing_something() -> None:
    assert find_skills(turns(*BOOKING[:3])) == ()


def test_a_tool_that_failed_on_the_way_is_left_out() -> None:
    failed: Said = (Role.TOOL, "Error: timed out", "old_search")
    (skill,) = find_skills(turns(BOOKING[0], failed, *BOOKING[1:]))
    assert "old_search" not in skill.doc_markdown


def test_what_an_assistant_explains_by_itself_is_nobodys_way() -> None:
    assert find_skills(turns((Role.ASSISTANT, "How to deploy:\n1. Build\n2. Push"))) == ()


def test_a_thousand_steps_are_cut() -> None:
    (skill,) = taught("How to count:\n" + "\n".join(f"{n}. {'x' * 2_000}" for n in range(1, 100)))
    assert len(skill.doc_markdown) < 30_000
