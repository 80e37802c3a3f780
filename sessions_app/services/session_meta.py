"""What a conversation is called and filed under: title, topic, tags, as people put them."""

from collections.abc import Sequence

from django.db import transaction
from django.utils.translation import gettext as _

from accounts.errors import InvalidInput
from accounts.principals import Principal
from accounts.services.audit import record_audit
from memory.domain.text import clean_text
from sessions_app.config import MetaConfig
from sessions_app.domain.turns import clean_name
from sessions_app.models import Session
from sessions_app.services.session_audience import change_audience
from sessions_app.services.sessions import lock_visible
from sessions_app.services.turns import space_screen


def describe_session(
    principal: Principal,
    session: Session,
    *,
    title: str | None = None,
    topic: str | None = None,
    tags: Sequence[str] | None = None,
    private: bool | None = None,
) -> Session:
    """Change what is given; for the author, and in a shared session for whoever may write. Whether it is
    `private`, with all that came of it, is for the author alone.

    Texts are on one line and screened for secrets as turns are. Raises Forbidden, InvalidInput
    naming the field, NotFound for a session deleted meanwhile, Conflict for one that is answering and
    is to change hands.
    """
    if session.author_id != principal.user_id:
        principal.require_write()
    config, screen = MetaConfig(), space_screen(principal)
    changes: dict[str, str | list[str]] = {}
    if title is not None:
        changes["title"] = screen(clean_name(title, field="title", limit=config.title_chars))
    if topic is not None:
        changes["topic"] = screen(_line(topic, field="topic", limit=config.topic_chars))
    if tags is not None:
        changes["tags"] = [screen(tag) for tag in _tags(tags, config)]
    with transaction.atomic():
        locked = lock_visible(principal, session)
        if private is not None:
            change_audience(principal, locked, is_private=private)
        for name, value in changes.items():
            setattr(locked, name, value)
        if changes or private is None:
            _save(principal, locked, tuple(changes))
    return locked


def _save(principal: Principal, locked: Session, fields: tuple[str, ...]) -> None:
    locked.save(update_fields=fields)
    record_audit(
        action="session.described",
        object_type="session",
        object_id=locked.id,
        space_id=locked.space_id,
        user_id=principal.user_id,
        fields=fields,
    )


def _tags(tags: Sequence[str], config: MetaConfig) -> list[str]:
    """The tags without doubles and blanks, in their order."""
    lines = [_line(tag, field=f"tags/{i}", limit=config.tag_chars) for i, tag in enumerate(tags)]
    kept = list(dict.fromkeys(line for line in lines if line))
    if len(kept) > config.max_tags:
        message = _("A conversation has at most %(n)d tags.") % {"n": config.max_tags}
        raise InvalidInput.field("tags", message, code="too_many")
    return kept


def _line(text: str, *, field: str, limit: int) -> str:
    """A clean text on one line that may be empty."""
    return clean_name(text, field=field, limit=limit) if clean_text(text).strip() else ""
