"""Tiny data in the shape of each benchmark, and where the real one lies."""

import gzip
import json
import os
from pathlib import Path
from typing import Any

DATA = Path(os.environ.get("LYCHEE_BENCHMARK_DATA", Path(__file__).parents[4] / "shared" / "data"))


def write_json(path: Path, content: object) -> Path:
    """The content as JSON, gzipped if the name says so."""
    path.parent.mkdir(parents=True, exist_ok=True)
    raw = json.dumps(content).encode()
    path.write_bytes(gzip.compress(raw) if path.suffix == ".gz" else raw)
    return path


def longmemeval(**changes: Any) -> list[dict[str, Any]]:
    """One instance of two sessions, the later one first."""
    return [
        {
            "question_id": "q1",
            "question_type": "single-session-user",
            "question": "Where did I buy the kite?",
            "answer": "Hamburg",
            "question_date": "2023/05/30 (Tue) 20:42",
            "haystack_session_ids": ["late", "early"],
            "haystack_dates": ["2023-05-20T12:00:00", "2023/05/19 (Fri) 08:30"],
            "haystack_sessions": [
                [
                    {"role": "user", "content": "I bought a kite in Hamburg.", "has_answer": True},
                    {"role": "assistant", "content": "Nice!"},
                ],
                [{"role": "user", "content": "Good morning."}],
            ],
            "answer_session_ids": ["late"],
            **changes,
        }
    ]


def beam_chat() -> list[dict[str, Any]]:
    """Two batches; only the first names its day."""
    return [
        {
            "batch_number": 1,
            "time_anchor": None,
            "turns": [
                [
                    {
                        "role": "user",
                        "id": 0,
                        "time_anchor": "March-15-2024",
                        "content": "My sprint ends on March 29. ->-> 1,1",
                    },
                    {"role": "assistant", "id": 1, "content": "Noted."},
                ],
                [{"role": "user", "id": 2, "content": "I use Flask."}],
            ],
        },
        {
            "batch_number": 2,
            "time_anchor": None,
            "turns": [[{"role": "user", "id": 3, "content": "Now Django."}]],
        },
    ]


def beam_questions() -> dict[str, list[dict[str, Any]]]:
    """One question with listed ids, one with ids by part, one that nothing answers."""
    return {
        "information_extraction": [
            {
                "question": "When does my sprint end?",
                "answer": "March 29",
                "source_chat_ids": [0, 99],
                "rubric": ["states March 29"],
            }
        ],
        "knowledge_update": [
            {
                "question": "Which framework do I use?",
                "answer": "Django",
                "source_chat_ids": {"original": [2], "updated": [3]},
                "rubric": [],
            }
        ],
        "abstention": [
            {"question": "What is my budget?", "ideal_response": "Unknown.", "rubric": ["says so"]}
        ],
    }


def write_beam(folder: Path) -> Path:
    """A conversation's folder."""
    write_json(folder / "chat.json", beam_chat())
    write_json(folder / "probing_questions.json", beam_questions())
    return folder


def write_personamem(folder: Path, **changes: Any) -> Path:
    """A person with two chats, the later one listed first, and one query."""
    chats = (
        ("u_1", "[SYSTEM] Persona: Name: Ann Lee\nAnn is 32.\n\n[USER] User: I gave up tea.\n\nReally."),
        (
            "u_0",
            "[SYSTEM] Persona: Name: Ann Lee\n\n[USER] User: I like tea.\n\n[ASSISTANT] Assistant: OK.",
        ),
    )
    documents = [{"id": i, "content": text, "user_id": "u", "timestamp": None} for i, text in chats]
    query = {
        "id": "query-1",
        "query": "User: Ann Lee\n\nWhat shall I drink?\n\n(a) Tea, as you like it.\n(b) Coffee: no tea.",
        "gold_answers": ["(b) Coffee: no tea.", "b"],
        "user_id": "u",
        "meta": {
            "question_type": "suggest_new_ideas",
            "retrieval_query": "User: Ann Lee\n\nWhat shall I drink?",
        },
        **changes,
    }
    write_json(folder / "documents.json.gz", documents)
    write_json(folder / "queries.json.gz", [query])
    return folder
