"""What accounts tell: a person's spaces, their members, a job."""

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from django.db.models import Count

from accounts.errors import NotFound
from accounts.models import Job, Membership, User
from accounts.principals import Principal


@dataclass(frozen=True, slots=True)
class SpaceSummary:
    """A space as one of its members sees it."""

    id: UUID
    slug: str
    name: str
    role: str
    is_personal: bool
    member_count: int
    created_at: datetime


def list_spaces(user_id: UUID) -> list[SpaceSummary]:
    """The spaces of a person, the personal one first, then by slug."""
    memberships = (
        Membership.objects.filter(user_id=user_id)
        .select_related("space")
        .annotate(member_count=Count("space__memberships"))
    )
    summaries = [
        SpaceSummary(
            id=membership.space_id,
            slug=membership.space.slug,
            name=membership.space.name,
            role=membership.role,
            is_personal=membership.space.personal_to_id == user_id,
            member_count=membership.member_count,
            created_at=membership.space.created_at,
        )
        for membership in memberships
    ]
    return sorted(summaries, key=lambda space: (not space.is_personal, space.slug))


@dataclass(frozen=True, slots=True)
class Member:
    """A person of a space, as its other members see them."""

    username: str
    display_name: str
    role: str
    is_you: bool
    since: datetime


def member_of(row: Membership, user_id: UUID) -> Member:
    """A membership as this person sees it."""
    return Member(row.user.username, row.user.speaker, row.role, row.user_id == user_id, row.created_at)


def list_members(user_id: UUID, slug: str) -> list[Member]:
    """Who belongs to a space of this person's, owners first, then by name. Raises NotFound."""
    rows = Membership.objects.filter(space__slug=slug).select_related("user").order_by("user__username")
    members = [member_of(row, user_id) for row in rows]
    if not any(member.is_you for member in members):
        raise NotFound("There is no such space among yours.")
    order = list(Membership.Role.values)
    return sorted(members, key=lambda member: order.index(member.role))


def zone_of_space(space_id: UUID, private_to: UUID | None) -> str:
    """The zone in which what these people share is dated: the one person's, else the first owner's."""
    if private_to is not None:
        return User.objects.filter(id=private_to).values_list("time_zone", flat=True).first() or "UTC"
    owners = Membership.objects.filter(space_id=space_id, role=Membership.Role.OWNER)
    zones = owners.order_by("created_at", "id").values_list("user__time_zone", flat=True)
    return zones.first() or "UTC"


def get_job(principal: Principal, job_id: UUID) -> Job:
    """A job of the space that this person may see. Raises NotFound."""
    job: Job | None = Job.objects.visible_to(principal.space_id, principal.user_id).filter(pk=job_id).first()
    if job is None:
        raise NotFound("There is no such job in this space.")
    return job
