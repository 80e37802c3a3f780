"""What a segment's encoding described as skills goes to procedural memory."""

from collections.abc import Sequence

from memory.domain.types import EncodedSkill, Turn
from memory.ports import OnUsage
from sessions_app.models import Segment
from sessions_app.services.sessions import hold_audience
from skills.services.learn import Learned, learn_skills
from skills.services.learn_rows import Source


def learn_from_segment(
    segment: Segment, turns: Sequence[Turn], skills: Sequence[EncodedSkill], *, on_usage: OnUsage
) -> Learned:
    """Learn what this segment teaches; what it taught before and does not any more goes."""
    source = Source(segment.space_id, segment.private_to_id, segment.session_id, segment.id)
    return learn_skills(source, skills, turns, on_usage=on_usage, hold=lambda: hold_audience(segment.session))
