"""The one NinjaAPI: every endpoint, `/docs` and `/openapi.json`."""

from django.conf import settings

from api.errors import install_handlers
from api.idempotency import idempotent
from api.rest import (
    accounts,
    chat,
    communities,
    consolidation,
    health,
    images,
    pipeline,
    records,
    retrieval_logs,
    search,
    sessions,
    skills,
    spaces,
    turns,
    usage,
)
from api.rest.docs import DocumentedAPI, docs_policy
from api.rest.parser import StrictParser
from api.strays import refusing_strays

api = DocumentedAPI(
    title="Lychee Memory",
    version=settings.VERSION,
    description="Long-term memory for LLM agents: talk, remember, recall with evidence.",
    urls_namespace="api",
    parser=StrictParser(),
    docs_decorator=docs_policy,
)
install_handlers(api)
api.add_decorator(refusing_strays, mode="view")  # first: it reads what the operation declares
api.add_decorator(idempotent, mode="view")
api.add_router("/auth", accounts.router)
api.add_router("/spaces", spaces.router)
api.add_router("/chat", chat.router)
api.add_router("/sessions", sessions.list_router)
api.add_router("/memory", turns.router)
api.add_router("/memory", consolidation.router)
api.add_router("/memory", search.router)
api.add_router("/memory", sessions.router)
api.add_router("/memory/records", records.router)
api.add_router("/memory/skills", skills.router)
api.add_router("/memory/communities", communities.router)
api.add_router("/memory/retrieval-logs", retrieval_logs.router)
api.add_router("/visual", images.router)
api.add_router("/pipeline", pipeline.router)
api.add_router("/jobs", consolidation.jobs_router)
api.add_router("/usage", usage.router)
api.add_router("", health.router)
