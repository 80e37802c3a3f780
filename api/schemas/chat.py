"""A message on the wire, and its answer in one piece."""

from datetime import datetime
from typing import Any
from uuid import UUID

from ninja import Schema
from pydantic import Field

from accounts.principals import Principal
from api.schemas.images import Images, MimeTypes, Names, named
from api.schemas.wire import Flag, Instant, RequestBody, SessionName, Text, TopK
from memory.domain.types import Effort
from sessions_app.domain.types import ChatRequest, Window


class MessageOptions(RequestBody):
    """How a message is to be answered."""

    images: Images | None = None
    image_names: Names | None = Field(None, description="What the files are called; it helps to find them.")
    image_mime_types: MimeTypes | None = Field(None, description="Not needed: types are read from content.")
    effort: Effort = Effort.STANDARD
    top_k: TopK | None = None
    reference_time: Instant | None = Field(None, description="The moment to take for now.")
    consolidate: Flag = Field(default=True, description="False: answered, and never remembered.")
    exclude_session_id: SessionName | None = Field(None, description="A session to recall nothing from.")


class ChatMessage(MessageOptions):
    """A message put to a session, which is made if you have none of that name."""

    session_id: SessionName
    message: Text


class WindowOut(Schema):
    """What of the session an answer can see, in tokens and turns.

    `tokens` are those of the summary and the turns beside it as a prompt holds them, `used_tokens` what the
    session takes as far as it is not summarised, `pressure` their share of the budget; from `warn_tokens` on
    older turns are summarised in the background, from `block_tokens` on before an answer goes on.
    `left_out` counts the turns that are neither summarised nor shown.
    """

    tokens: int
    summary_tokens: int
    used_tokens: int
    session_tokens: int
    budget_tokens: int
    warn_tokens: int
    block_tokens: int
    pressure: float
    summarised_turns: int
    left_out: int
    level: str

    @classmethod
    def of(cls, window: Window) -> "WindowOut":
        """The figures of a window."""
        return cls(**{name: getattr(window, name) for name in cls.model_fields})


class CompleteAnswer(Schema):
    """The answer in one piece, with what it rests on in `trace`."""

    response: str
    session_id: str
    session_uuid: UUID
    turn_index: int
    memories_retrieved: int
    wm_token_usage: int
    window: WindowOut
    turn_input_tokens: int
    turn_output_tokens: int
    are_turn_tokens_estimated: bool = Field(description="Some server did not say what it took.")
    status: str
    trace: dict[str, Any]


def chat_request(
    principal: Principal, *, session: str, text: str, options: MessageOptions, now: datetime
) -> ChatRequest:
    """What the pipeline answers, from what the wire said."""
    return ChatRequest(
        space_id=principal.space_id,
        user_id=principal.user_id,
        speaker=principal.speaker,
        time_zone=principal.time_zone,
        session=session,
        text=text,
        now=now,
        effort=options.effort,
        top_k=options.top_k,
        is_consolidated=options.consolidate,
        reference_time=options.reference_time,
        exclude_session=options.exclude_session_id,
        images=named(options.images or (), options.image_names or ()),
    )
