"""What a model server got asked, as a value to assert upon."""

import base64
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

# The first key of the reply that a task's instructions show.
_BY_FIRST_KEY = {
    "relevant": "judge",
    "adequate": "adequacy",
    "scores": "synthesize",
    "goals": "summarize",
    "titles": "title",
}
_FENCED = r"<{tag} ([0-9a-f]{{8}})>\n(.*?)\n</{tag} \1>"


@dataclass(frozen=True, slots=True)
class ModelRequest:
    """One call: path, headers (lower-case names), the JSON body."""

    path: str
    headers: Mapping[str, str]
    body: Mapping[str, Any]

    @property
    def messages(self) -> list[dict[str, Any]]:
        return list(self.body.get("messages") or [])

    @property
    def system(self) -> str:
        return "\n".join(m["content"] for m in self.messages if m["role"] == "system")

    @property
    def last(self) -> str:
        """The last message's text, whatever form its content has."""
        content = self.messages[-1]["content"] if self.messages else ""
        if isinstance(content, list):
            return "\n".join(part.get("text", "") for part in content)
        return content or ""

    @property
    def images(self) -> list[bytes]:
        """The images of the last message, decoded from their data URLs."""
        content = self.messages[-1]["content"] if self.messages else ""
        parts = content if isinstance(content, list) else []
        urls = [part["image_url"]["url"] for part in parts if part.get("type") == "image_url"]
        return [base64.b64decode(url.partition(",")[2]) for url in urls]

    @property
    def texts(self) -> list[str]:
        """What is to be embedded."""
        given = self.body.get("input") or []
        return [given] if isinstance(given, str) else list(given)

    @property
    def documents(self) -> list[str]:
        """What is to be reranked."""
        return list(self.body.get("documents") or [])

    @property
    def is_reranking(self) -> bool:
        return self.path.endswith("/rerank")

    @property
    def is_streaming(self) -> bool:
        return bool(self.body.get("stream"))

    @property
    def wants_usage(self) -> bool:
        return bool((self.body.get("stream_options") or {}).get("include_usage"))

    @property
    def key(self) -> str:
        """The credential, however it was sent."""
        bearer = self.headers.get("authorization", "").removeprefix("Bearer ")
        return bearer or self.headers.get("x-api-key", "") or self.headers.get("api-key", "")

    @property
    def purpose(self) -> str:
        """It serves: plan, encode, repair, judge, adequacy, synthesize, summarize, title, answer, embed,
        rerank, caption.
        """
        if self.is_reranking:
            return "rerank"
        if self.images or (self.texts and not self.messages):
            return "caption" if self.images else "embed"
        if self.fenced("errors"):
            return "repair"
        system = str(self.messages[0].get("content") or "") if self.messages else ""
        for key, purpose in _BY_FIRST_KEY.items():
            if f'{{"{key}":' in system:
                return purpose
        for tag, purpose in (("turns", "encode"), ("question", "plan")):
            if any(self.fenced(tag, message=m) for m in self.messages):
                return purpose
        return "answer"

    def fenced(self, tag: str, *, message: Mapping[str, Any] | None = None) -> str:
        """The data between the tag's marked fences in the last (or given) message."""
        text = self.last if message is None else str(message.get("content") or "")
        found = re.search(_FENCED.format(tag=tag), text, re.DOTALL)
        return found.group(2).replace("&lt;", "<") if found else ""
