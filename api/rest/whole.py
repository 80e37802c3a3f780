"""ChatEvents as one JSON object."""

from api.answering import Answering, Finished
from api.framing import done_fields
from api.schemas.chat import CompleteAnswer
from memory.errors import ProviderError
from sessions_app.domain.types import Answer, Done, Failed


async def whole_answer(answering: Answering, *, session: str) -> CompleteAnswer:
    """Everything a stream would have said, at once. Raises ProviderError where it failed."""
    text = ""
    async with answering:
        while True:
            try:
                event = await answering.next()
            except Finished as end:
                raise ProviderError("The answer ended early; ask again.") from end
            match event:
                case Answer():
                    text = event.content
                case Done():
                    return CompleteAnswer(response=text, **done_fields(event, session=session))
                case Failed():
                    raise ProviderError(event.detail, code=event.code)
                case _:
                    continue
