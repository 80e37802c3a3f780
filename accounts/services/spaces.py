"""Spaces, the tenants: a personal one with each user, shared ones on request. Members: members.py."""

import unicodedata

from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction
from django.utils.text import slugify
from django.utils.translation import gettext as _

from accounts.errors import Conflict, FieldError, InvalidInput
from accounts.models import Membership, Space, User
from accounts.services.audit import record_audit

SLUG_CHARS = 50  # of one made of a name; leaves room for a number
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
    space = Space(slug=free_slug(user.username), name=user.speaker, personal_to=user)
    return _store(space, owner=user)


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


def free_slug(name: str) -> str:
    """An address made of the name that no space has yet."""
    base = slugify(name)[:SLUG_CHARS] or "space"
    taken = set(Space.objects.filter(slug__startswith=base).values_list("slug", flat=True)) | RESERVED_SLUGS
    if base not in taken:
        return base
    return next(slug for n in range(2, len(taken) + 3) if (slug := f"{base}-{n}") not in taken)


def _taken() -> Conflict:
    message = _("A space with this address exists already.")
    return Conflict(message, code="slug_taken", errors=(FieldError("/slug", "taken", message),))
