"""Who belongs to a shared space: owners let people in, change their role and take them out.

What a person keeps private in a space is bound to them, not to their membership: it stays when
they go, nobody sees it, and they see it again if they are let in again.
"""

from django.db import transaction
from django.utils.translation import gettext as _

from accounts.errors import Conflict, Forbidden, InvalidInput, NotFound
from accounts.models import Membership, Space, User
from accounts.services.audit import record_audit


def add_member(owner: User, *, slug: str, username: str, role: str) -> Membership:
    """Let a person in. For owners.

    Raises NotFound for a space that is not the caller's, Forbidden, InvalidInput for an unknown
    person or role, Conflict for a personal space and for who is a member already.
    """
    own = _own(owner, slug)
    _require_owner(own)
    if own.space.personal_to_id is not None:
        raise Conflict(_("A personal space has one member; make a shared space instead."))
    _check_role(role)
    person = User.objects.filter(username__iexact=_plain(username), is_active=True).first()
    if person is None:
        raise InvalidInput.field("username", _("There is no such person here."), code="unknown_person")
    with transaction.atomic():
        _lock(own.space)
        if Membership.objects.filter(space=own.space, user=person).exists():
            raise _already()
        membership = Membership.objects.create(space=own.space, user=person, role=role)
        _audit("space.member_added", membership, by=owner)
    return membership


def change_role(owner: User, *, slug: str, username: str, role: str) -> Membership:
    """Give a member another role. For owners.

    Raises NotFound for a space or member that is not there for the caller, Forbidden, InvalidInput
    for an unknown role, Conflict for the last owner.
    """
    own = _own(owner, slug)
    with transaction.atomic():
        _lock(own.space)
        membership = _member(own.space, username)
        _require_owner(own)
        _check_role(role)
        if role != Membership.Role.OWNER:
            _keep_an_owner(membership)
        membership.role = role
        membership.save(update_fields=["role"])
        _audit("space.member_set", membership, by=owner)
    return membership


def remove_member(person: User, *, slug: str, username: str) -> None:
    """Take a member out, for owners; anybody may leave by themselves.

    Raises NotFound for a space or member that is not there for the caller, Forbidden, Conflict for
    the last owner and for a personal space.
    """
    own = _own(person, slug)
    with transaction.atomic():
        _lock(own.space)
        membership = _member(own.space, username)
        if membership.user_id != person.id:
            _require_owner(own)
        _keep_an_owner(membership)
        _audit("space.member_removed", membership, by=person)
        membership.delete()


def _own(person: User, slug: str) -> Membership:
    own = Membership.objects.filter(user=person, space__slug=slug).select_related("space").first()
    if own is None:
        raise NotFound(_("There is no such space among yours."))
    return own


def _member(space: Space, username: str) -> Membership:
    found = (
        Membership.objects.filter(space=space, user__username=_plain(username)).select_related("user").first()
    )
    if found is None:
        raise NotFound(_("There is no such member of this space."))
    return found


def _lock(space: Space) -> None:
    # Keeps two owners from taking each other's role at once.
    Space.objects.select_for_update().get(pk=space.pk)


def _require_owner(own: Membership) -> None:
    # Read again: the role may have changed while the lock was waited for.
    if not Membership.objects.filter(pk=own.pk, role=Membership.Role.OWNER).exists():
        raise Forbidden(_("Only an owner of the space may decide who belongs to it."))


def _keep_an_owner(membership: Membership) -> None:
    owners = Membership.objects.filter(space_id=membership.space_id, role=Membership.Role.OWNER)
    if not owners.exclude(pk=membership.pk).exists():
        raise Conflict(_("A space keeps at least one owner; make somebody else an owner first."))


def _check_role(role: str) -> None:
    if role not in Membership.Role.values:
        raise InvalidInput.field("role", _("A role is owner, editor or viewer."))


def _already() -> Conflict:
    error = InvalidInput.field("username", _("This person is a member already."), code="member_already")
    return Conflict(error.detail, code="member_already", errors=error.errors)


def _audit(action: str, membership: Membership, *, by: User) -> None:
    record_audit(
        action=action,
        object_type="membership",
        object_id=membership.id,
        space_id=membership.space_id,
        user_id=by.id,
        fields=("role",),
    )


def _plain(username: str) -> str:
    """A name that can be looked for: PostgreSQL refuses NUL, which no name holds."""
    return username.replace("\x00", "\ufffd").strip()
