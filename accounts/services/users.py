"""People: registration with a personal space, the profile, the password."""

import unicodedata

from django.contrib.auth.password_validation import validate_password
from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction
from django.http import HttpRequest
from django.utils.translation import gettext as _

from accounts.errors import Conflict, FieldError, InvalidInput
from accounts.models import User
from accounts.services.audit import record_audit
from accounts.services.credentials import confirm_password
from accounts.services.spaces import create_personal_space
from accounts.services.zones import is_zone


def register_user(
    *,
    username: str,
    password: str,
    display_name: str = "",
    email: str = "",
    time_zone: str = "UTC",
    must_change_password: bool = False,
) -> User:
    """Make a user, their personal space and their membership in it.

    Names are NFC and trimmed. Raises InvalidInput naming every faulty field, and
    Conflict for a name that differs from a taken one at most in case.
    """
    user = User(
        username=unicodedata.normalize("NFC", username).strip(),
        display_name=_plain(display_name),
        email=User.objects.normalize_email(email.strip()),
        time_zone=time_zone,
        must_change_password=must_change_password,
    )
    _check(user, password)
    user.set_password(password)
    try:
        with transaction.atomic():
            user.save()
            space = create_personal_space(user)
            record_audit(
                action="user.registered",
                object_type="user",
                object_id=user.id,
                space_id=space.id,
                user_id=user.id,
            )
    except IntegrityError as error:  # somebody took the name since it was checked
        raise _taken() from error
    return user


MOST_FORMER_NAMES = 20


def update_profile(
    user: User, *, display_name: str | None = None, email: str | None = None, time_zone: str | None = None
) -> User:
    """Change what is given; what was said under an earlier name stays theirs. Raises InvalidInput."""
    changes = {
        name: value
        for name, value in (
            ("display_name", None if display_name is None else _plain(display_name)),
            ("email", None if email is None else User.objects.normalize_email(email.strip())),
            ("time_zone", time_zone),
        )
        if value is not None
    }
    before = user.names
    for name, value in changes.items():
        setattr(user, name, value)
    user.former_names = [name for name in before if name != user.speaker][:MOST_FORMER_NAMES]
    errors = _field_errors(user, exclude={"password", "username"})
    if errors:
        raise InvalidInput(errors[0].message, errors=errors)
    with transaction.atomic():
        user.save(update_fields=[*changes, "former_names"])
        record_audit(
            action="user.updated",
            object_type="user",
            object_id=user.id,
            space_id=None,
            user_id=user.id,
            fields=tuple(changes),
        )
    return user


def change_password(request: HttpRequest, user: User, *, old: str, new: str) -> None:
    """Replace the password; the old one proves who asks.

    Tokens and browser sessions made with the old password stop being valid. Raises
    InvalidInput, and TooManyRequests: a wrong old password counts as a failed sign-in.
    """
    errors = password_faults(user, new)
    if not confirm_password(request, user, old):
        wrong = FieldError("/old_password", "wrong", _("That is not your present password."))
        errors = (wrong, *errors)
    elif old == new:
        message = _("Choose a password other than the present one.")
        errors = (FieldError("/new_password", "invalid", message), *errors)
    if errors:
        raise InvalidInput(errors[0].message, errors=errors)
    user.set_password(new)
    user.must_change_password = False
    with transaction.atomic():
        user.save(update_fields=["password", "must_change_password"])
        record_audit(
            action="user.password_changed",
            object_type="user",
            object_id=user.id,
            space_id=None,
            user_id=user.id,
            fields=("password",),
        )


def registration_faults(*, username: str, password: str, display_name: str = "") -> tuple[FieldError, ...]:
    """All that keeps somebody from registering so, at once; a taken name too."""
    name = unicodedata.normalize("NFC", username).strip()
    return _faults(User(username=name, display_name=_plain(display_name)), password)


def password_faults(user: User, password: str) -> tuple[FieldError, ...]:
    """All that is wrong with this as the user's new password."""
    return _password_errors(password, user, field="new_password")


def _check(user: User, password: str) -> None:
    errors = _faults(user, password)
    if [error.code for error in errors] == ["taken"]:
        raise _taken()
    if errors:
        raise InvalidInput(errors[0].message, errors=errors)


def _faults(user: User, password: str) -> tuple[FieldError, ...]:
    errors = (*_field_errors(user, exclude={"password"}), *_password_errors(password, user, field="password"))
    is_well_formed = all(error.pointer != "/username" for error in errors)
    if is_well_formed and User.objects.filter(username__iexact=user.username).exists():
        return (*_taken().errors, *errors)
    return errors


def _field_errors(user: User, *, exclude: set[str]) -> tuple[FieldError, ...]:
    errors = []
    try:
        user.clean_fields(exclude=exclude)
    except ValidationError as error:
        errors = [
            FieldError(f"/{name}", str(item.code or "invalid"), " ".join(item.messages))
            for name, items in error.error_dict.items()
            for item in items
        ]
    if not is_zone(user.time_zone):
        message = _("Give an IANA time zone such as Europe/Berlin.")
        errors.append(FieldError("/time_zone", "unknown_zone", message))
    return tuple(errors)


def _password_errors(password: str, user: User, *, field: str) -> tuple[FieldError, ...]:
    if "\x00" in password:
        return (FieldError(f"/{field}", "invalid", _("A password holds no NUL character.")),)
    try:
        validate_password(password, user)
    except ValidationError as error:
        return tuple(
            FieldError(f"/{field}", str(item.code or "invalid"), " ".join(item.messages))
            for item in error.error_list
        )
    return ()


def _plain(name: str) -> str:
    """A person's name on one line, without control characters."""
    line = " ".join(unicodedata.normalize("NFC", name).split())
    return "".join(c for c in line if unicodedata.category(c) not in ("Cc", "Cs"))


def _taken() -> Conflict:
    message = _("This name is taken.")
    return Conflict(message, code="username_taken", errors=(FieldError("/username", "taken", message),))
