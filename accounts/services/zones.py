"""The time zones a person may have: places and offsets, not files beside them."""

import zoneinfo
from functools import cache
from typing import Final

# Names in the zone database that say something of the machine, or nothing at all.
_NO_PLACE: Final = frozenset({"Factory", "localtime", "posixrules"})


@cache
def zone_names() -> frozenset[str]:
    """Every name that is a zone here and on any other machine, such as Europe/Berlin or UTC."""
    return frozenset(zoneinfo.available_timezones() - _NO_PLACE)


def is_zone(name: str) -> bool:
    """Whether a person may have this zone. Names mind capital letters on every file system."""
    return name in zone_names()
