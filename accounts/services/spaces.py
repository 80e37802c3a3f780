"""Spaces, the tenants: a personal one with each user, shared ones on request."""

import unicodedata

from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction
from django.utils.text import slugify
from django.utils.translation import gettext as _

from accounts.errors import Conflict, FieldError, Forbidden, InvalidInput, NotFound
from accounts.models import Membership, Space, User
from accounts.services.audit import record_audit

SLUG_CHARS = 50  # of a personal space; leaves room for a number
RESERVED_SLUGS = frozenset({"all", "new", "personal"})


def create_space(user: User, *, slug: str, name: str) -> Space:
    """Make a shared space that the user owns. Raises InvalidInput, or Conflict for a taken slug."""
    space = Space(slug=slug.strip(), name=unicodedata.normalize("NFC", name).strip())
    errors = _field_errors(space)
    if errors:
        raise InvalidInput(errors[0].message, errors=errors)
    if Space.objects.filter(slug=space.slug).exists():
        raise _taken()
    try:
        with transaction.atomic():
            return _store(space, owner=user)
    except IntegrityError as error:  # somebody took the slug since it was checked
        raise _taken() from error


def create_personal_space(user: User) -> Space:
    """Make the user's own space, in the caller's transaction; its slug comes of the name."""
    space = Space(slug=_free_slug(user.username), name=user.speaker, personal_to=user)
    return _store(space, owner=user)


def add_member(owner: User, *, slug: str, username: str, role: str) -> Membership:
    """Let a person into a space, or change their role. For owners of it.

    Raises NotFound for a space that is not the caller's and for an unknown person.
    """
    own = Membership.objects.filter(user=owner, space__slug=slug).select_related("space").first()
    if own is None:
        raise NotFound(_("There is no such space among yours."))
    if own.role != Membership.Role.OWNER:
        raise Forbidden(_("Only an owner of the space may let people in."))
    if own.space.personal_to_id is not None:
        raise Conflict(_("A personal space has one member; make a shared space instead."))
    if role not in Membership.Role.values:
        raise InvalidInput.field("role", _("A role is owner, editor or viewer."))
    person = User.objects.filter(username=username).first()
    if person is None:
        raise NotFound(_("There is no such person."))
    with transaction.atomic():
        return _set_role(own.space, person, role=role, by=owner)


def _set_role(space: Space, person: User, *, role: str, by: User) -> Membership:
    # The lock on the space keeps two owners from demoting each other at once.
    Space.objects.select_for_update().get(pk=space.pk)
    owners = Membership.objects.filter(space=space, role=Membership.Role.OWNER).exclude(user=person)
    if role != Membership.Role.OWNER and not owners.exists():
        raise Conflict(_("A space keeps at least one owner."))
    membership, _created = Membership.objects.update_or_create(
        space=space, user=person, defaults={"role": role}
    )
    record_audit(
        action="space.member_set",
        object_type="membership",
        object_id=membership.id,
        space_id=space.id,
        user_id=by.id,
        fields=("role",),
    )
    return membership


def _store(space: Space, *, owner: User) -> Space:
    space.save()
    Membership.objects.create(space=space, user=owner, role=Membership.Role.OWNER)
    record_audit(
        action="space.created",
        object_type="space",
        object_id=space.id,
        space_id=space.id,
        user_id=owner.id,
    )
    return space


def _field_errors(space: Space) -> tuple[FieldError, ...]:
    try:
        space.clean_fields()
    except ValidationError as error:
        return tuple(
            FieldError(f"/{name}", str(item.code or "invalid"), " ".join(item.messages))
            for name, items in error.error_dict.items()
            for item in items
        )
    if space.slug in RESERVED_SLUGS:
        return (FieldError("/slug", "reserved", _("This address is reserved; choose another.")),)
    if "\x00" in space.name:
        return (FieldError("/name", "invalid", _("A name holds no NUL character.")),)
    return ()


def _free_slug(username: str) -> str:
    base = slugify(username)[:SLUG_CHARS] or "space"
    taken = set(Space.objects.filter(slug__startswith=base).values_list("slug", flat=True)) | RESERVED_SLUGS
    if base not in taken:
        return base
    return next(slug for n in range(2, len(taken) + 3) if (slug := f"{base}-{n}") not in taken)


def _taken() -> Conflict:
    message = _("A space with this address exists already.")
    return Conflict(message, code="slug_taken", errors=(FieldError("/slug", "taken", message),))
