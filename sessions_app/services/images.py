"""Images in conversations: kept with the turn they were sent with, told to whoever reads it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from uuid import UUID

from django.db import transaction
from django.utils import timezone

from accounts.principals import Principal
from memory.domain.types import Reader, Turn, Usage
from memory.ports import OnUsage
from sessions_app.models import Session, SessionTurn, TurnImage
from sessions_app.services.sessions import hold_audience, open_session, require_writable
from sessions_app.services.usage import UsageScope, record_usage
from visual.config import CaptionRecipe
from visual.domain.telling import told
from visual.domain.types import DecodedImage, Visual, VisualQuery, VisualRecalled
from visual.selectors import visuals_of
from visual.services.describe import describe_now
from visual.services.recall import recall_visuals
from visual.services.remember import ImageScope, Remembered, remember_images


@dataclass(frozen=True, slots=True)
class Shown:
    """The images of a turn as they are remembered, and how many were new to the session."""

    visuals: tuple[Visual, ...] = ()
    added: int = 0
    notes: tuple[str, ...] = ()


def show_images(
    principal: Principal,
    turn: SessionTurn,
    images: Sequence[DecodedImage],
    *,
    recipe: CaptionRecipe,
    on_usage: OnUsage | None = None,
) -> Shown:
    """Keep the images that were sent with a turn, and describe them if that is soon done.

    Raises StorageFailed; then none of them is kept.
    """
    scope = ImageScope(
        space_id=turn.space_id,
        private_to=turn.private_to_id,
        session_id=turn.session_id,
        seen_at=turn.said_at,
        now=timezone.now(),
        turn_id=turn.id,
        position=turn.index,
        words_around=turn.content,
    )
    kept = remember_images(scope, images, hold=lambda: hold_audience(turn.session))
    _link(turn, kept)
    ids = [visual.id for visual in kept.visuals]
    notes = describe_now(turn.space_id, ids, recipe, on_usage=on_usage)
    found = visuals_of(Reader(principal.space_id, principal.user_id), ids)
    return Shown(tuple(found[each] for each in ids if each in found), len(kept.added), notes)


def add_images(
    principal: Principal, session_name: str, images: Sequence[DecodedImage], *, context: str = ""
) -> Remembered:
    """Keep images in a session without a turn; they are described in the background.

    Raises what open_session raises, and StorageFailed.
    """
    session = open_session(principal, session_name)
    require_writable(principal, session)
    now = timezone.now()
    scope = ImageScope(
        space_id=session.space_id,
        private_to=session.private_to_id,
        session_id=session.id,
        seen_at=now,
        now=now,
        position=session.turn_count,
        words_around=context,
    )
    return remember_images(scope, images, hold=lambda: hold_audience(session))


def find_images(principal: Principal, query: VisualQuery, *, now: datetime) -> VisualRecalled:
    """Search among what this person may see; what it took is their own affair."""
    reader, usages = Reader(principal.space_id, principal.user_id), list[Usage]()
    try:
        return recall_visuals(reader, query, now=now, on_usage=usages.append)
    finally:
        scope = UsageScope(principal.space_id, principal.user_id, session_id=query.session_id)
        record_usage(scope, usages)


def with_images(session: Session, turns: Sequence[Turn]) -> list[Turn]:
    """The turns of one session, each with what its images show."""
    links = _links(session)
    if not links:
        return list(turns)
    told_of = {visual_id: told(visual) for visual_id, visual in _visuals(session, links).items()}
    return [
        replace(turn, images=tuple(told_of[each] for each in links.get(turn.id, ()) if each in told_of))
        for turn in turns
    ]


def images_by_turn(principal: Principal, session: Session) -> Mapping[UUID, tuple[Visual | None, ...]]:
    """The images of each turn in their order; None for one that was deleted."""
    links = _links(session)
    ids = {each for linked in links.values() for each in linked}
    visuals = visuals_of(Reader(principal.space_id, principal.user_id), ids) if ids else {}
    return {turn_id: tuple(visuals.get(each) for each in linked) for turn_id, linked in links.items()}


def _links(session: Session) -> dict[UUID, list[UUID]]:
    found: dict[UUID, list[UUID]] = {}
    rows = TurnImage.objects.for_space(session.space_id).filter(session=session).order_by("place")
    for turn_id, visual_id in rows.values_list("turn_id", "visual_id"):
        found.setdefault(turn_id, []).append(visual_id)
    return found


def _visuals(session: Session, links: Mapping[UUID, Sequence[UUID]]) -> dict[UUID, Visual]:
    owner = session.private_to_id or session.author_id
    ids = {each for linked in links.values() for each in linked}
    return visuals_of(Reader(session.space_id, owner), ids)


@transaction.atomic
def _link(turn: SessionTurn, kept: Remembered) -> None:
    """Once for each image, whatever was sent again."""
    private_to = hold_audience(turn.session)
    known = set(turn.images.values_list("visual_id", flat=True))
    ids = dict.fromkeys(visual.id for visual in kept.visuals)
    TurnImage.objects.for_space(turn.space_id).bulk_create(
        TurnImage(
            space_id=turn.space_id,
            private_to_id=private_to,
            session_id=turn.session_id,
            turn=turn,
            visual_id=visual_id,
            place=place,
        )
        for place, visual_id in enumerate(ids, start=len(known))
        if visual_id not in known
    )
