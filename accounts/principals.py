"""Who asks, in which space, with which rights: made once at the door."""

from dataclasses import dataclass
from uuid import UUID

from django.utils.crypto import salted_hmac

from accounts.errors import Forbidden, NotFound
from accounts.models import Membership, User


@dataclass(frozen=True, slots=True)
class Principal:
    """A person acting in one space."""

    user_id: UUID
    username: str
    speaker: str
    time_zone: str
    space_id: UUID
    space_slug: str
    role: str
    password_state: str = ""  # a keyed digest: what was opened before a change of password is over

    @property
    def can_write(self) -> bool:
        """Whether this person may change what the space shares."""
        return self.role in (Membership.Role.OWNER, Membership.Role.EDITOR)

    def require_write(self) -> None:
        """Raises Forbidden for a viewer."""
        if not self.can_write:
            raise Forbidden("Viewers can recall; ask an owner of the space to make you an editor.")


def principal_for(user: User, slug: str | None = None) -> Principal:
    """The user acting in the named space, or in their personal one.

    Raises NotFound alike for a space that is missing and one they are no member of.
    """
    memberships = Membership.objects.filter(user=user).select_related("space")
    scoped = memberships.filter(space__slug=slug) if slug else memberships.filter(space__personal_to=user)
    membership = scoped.first()
    if membership is None:
        raise NotFound("There is no such space among yours; GET /spaces lists them.")
    return _principal(membership, user)


def principal_in(space_id: UUID, user_id: UUID) -> Principal:
    """The user acting in a space known by id, with the role they hold now. Raises NotFound."""
    membership = (
        Membership.objects.filter(space_id=space_id, user_id=user_id).select_related("space", "user").first()
    )
    if membership is None:
        raise NotFound("There is no such space among yours; GET /spaces lists them.")
    return _principal(membership, membership.user)


def _principal(membership: Membership, user: User) -> Principal:
    return Principal(
        user_id=user.id,
        username=user.username,
        speaker=user.speaker,
        time_zone=user.time_zone,
        space_id=membership.space_id,
        space_slug=membership.space.slug,
        role=membership.role,
        password_state=salted_hmac("lychee.password-state", user.password).hexdigest()[:24],
    )
