"""A ChatEvent as the frame that SSE and websocket send: one dictionary each."""

import json
from typing import Any

from ninja.responses import NinjaJSONEncoder

from accounts.errors import LycheeError
from api.schemas.chat import WindowOut
from api.schemas.provenance import trace_of
from api.schemas.skills import skill_results
from sessions_app.domain.types import Answer, ChatEvent, Delta, Done, Failed, StepDone

Frame = dict[str, Any]
INTERNAL_ERROR: Frame = {
    "type": "error",
    "code": "internal_error",
    "content": "Something went wrong here. Your message is stored; ask again.",
}


def frame_of(event: ChatEvent, *, session: str) -> Frame:
    """The frame of one event; `session` is the name under which the client asked."""
    match event:
        case StepDone():
            return {
                "type": "step",
                "step": event.step,
                "status": "done",
                "trace_fragment": dict(event.trace),
            }
        case Delta():
            return {"type": "token", "content": event.content}
        case Answer():
            return {"type": "answer", "content": event.content}
        case Done():
            return {"type": "done", **done_fields(event, session=session)}
        case Failed():
            return {"type": "error", "code": event.code, "content": event.detail}


def done_fields(event: Done, *, session: str) -> Frame:
    """What is known once the answer is stored."""
    return {
        "session_id": session,
        "session_uuid": event.session_id,
        "turn_index": event.turn_index,
        "memories_retrieved": len(event.recalled.records.hits),
        "wm_token_usage": event.window.tokens,
        "window": WindowOut.of(event.window).dict(),
        "turn_input_tokens": event.input_tokens,
        "turn_output_tokens": event.output_tokens,
        "are_turn_tokens_estimated": event.are_tokens_estimated,
        "status": event.status,
        "trace": {
            **event.trace,
            **trace_of(event.recalled.records),
            "skills": [item.model_dump(mode="json") for item in skill_results(event.recalled.skills)],
        },
    }


def error_frame(error: LycheeError) -> Frame:
    """The frame of an error that a service raised."""
    frame: Frame = {"type": "error", "code": error.error_code, "content": str(error.detail)}
    if error.errors:
        frame["errors"] = [
            {"pointer": fault.pointer, "code": fault.code, "message": fault.message} for fault in error.errors
        ]
    if error.retry_after is not None:
        frame["retry_after"] = error.retry_after
    return frame


def encode(frame: Frame) -> str:
    """JSON in ASCII: safe for any text, on any transport."""
    return json.dumps(frame, cls=NinjaJSONEncoder)
