"""How people and things stand to each other, by pattern: "my sister Anna", "I work at Siemens"."""

import re
from collections.abc import Iterator
from typing import Final

from memory.domain.types import EncodedRelation
from memory.providers.offline_language.quotations import covers, quoted_spans
from memory.providers.offline_language.slots import Slot

# Attributes whose value is somebody or something of its own.
_BY_SLOT: Final = {
    "residence": "lives_in",
    "employer": "works_for",
    "origin": "comes_from",
    "school": "studies_at",
}
_NAME: Final = r"[^\W\d_a-zß-öø-ÿа-яё][^\W\d_A-ZÀ-ÖØ-Þ]+"  # a capital letter and small ones, of any script
_OWN_NAME: Final = re.compile(
    r"\b[Mm]y (?P<role>(?:(?:older|younger|big|little|best|twin)\s)?(?:wife|husband|partner|"
    r"girlfriend|boyfriend|fianc[ée]e?|son|daughter|mom|mum|mother|dad|father|sister|"
    r"brother|friend|boss|manager|colleague|roommate|neighbou?r|dog|cat|puppy|kitten))(?:'s name is|"
    r"’s name is| is called| is named| named| called|,)?\s"
    rf"(?P<name>{_NAME}(?:\s{_NAME})?)"
)


def named_relatives(text: str) -> Iterator[tuple[str, str]]:
    """Role and name of those whom the text's speaker calls their own, quotations excepted."""
    matches = list(_OWN_NAME.finditer(text))
    quoted = quoted_spans(text) if matches else []
    for match in matches:
        if not covers(quoted, match.start()):
            yield match.group("role"), match.group("name")


def find_relations(text: str, slot: Slot | None, *, speaker: str) -> tuple[EncodedRelation, ...]:
    """What the speaker's own words tell of how they stand to others.

    "My older sister Anna" gives (speaker, older_sister, Anna).
    """
    kin = [
        EncodedRelation(speaker, role.lower().replace(" ", "_"), name)
        for role, name in named_relatives(text)
        if name != speaker
    ]
    if slot and slot.name in _BY_SLOT:
        kin.append(EncodedRelation(speaker, _BY_SLOT[slot.name], slot.value))
    return tuple(kin)
