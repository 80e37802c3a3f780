"""`python -m benchmarks.prompt_tokens [--data locomo10.json]`: what prompts cost, by purpose.

The demo's conversation, and one of LoCoMo if its file is given, go through the real
application in this process, with the test server as its model. Counted is the text of the
messages as they went over the wire, by cl100k_base; for `embed`, what the embedder was given.
No network but loopback.
"""

import argparse
import asyncio
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from benchmarks.scratch import scratch_application

if TYPE_CHECKING:
    from sessions_app.domain.types import Done

PURPOSES = ("plan", "encode", "repair", "answer", "embed")
CONSTRUCTION = ("encode", "repair")
QUESTIONS = 40  # of a LoCoMo conversation, spread over all of them


@dataclass
class Spent:
    """Prompt tokens of each call, by purpose; how long the conversation is by itself."""

    conversation: int = 0
    calls: Mapping[str, list[int]] = field(default_factory=lambda: defaultdict(list))

    @property
    def construction_ratio(self) -> float:
        """What was read to build memory, as a multiple of the conversation."""
        return sum(sum(self.calls[purpose]) for purpose in CONSTRUCTION) / max(1, self.conversation)


def main() -> None:
    """Play the conversations, print one table each."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.prompt_tokens", description=__doc__)
    parser.add_argument("--data", type=Path, help="a LoCoMo file; its first conversation is played")
    parser.add_argument("--questions", type=int, default=QUESTIONS, help="of that conversation")
    options = parser.parse_args()
    with scratch_application():
        print(table("The demo conversation", play_demo()))
        if options.data:
            print(table(f"LoCoMo, first conversation of {options.data.name}", play_locomo(options)))


def table(title: str, spent: Spent) -> str:
    """One Markdown table."""
    rows = [f"\n{title}: {spent.conversation} tokens\n", "| purpose | calls | mean | total |"]
    rows.append("| --- | ---: | ---: | ---: |")
    rows += [
        f"| {purpose} | {len(calls)} | {sum(calls) / len(calls):.0f} | {sum(calls)} |"
        for purpose in PURPOSES
        if (calls := spent.calls[purpose])
    ]
    rows.append(f"\nRead to build memory: {spent.construction_ratio:.2f} times the conversation (at most 5).")
    return "\n".join(rows)


def play_demo() -> Spent:
    """What `manage.py demo --multi-turn` says and asks."""
    from accounts.principals import principal_for
    from accounts.services.users import register_user
    from lychee_site.management.commands.demo import ASKED, TOLD
    from sessions_app.services.sessions import find_session

    with counted() as spent:
        principal = principal_for(register_user(username="maya", password="a scratch one 1"))  # noqa: S106
        chat(principal, "demo", TOLD)
        file_session(principal, "demo")
        turns = find_session(principal, "demo").turns
        spent.conversation = sum(turns.values_list("tokens", flat=True))
        chat(principal, "demo-later", ASKED)
    return spent


def play_locomo(options: argparse.Namespace) -> Spent:
    """The first conversation told and filed; some of its questions asked, a session each."""
    from evaluation.loaders.locomo import load
    from evaluation.memories import spoken_tokens, tell

    dialogue = load(options.data)[0]
    with counted() as spent:
        told = tell(dialogue, name="locomo")
        spent.conversation = spoken_tokens(told)
        step = max(1, len(dialogue.probes) // max(1, options.questions))
        for number, probe in enumerate(dialogue.probes[::step][: options.questions]):
            chat(told.principal, f"question-{number}", [probe.text])
    return spent


def chat(principal: Any, session: str, texts: Sequence[str], *, effort: str = "standard") -> "list[Done]":
    """One turn after the other, as any door would ask for them; what each rested on."""
    from django.utils import timezone

    from memory.domain.types import Effort
    from sessions_app.domain.types import ChatRequest, Done, Failed
    from sessions_app.pipeline import answer

    done: list[Done] = []

    async def ask(text: str) -> None:
        request = ChatRequest(
            principal.space_id,
            principal.user_id,
            "Maya",
            "UTC",
            session,
            text,
            now=timezone.now(),
            effort=Effort(effort),
        )
        async for event in answer(request):
            assert not isinstance(event, Failed), event
            if isinstance(event, Done):
                done.append(event)

    for text in texts:
        asyncio.run(ask(text))
    return done


def file_session(principal: Any, name: str) -> None:
    """Consolidate a session here and now."""
    from accounts.services.jobs import run_job
    from sessions_app.services.consolidate import request_consolidation
    from sessions_app.services.sessions import find_session

    job = run_job(request_consolidation(principal, find_session(principal, name), flush=True).id)
    assert job.state == "done", job.error


@contextmanager
def counted() -> Iterator[Spent]:
    """The test server as the model; what it and the embedder read while the block runs."""
    from memory.providers.registry import token_counter
    from tests.model_server import ModelServer
    from tests.model_server.configured import configured

    count, spent = token_counter().count, Spent()
    with ModelServer() as server, embedding_counted(spent, count), configured(server):
        yield spent
        for request in server.requests:
            read = sum(count(str(message.get("content") or "")) for message in request.messages)
            spent.calls[request.purpose].append(read)


@contextmanager
def embedding_counted(spent: Spent, count: Any) -> Iterator[None]:
    """Note the tokens of each batch that the local embedder is given."""
    from memory.providers.local_embedder import LocalEmbedder

    embed = LocalEmbedder.embed

    def noted(self: LocalEmbedder, texts: Sequence[str], **options: Any) -> Any:
        spent.calls["embed"].append(sum(map(count, texts)))
        return embed(self, texts, **options)

    LocalEmbedder.embed = noted  # type: ignore[method-assign]
    try:
        yield
    finally:
        LocalEmbedder.embed = embed  # type: ignore[method-assign]


if __name__ == "__main__":
    main()
