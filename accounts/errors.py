"""The one exception tree: what went wrong, in words a person can act on.

Services raise these; the doors translate them (problem documents, websocket
errors, form messages). `detail` says what to do and never quotes an exception.
"""

from dataclasses import dataclass
from typing import ClassVar


@dataclass(frozen=True, slots=True)
class FieldError:
    """One faulty field: a JSON pointer into the request, a code, a sentence."""

    pointer: str
    code: str
    message: str


class LycheeError(Exception):
    """The root of every error that a door may show."""

    code: ClassVar[str] = "error"
    title: ClassVar[str] = "Something went wrong"

    def __init__(
        self,
        detail: str = "",
        *,
        code: str = "",
        errors: tuple[FieldError, ...] = (),
        retry_after: int | None = None,
    ) -> None:
        super().__init__(detail or self.title)
        self.detail = detail or f"{self.title}."
        self.error_code = code or self.code
        self.errors = errors
        self.retry_after = retry_after  # seconds


class InvalidInput(LycheeError):
    """The request is understood and wrong; `errors` names the fields."""

    code = "invalid_input"
    title = "The request has a faulty value"

    @classmethod
    def field(cls, name: str, message: str, *, code: str = "invalid") -> "InvalidInput":
        """One faulty field of a JSON body, by name."""
        return cls(message, errors=(FieldError(f"/{name}", code, message),))


class NotAuthenticated(LycheeError):
    """No credential, or one that is not valid (any more)."""

    code = "not_authenticated"
    title = "Sign in first"


class Forbidden(LycheeError):
    """A member of the space whose role does not allow this."""

    code = "forbidden"
    title = "This is not allowed"


class NotFound(LycheeError):
    """Missing, or somebody else's: the two look alike on purpose."""

    code = "not_found"
    title = "Not found"


class Conflict(LycheeError):
    """The state of the thing does not allow this now."""

    code = "conflict"
    title = "That conflicts with what is stored"


class Outdated(Conflict):
    """The thing was changed since it was read, and the request said which version it read."""

    code = "precondition_failed"
    title = "It has changed since you read it"


class SessionBusy(Conflict):
    """The session is answering; one turn at a time."""

    code = "session_busy"
    title = "This session is answering already"


class TooLarge(LycheeError):
    """A body or field above its documented limit."""

    code = "too_large"
    title = "The request is too large"


class TooManyRequests(LycheeError):
    """A rate or budget is used up; `retry_after` says when to come back."""

    code = "too_many_requests"
    title = "Too many requests"


class ProviderError(LycheeError):
    """A model or an index failed. `is_retryable` says whether trying again can help."""

    code = "provider_failed"
    title = "A part of the memory does not answer"
    is_retryable: ClassVar[bool] = False


class ProviderUnavailable(ProviderError):
    """The provider may answer later."""

    code = "provider_unavailable"
    is_retryable = True


class StorageFailed(ProviderUnavailable):
    """Files cannot be written or read now: a full disk, or a bucket that does not answer."""

    code = "storage_unavailable"
    title = "The storage of images does not answer; nothing was stored, try again later"


class TimeOver(ProviderUnavailable):
    """The time given to a piece of work is up; no fault of the provider it was waiting for."""

    code = "time_over"
    title = "The time for this piece of work was up"


class OutOfTime(ProviderUnavailable):
    """The call took all the time it was given; another attempt would take it again."""


class CallLeft(LycheeError):
    """Whoever waited for a model has gone: the call was ended. Never shown to anybody."""

    code = "call_left"
    title = "Nobody waits for this any more"


class ProviderRefused(ProviderError):
    """The provider rejects the call for good: key, model name, or the request itself."""

    code = "provider_refused"
    title = "The model's provider rejects the call; check the model's name, key and base URL"


class ContextTooLong(ProviderError):
    """The prompt is longer than the model reads."""

    code = "context_too_long"
    title = "The text is longer than the model reads"


class ReplyRefused(ProviderError):
    """The model, or its provider's filter, declines to answer this text."""

    code = "reply_refused"
    title = "The model declines to answer this"


class ReplyTruncated(ProviderError):
    """The reply ends at the model's output limit; a smaller task may fit."""

    code = "reply_truncated"
    title = "The model's reply was cut off at its output limit"


class ReplyFaulty(ProviderError):
    """The reply does not say what was asked for, also after repair."""

    code = "reply_faulty"
    title = "The model's reply could not be used"


class IndexMismatch(ProviderError):
    """Stored vectors were made by another embedder than the one in use."""

    code = "index_mismatch"
    title = "The vectors were made by another embedder; run `manage.py rebuild_index --background`"
