"""An OpenAI-compatible server for tests: real HTTP on loopback, scripted by each test."""

from tests.model_server.requests import ModelRequest
from tests.model_server.server import ModelServer
from tests.model_server.steps import Step, chat, cut_in_stream, embeddings, fail, hang, raw, say, scores

__all__ = [
    "ModelRequest",
    "ModelServer",
    "Step",
    "chat",
    "cut_in_stream",
    "embeddings",
    "fail",
    "hang",
    "raw",
    "say",
    "scores",
]
