"""What people type on the pages of accounts, checked before a service sees it."""

from typing import TYPE_CHECKING

from django import forms
from django.contrib.auth.forms import AuthenticationForm
from django.contrib.auth.password_validation import password_validators_help_texts
from django.utils.translation import gettext_lazy as _

from accounts.errors import FieldError, LycheeError
from accounts.models import Membership, User
from accounts.services.users import password_faults, registration_faults
from accounts.services.zones import is_zone, zone_names

SLUG = r"^[a-z0-9](?:[a-z0-9-]*[a-z0-9])$"

if TYPE_CHECKING:
    from django_stubs_ext import StrPromise


class LycheeForm(forms.Form):
    """A form whose fields carry the look, and which can show a service's error."""

    def __init__(self, *args: object, **kwargs: object) -> None:
        super().__init__(*args, **kwargs)  # type: ignore[arg-type]
        for name, field in self.fields.items():
            if not field.widget.is_hidden:
                field.widget.attrs.setdefault("class", "input")
            if self.is_bound and name in self.errors:
                field.widget.attrs["aria-invalid"] = "true"

    def show(self, error: LycheeError) -> None:
        """Put a service's error beside the fields it names, or above the form."""
        for faulty in error.errors:
            name = faulty.pointer.lstrip("/")
            self.add_error(name if name in self.fields else None, faulty.message)
        if not error.errors:
            self.add_error(None, error.detail)


def _display_name() -> forms.CharField:
    return forms.CharField(
        label=_("What should the memory call you?"),
        required=False,
        max_length=128,
        help_text=_("Optional; otherwise your user name."),
        widget=forms.TextInput(attrs={"autocomplete": "nickname"}),
    )


def _secret(label: "StrPromise", autocomplete: str, *, help_text: "StrPromise | str" = "") -> forms.CharField:
    """A password, kept as it was typed."""
    return forms.CharField(
        label=label,
        strip=False,
        help_text=help_text,
        widget=forms.PasswordInput(attrs={"autocomplete": autocomplete}),
    )


def _add_unsaid(form: LycheeForm, faults: tuple[FieldError, ...]) -> None:
    """Put faults beside the fields of which nothing is said yet."""
    said = set(form.errors)
    for fault in faults:
        name = fault.pointer.lstrip("/")
        if name in form.fields and name not in said:
            form.add_error(name, fault.message)


class SignInForm(AuthenticationForm):
    """Name and password; one message for every failure, so that no name is given away."""

    error_messages = {
        "invalid_login": _("That name and password do not match. Both mind capital letters."),
        "inactive": _("That name and password do not match. Both mind capital letters."),
    }

    def __init__(self, *args: object, **kwargs: object) -> None:
        super().__init__(*args, **kwargs)  # type: ignore[arg-type]
        for name in ("username", "password"):
            self.fields[name].widget.attrs["class"] = "input"


class SignUpForm(LycheeForm):
    """A new person. The browser fills in its time zone."""

    username = forms.CharField(
        label=_("User name"),
        min_length=2,
        max_length=64,
        help_text=_("2 to 64 letters, digits or @ . + - _"),
        widget=forms.TextInput(attrs={"autocomplete": "username", "autocapitalize": "none"}),
    )
    display_name = _display_name()
    password = _secret(
        _("Password"), "new-password", help_text=_("At least 8 characters, and not an obvious one.")
    )
    time_zone = forms.CharField(required=False, max_length=64, widget=forms.HiddenInput)

    def clean(self) -> dict[str, object]:
        """Everything that is wrong at once, so that nobody mends one fault to be told the next."""
        cleaned: dict[str, object] = super().clean() or self.cleaned_data
        given = {name: str(self.data.get(name, "")) for name in ("username", "password", "display_name")}
        _add_unsaid(self, registration_faults(**given))
        return cleaned

    def clean_time_zone(self) -> str:
        """The zone the browser told, or UTC for one this server does not know."""
        zone: str = self.cleaned_data["time_zone"]
        return zone if is_zone(zone) else "UTC"


class ProfileForm(LycheeForm):
    """Who a person is to the memory, and where their clock stands."""

    display_name = _display_name()
    email = forms.EmailField(
        label=_("Email"),
        required=False,
        max_length=254,
        help_text=_("Optional."),
        widget=forms.EmailInput(attrs={"autocomplete": "email"}),
    )
    zone = forms.CharField(
        label=_("Time zone"),
        max_length=64,
        help_text=_("Times are shown in it, and “tomorrow” is meant in it. For example Europe/Berlin."),
        widget=forms.TextInput(attrs={"list": "zones", "autocomplete": "off", "spellcheck": "false"}),
    )

    @property
    def zones(self) -> list[str]:
        """What can be chosen."""
        return sorted(zone_names())

    def clean_zone(self) -> str:
        """A zone that this server knows."""
        zone: str = self.cleaned_data["zone"].strip()
        if not is_zone(zone):
            raise forms.ValidationError(_("Choose one of the list, such as Europe/Berlin."))
        return zone


class SpaceForm(LycheeForm):
    """A new shared space. Without an address it gets one made of its name."""

    name = forms.CharField(
        label=_("Name"),
        max_length=128,
        help_text=_("For example “The Silva family” or “Team North”."),
        widget=forms.TextInput(attrs={"autofocus": True, "autocomplete": "off"}),
    )
    slug = forms.RegexField(
        SLUG,
        label=_("Address"),
        required=False,
        max_length=64,
        help_text=_("Optional: 2 to 64 small letters, digits and hyphens, as programs name the space."),
        error_messages={"invalid": _("Use small letters, digits and, between them, hyphens.")},
        widget=forms.TextInput(attrs={"autocomplete": "off", "autocapitalize": "none"}),
    )


class RoleForm(LycheeForm):
    """What a member is."""

    role = forms.ChoiceField(label=_("Role"), choices=Membership.Role.choices)


class MemberForm(LycheeForm):
    """Whom to let in, and as what."""

    username = forms.CharField(
        label=_("User name"),
        max_length=64,
        widget=forms.TextInput(attrs={"autocomplete": "off", "autocapitalize": "none"}),
    )
    role = forms.ChoiceField(
        label=_("Role"),
        choices=[
            ("viewer", _("viewer: may ask")),
            ("editor", _("editor: may also tell and correct")),
            ("owner", _("owner: may also decide who belongs here")),
        ],
    )


class PasswordForm(LycheeForm):
    """An old password for a new one."""

    old_password = _secret(_("Current password"), "current-password")
    new_password = _secret(_("New password"), "new-password")

    def __init__(self, user: User, data: object = None) -> None:
        self._user = user
        super().__init__(data)

    def clean(self) -> dict[str, object]:
        """What is wrong with the new one, whatever is wrong with the old one."""
        cleaned: dict[str, object] = super().clean() or self.cleaned_data
        _add_unsaid(self, password_faults(self._user, str(self.data.get("new_password", ""))))
        return cleaned

    @property
    def rules(self) -> list[str]:
        """What a password must be, in sentences."""
        return [str(text) for text in password_validators_help_texts()]


class FirstPasswordForm(PasswordForm):
    """A one-time password for one's own, and the name under which the memory is to know its bearer."""

    display_name = _display_name()

    def __init__(self, user: User, data: object = None) -> None:
        super().__init__(user, data)
        self.initial = {"display_name": user.display_name}
