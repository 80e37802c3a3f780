"""`/chat` and `/chat/complete`: one message, answered from memory."""

from django.http import HttpResponse, StreamingHttpResponse
from django.utils import timezone
from ninja import Router

from api.answering import Answering, Finished
from api.auth import SIGNED_IN, SignedIn
from api.rest.sse import event_lines
from api.rest.whole import whole_answer
from api.schemas.chat import ChatMessage, CompleteAnswer, chat_request
from memory.errors import ProviderError
from sessions_app.bridge import release_connection
from sessions_app.config import AnswerConfig
from sessions_app.domain.types import ChatRequest

router = Router(tags=["chat"], auth=SIGNED_IN)

_STREAM = {
    "responses": {
        200: {
            "description": "Frames `step`, `token`, `answer`, then `done` or `error`",
            "content": {"text/event-stream": {"schema": {"type": "string"}}},
        }
    }
}


@router.post("", openapi_extra=_STREAM, summary="Talk, streamed")
async def chat(request: SignedIn, payload: ChatMessage) -> StreamingHttpResponse:
    """Server-sent events. What is refused before the answer begins is a problem document."""
    await release_connection()
    answering = Answering(_chat_request(request, payload))
    try:
        first = await answering.next()
    except Finished as end:
        raise ProviderError("The answer ended early; ask again.") from end
    except BaseException:
        await answering.cancel()
        raise
    lines = event_lines(
        answering,
        first,
        session=payload.session_id,
        keepalive_seconds=AnswerConfig().keepalive_seconds,
    )
    return StreamingHttpResponse(
        lines,
        content_type="text/event-stream",
        headers={"Cache-Control": "no-cache", "X-Accel-Buffering": "no"},
    )


@router.post("/complete", response=CompleteAnswer, summary="Talk, in one piece")
async def complete(request: SignedIn, payload: ChatMessage, response: HttpResponse) -> CompleteAnswer:
    """What the stream would say, as one object with `response`."""
    await release_connection()
    answering = Answering(_chat_request(request, payload))
    answered = await whole_answer(answering, session=payload.session_id)
    response["X-Memory-Status"] = answered.status
    return answered


def _chat_request(request: SignedIn, payload: ChatMessage) -> ChatRequest:
    return chat_request(
        request.auth,
        session=payload.session_id,
        text=payload.message,
        options=payload,
        now=timezone.now(),
    )
