"""The indexes of each test in a folder of its own, with an embedder to check by hand."""

from dataclasses import dataclass
from pathlib import Path

import pytest

from accounts.models import Membership, Space
from accounts.principals import Principal
from memory import registries
from memory.config import EmbedderSpec
from memory.ports import TokenStore, VectorIndex
from memory.services import (
    drain,
    fuse_layers,
    recall_composites,
    recall_fresh,
    recall_plan,
    recall_rerank,
    recall_search,
    reindex,
)
from memory.stores.exact import ExactTable
from memory.stores.hot import HotVectors
from memory.stores.tokens import TokenFiles
from tests.memory.curating import principal
from tests.memory.indexing import LetterEmbedder, TurnShelf, make_space, make_user
from tests.memory.recalling import Memory, Shelf, TopicEmbedder

SPEC = EmbedderSpec(LetterEmbedder.name, LetterEmbedder.dimension)


@dataclass
class Indexes:
    """What the services under test write to."""

    vectors: VectorIndex
    tokens: TokenStore
    embedder: LetterEmbedder
    shelf: TurnShelf


@pytest.fixture
def space(db: None) -> Space:
    return make_space("space-a")


@pytest.fixture
def indexes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Indexes:
    made = Indexes(
        HotVectors(SPEC, ExactTable(tmp_path / "exact", SPEC)),
        TokenFiles(tmp_path / "tokens", SPEC),
        LetterEmbedder(),
        TurnShelf(),
    )
    monkeypatch.setattr(drain, "embedder", lambda: made.embedder)
    for module in (drain, fuse_layers, reindex):
        monkeypatch.setattr(module, "vector_index", lambda: made.vectors)
    for module in (drain, reindex):
        monkeypatch.setattr(module, "token_store", lambda: made.tokens)
    monkeypatch.setattr(registries, "_turns", [made.shelf])
    return made


@pytest.fixture
def memory(space: Space, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Memory:
    """A space of Alice's with indexes of its own, to say, learn and ask."""
    spec = EmbedderSpec(TopicEmbedder.name, TopicEmbedder.dimension)
    vectors = HotVectors(spec, ExactTable(tmp_path / "exact", spec))
    tokens = TokenFiles(tmp_path / "tokens", spec)
    shelf = Shelf()
    for module in (drain, recall_plan, recall_fresh):
        monkeypatch.setattr(module, "embedder", TopicEmbedder)
    for module in (drain, fuse_layers, recall_composites, recall_search, reindex):
        monkeypatch.setattr(module, "vector_index", lambda: vectors)
    for module in (drain, recall_rerank, reindex):
        monkeypatch.setattr(module, "token_store", lambda: tokens)
    monkeypatch.setattr(registries, "_turns", [shelf])
    return Memory(space, make_user("Alice"), shelf)


@pytest.fixture
def alice(space: Space) -> Principal:
    return principal(make_user("alice"), space)


@pytest.fixture
def vera(space: Space) -> Principal:
    return principal(make_user("vera"), space, Membership.Role.VIEWER)
