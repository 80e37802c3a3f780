"""Names of memory types."""

import pytest

from memory.domain.types import MemoryType
from sessions_app.templatetags.recollection import memory_type


@pytest.mark.parametrize("kind", [*MemoryType, "episode"])
def test_every_type_has_a_name_for_people(kind):
    assert memory_type(kind)
    assert "_" not in memory_type(kind)


def test_an_unknown_type_is_shown_as_it_is():
    assert memory_type("dream") == "dream"
