"""Which spaces a command works on."""

from argparse import ArgumentParser

import pytest
from django.core.management.base import CommandError

from accounts.management.spaces import add_space_argument, chosen_spaces
from accounts.models import Space
from accounts.services.users import register_user

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def people() -> None:
    for name in ("ben", "ann"):
        register_user(username=name, password="a long walk by the sea")


def test_without_a_slug_all_spaces_are_chosen_by_slug() -> None:
    assert [space.slug for space in chosen_spaces(None)] == sorted(
        Space.objects.values_list("slug", flat=True)
    )


def test_without_a_slug_only_those_that_have_something_to_do_are_chosen() -> None:
    some = Space.objects.filter(slug__startswith="ann")
    assert chosen_spaces(None, among=some) == list(some)


def test_a_slug_chooses_its_space_whether_or_not_it_has_something_to_do() -> None:
    ben = Space.objects.get(slug__startswith="ben")
    assert chosen_spaces(ben.slug, among=Space.objects.none()) == [ben]


def test_an_unknown_slug_is_named_in_the_error() -> None:
    with pytest.raises(CommandError, match="There is no space 'atlantis'"):
        chosen_spaces("atlantis")


@pytest.mark.parametrize(("arguments", "slug"), [([], None), (["--space", "home"], "home")])
def test_the_option_is_a_slug_or_nothing(arguments: list[str], slug: str | None) -> None:
    parser = ArgumentParser()
    add_space_argument(parser)
    assert parser.parse_args(arguments).space == slug
