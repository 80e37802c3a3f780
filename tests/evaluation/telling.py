"""A tiny dialogue of two people, told to the real services, and findings made by hand."""

from datetime import UTC, datetime, timedelta

from evaluation.types import DialogSession, DialogTurn, Dialogue, Probe, Ranked

MAY = datetime(2023, 5, 8, 13, 56, tzinfo=UTC)
LINES = (
    ("D1:1", "Ann", "I adopted a parrot called Kiwi last week."),
    ("D1:2", "Ben", "Lovely! I still work at the bakery on Main Street."),
    ("D2:1", "Ann", "My sister Clara became a dentist in Hamburg."),
)


def dialogue(name: str = "tiny") -> Dialogue:
    """Three turns in two sessions, a question about each."""

    def session(name: str, at: datetime, *lines: tuple[str, str, str]) -> DialogSession:
        return DialogSession(name, tuple(DialogTurn(key, who, text, at) for key, who, text in lines))

    return Dialogue(
        name,
        (session("session_1", MAY, *LINES[:2]), session("session_2", MAY + timedelta(days=9), LINES[2])),
        (
            Probe("Which pet did Ann adopt?", frozenset({"D1:1"}), "4", "a parrot", "q1"),
            Probe("Where does Ben work?", frozenset({"D1:2"}), "4", "the bakery", "q2"),
            Probe("What is the profession of Ann's sister Clara?", frozenset({"D2:1"}), "1", "dentist", "q3"),
        ),
    )


def ranked(
    *turns: str,
    evidence: str = "D1:1",
    category: str = "4",
    dialogue: str = "one",
    system: str = "whole",
    probe: str = "q1",
) -> Ranked:
    """A ranking of turns named session:number."""
    return Ranked(
        system=system,
        dialogue=dialogue,
        probe=probe,
        category=category,
        evidence=frozenset({evidence} if evidence else ()),
        evidence_sessions=frozenset({evidence.split(":", maxsplit=1)[0] or "D1"}),
        turns=turns,
        sessions=tuple(dict.fromkeys(turn.split(":")[0] for turn in turns)),
    )


RANKED = (
    ranked("D1:1"),
    ranked("D1:2", "D1:1", category="2", probe="q2"),
    ranked("D2:1", dialogue="two"),
    ranked(system="plain BM25"),
    ranked("D1:1", system="plain BM25", category="2", probe="q2"),
    ranked("D1:1", system="plain BM25", dialogue="two"),
)
