"""What a client may send over the websocket, and how it is read."""

import json
from typing import Annotated, Literal
from uuid import UUID

from django.conf import settings
from pydantic import Field, TypeAdapter, ValidationError

from accounts.errors import InvalidInput, TooLarge
from api.faults import invalid_input
from api.schemas.chat import MessageOptions
from api.schemas.wire import RequestBody, Text
from memory.domain.feedback import Outcome


class MessageFrame(MessageOptions):
    """Something said to the session."""

    type: Literal["message"]
    text: Text


class StopFrame(RequestBody):
    """End the answer that is being written."""

    type: Literal["stop"]


class ResumeFrame(RequestBody):
    """Send again what came after `last_seq`."""

    type: Literal["resume"]
    last_seq: Annotated[int, Field(strict=True, ge=0)]


class FeedbackFrame(RequestBody):
    """What came of a recall."""

    type: Literal["feedback"]
    log_id: UUID
    outcome: Outcome


ClientFrame = MessageFrame | StopFrame | ResumeFrame | FeedbackFrame
_FRAMES: TypeAdapter[ClientFrame] = TypeAdapter(Annotated[ClientFrame, Field(discriminator="type")])


def read_frame(data: str | None, *, time_zone: str) -> ClientFrame:
    """The client's frame; naive times are meant in `time_zone`.

    Raises InvalidInput for what is no frame, TooLarge above the limit of a body with an image.
    """
    if data is None:
        raise InvalidInput("Send text frames that hold JSON.", code="malformed_frame")
    if len(data) > settings.MAX_IMAGE_BODY_BYTES:
        raise TooLarge("The frame is too large; send less at once.")
    try:
        return _FRAMES.validate_python(json.loads(data), context={"time_zone": time_zone})
    except ValidationError as error:
        # A location begins with the frame's type, by which the union was told apart.
        faults = error.errors(include_input=False, include_url=False)
        raise invalid_input(faults, within=lambda location: location[1:], code="invalid_frame") from error
    except (ValueError, RecursionError) as error:
        raise InvalidInput("Send text frames that hold JSON.", code="malformed_frame") from error
