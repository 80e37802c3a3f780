"""Which zones a person may have."""

import pytest

from accounts.services.zones import is_zone, zone_names


@pytest.mark.parametrize(
    "name", ["UTC", "Etc/UTC", "Etc/GMT+5", "Europe/Berlin", "America/Argentina/Ushuaia"]
)
def test_places_and_offsets_are_zones(name: str) -> None:
    assert is_zone(name)


@pytest.mark.parametrize(
    "name",
    ["localtime", "posixrules", "Factory", "posix/UTC", "right/UTC", "europe/berlin", "", "../UTC", "x\0"],
)
def test_what_speaks_of_the_machine_or_of_nothing_is_none(name: str) -> None:
    assert not is_zone(name)


def test_every_zone_that_is_offered_may_be_chosen() -> None:
    assert all(is_zone(name) for name in zone_names())
    assert len(zone_names()) > 300
