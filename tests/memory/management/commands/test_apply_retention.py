"""`manage.py apply_retention`: the daily pass by hand."""

from datetime import timedelta
from io import StringIO

import pytest
from django.core.management import CommandError, call_command
from django.utils import timezone

from memory.models import MemoryRecord, RecordEvidence, RetentionPolicy
from memory.tasks import apply_retentions
from tests.memory.curating import remember, statements
from tests.memory.indexing import make_space

pytestmark = pytest.mark.django_db


@pytest.fixture
def spaces():
    """Two with an old fact each; the first keeps facts for a month."""
    made = [make_space("space-a"), make_space("space-b")]
    for space in made:
        remember(space)
    old = timezone.now() - timedelta(days=40)
    MemoryRecord.everyone.update(learned_at=old)
    RecordEvidence.everyone.update(created_at=old)
    RetentionPolicy.objects.for_space(made[0].id).create(space_id=made[0].id, memory_type="fact", days=30)
    return made


def run(*arguments: str) -> str:
    out = StringIO()
    call_command("apply_retention", *arguments, stdout=out)
    return out.getvalue().strip()


def test_it_expires_in_the_spaces_that_ask_for_it(spaces):
    assert run() == "1 memories expired in 1 space(s)."
    assert [len(statements(space)) for space in spaces] == [0, 1]
    assert run() == "0 memories expired in 1 space(s)."


def test_one_space_may_be_named(spaces):
    assert run("--space", "space-b") == "0 memories expired in 1 space(s)."
    assert run("--space", "space-a") == "1 memories expired in 1 space(s)."
    with pytest.raises(CommandError, match="no space 'nowhere'"):
        run("--space", "nowhere")


def test_the_clock_does_the_same(spaces):
    assert apply_retentions() == 1
    assert [len(statements(space)) for space in spaces] == [0, 1]
