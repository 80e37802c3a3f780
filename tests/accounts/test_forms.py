"""Forms of accounts: what reaches a service, and how its errors come back."""

import pytest

from accounts.errors import Conflict, InvalidInput
from accounts.forms import PasswordForm, SignUpForm
from accounts.models import User

pytestmark = pytest.mark.django_db  # a name may be taken


def filled(**changes: str) -> SignUpForm:
    return SignUpForm({"username": "alice", "password": "a long walk by the sea", **changes})


def test_the_password_reaches_the_service_as_it_was_typed():
    form = filled(password="  spaces count  ")
    assert form.is_valid()
    assert form.cleaned_data["password"] == "  spaces count  "


@pytest.mark.parametrize(
    ("told", "kept"), [("Asia/Tokyo", "Asia/Tokyo"), ("", "UTC"), ("Mars/Olympus", "UTC"), ("Factory", "UTC")]
)
def test_only_a_known_zone_is_kept(told, kept):
    form = filled(time_zone=told)
    assert form.is_valid()
    assert form.cleaned_data["time_zone"] == kept


def test_an_error_goes_to_the_field_it_names():
    form = filled()
    assert form.is_valid()
    form.show(InvalidInput.field("username", "No."))
    assert form.errors == {"username": ["No."]}


def test_an_error_of_an_unknown_field_goes_above_the_form():
    form = filled()
    assert form.is_valid()
    form.show(InvalidInput.field("elsewhere", "No."))
    assert form.non_field_errors() == ["No."]


def test_an_error_that_names_no_field_goes_above_the_form():
    form = filled()
    assert form.is_valid()
    form.show(Conflict("Taken."))
    assert form.non_field_errors() == ["Taken."]


def test_a_faulty_field_says_so_to_screen_readers():
    form = filled(username="a")
    assert 'aria-invalid="true"' in str(form["username"])
    assert 'aria-invalid="true"' not in str(form["password"])


def test_the_rules_of_a_password_are_sentences():
    assert any("at least 8 characters" in rule for rule in PasswordForm(User()).rules)
