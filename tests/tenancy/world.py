"""What the walkers look for: Alice's shared and private things, and every id behind them."""

import base64
import io
import zipfile
from dataclasses import dataclass, replace
from typing import Any
from uuid import UUID, uuid4

from django.apps import apps
from django.db.models import QuerySet

from accounts.models import Job, Space
from accounts.tenancy import SpaceOwned
from memory.domain.types import EncodedSkill
from memory.models import MemoryRecord, RetrievalLog
from memory.services.reindex import drain_outbox
from sessions_app.models import Session
from sessions_app.services.sessions import open_session
from sessions_app.stores.turns import RowTurnSource
from skills.models import Skill
from skills.services.learn import learn_skills
from skills.services.learn_rows import Source
from tests.api.cast import Cast, Person
from tests.visual.pictures import plain

SHARED = "My favourite restaurant is called Zanzibaretta."
PRIVATE = "My secret hideout is called Quixotembra."
STEPS = "1. Walk there\n2. Knock twice\n3. Say the word"
CANARIES = ("zanzibaretta", "quixotembra")


@dataclass(frozen=True)
class Things:
    """One session of Alice's and what came of it; of the shared one the space and a member too."""

    session: str
    record: str
    job: str
    name: str
    log: str = "00000000-0000-7000-8000-000000000000"
    skill: str = "00000000-0000-7000-8000-000000000000"
    visual: str = "00000000-0000-7000-8000-000000000000"
    space: str = "missing"
    member: str = "missing"


@dataclass(frozen=True)
class World:
    """The cast, Alice's things, and what each counted before anybody walked."""

    cast: Cast
    shared: Things
    private: Things
    counts: dict[str, dict[str, int]]


def build_world(cast: Cast) -> World:
    """Alice says something in a shared and in a private session; both are filed."""
    open_session(cast.alice.principal, "hideouts", private=True)
    shared = replace(tell(cast.alice, "restaurants", SHARED), space="space-a", member="bob")
    private = tell(cast.alice, "hideouts", PRIVATE)
    counts = {
        who.user.username: who.get("/pipeline/status").json()
        for who in (cast.alice, cast.bob, cast.vera, cast.charlie)
    }
    return World(cast=cast, shared=shared, private=private, counts=counts)


def tell(who: Person, session: str, text: str) -> Things:
    """Say it, have it filed, and name what came of it."""
    turn = {"session_id": session, "role": "user", "content": text}
    assert who.post("/memory/append-turn?wait=index", turn).status_code == 200
    reply = who.post("/memory/consolidate", {"session_id": session, "background": False})
    assert reply.status_code == 200, reply.content
    row = Session.everyone.get(space__slug=who.space, name=session)
    record = MemoryRecord.everyone.filter(session_id=row.id).first()
    assert record is not None, reply.content
    job = Job.everyone.get(id=reply.json()["job_id"])
    assert who.post("/memory/search", {"query": text, "session_id": session}).status_code == 200
    log = RetrievalLog.everyone.filter(session_id=row.id).latest("id")
    skill, visual = teach(row, text), show(who, session, text)
    return Things(str(row.id), str(record.id), str(job.id), session, str(log.id), str(skill.id), visual)


def show(who: Person, session: str, text: str) -> str:
    """Show an image of a colour of its own in the session, with words around it."""
    data = base64.b64encode(plain((len(text), 40, 90))).decode()
    sent = {"session_id": session, "images": [f"data:image/png;base64,{data}"], "context": text}
    reply = who.post("/visual/memories", sent)
    assert reply.status_code == 201, reply.content
    return str(reply.json()["items"][0]["id"])


def teach(row: Session, text: str) -> Skill:
    """Let the session teach how that place is found."""
    source = Source(row.space_id, row.private_to_id, row.id, uuid4())
    turns = RowTurnSource().current(row.space_id, list(row.turns.values_list("id", flat=True)))
    learn_skills(source, [EncodedSkill(f"How to find it: {text}", STEPS)], list(turns.values()))
    drain_outbox(row.space_id)
    skill: Skill = Skill.everyone.get(session_id=row.id)
    skill.state = "active"
    skill.save()
    return skill


def owned() -> list[type[SpaceOwned]]:
    """Every model whose rows belong to a space."""
    return [model for model in apps.get_models() if issubclass(model, SpaceOwned)]


def ids_of_space(slug: str) -> set[str]:
    """The id of every row of a space, and its own."""
    space = Space.objects.get(slug=slug)
    return {str(space.id)} | _ids(lambda model: model.everyone.filter(space=space))


def ids_private_to(user_id: UUID) -> set[str]:
    """The id of every row that came of somebody's private sessions."""
    return _ids(lambda model: model.everyone.filter(private_to_id=user_id))


def _ids(rows: Any) -> set[str]:
    found: set[str] = set()
    for model in owned():
        query: QuerySet[Any] = rows(model)
        found |= {str(pk) for pk in query.values_list("pk", flat=True)}
    return found


def said_by(reply: Any) -> str:
    """What the answer says, the files of an archive unpacked."""
    if reply.headers.get("Content-Type") != "application/zip":
        return str(reply.content.decode())
    with zipfile.ZipFile(io.BytesIO(reply.content)) as archive:
        return "\n".join(f"{name}\n{archive.read(name).decode()}" for name in archive.namelist())
