"""Segments that teach, and what is known of them afterwards."""

from collections.abc import Sequence
from datetime import UTC, datetime
from uuid import UUID, uuid4

from uuid_utils.compat import uuid7

from accounts.principals import Principal
from memory.domain.types import EncodedSkill, Plan, Reader, Recalled, Role, Turn
from memory.services.reindex import drain_outbox
from skills.config import SkillConfig
from skills.domain.types import SkillHit
from skills.models import Skill
from skills.services.learn import Learned, learn_skills
from skills.services.learn_rows import Source
from skills.services.recall import recall_skills

DEPLOY = EncodedSkill("Deploy the web service", "1. Run `make build`\n2. Push the image\n3. Restart the pods")
AGAIN = EncodedSkill(
    "Deploying the web service", "1. Run `make build`\n2. Push the image\n3. Roll out slowly"
)
BREAD = EncodedSkill("Bake the bread", "1. Heat the oven\n2. Knead the dough\n3. Bake it")


def turn(index: int, role: Role, text: str, speaker: str = "Alice") -> Turn:
    return Turn(
        id=uuid7(),
        space_id=UUID(int=1),
        private_to=None,
        session_id=UUID(int=2),
        session_name="work",
        index=index,
        role=role,
        speaker=speaker,
        text=text,
        said_at=datetime(2026, 5, 1, tzinfo=UTC),
    )


def told(*skills: EncodedSkill) -> list[Turn]:
    """A person tells each of them in their words."""
    return [turn(n, Role.USER, f"{skill.intent}:\n{skill.doc_markdown}") for n, skill in enumerate(skills)]


def shown(*skills: EncodedSkill, tools: Sequence[str] = ()) -> list[Turn]:
    """Tools are used, one after another."""
    asked = turn(0, Role.USER, "Please do it.")
    used = [turn(n, Role.TOOL, "done", name) for n, name in enumerate(tools or ("make",), start=1)]
    words = [turn(9, Role.ASSISTANT, skill.doc_markdown, "assistant") for skill in skills]
    return [asked, *used, *words]


def source(who: Principal, *, private: bool = False, segment: UUID | None = None) -> Source:
    return Source(who.space_id, who.user_id if private else None, uuid4(), segment or uuid4())


def teach(
    who: Principal,
    *skills: EncodedSkill,
    turns: Sequence[Turn] | None = None,
    private: bool = False,
    segment: UUID | None = None,
    config: SkillConfig | None = None,
) -> Learned:
    """Learn from a segment of its own, and let it be found."""
    own = told(*skills) if turns is None else turns
    learned = learn_skills(source(who, private=private, segment=segment), skills, own, config=config)
    drain_outbox(who.space_id)
    return learned


def skills_of(who: Principal) -> list[Skill]:
    return list(Skill.objects.visible_to(who.space_id, who.user_id).order_by("id"))


def only(who: Principal) -> Skill:
    (skill,) = skills_of(who)
    return skill


def ask(who: Principal, question: str, *, mode: str = "answer", draft: str = "") -> tuple[SkillHit, ...]:
    recalled = Recalled(question, Plan(mode=mode, draft=draft), (), (), "", 0, (), {}, None)
    return recall_skills(Reader(who.space_id, who.user_id), recalled)
