"""Which store a setting and a machine give."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from django.conf import LazySettings as Settings

from memory.stores import registry
from memory.stores.exact import ExactTable
from memory.stores.hot import HotVectors
from memory.stores.vectors import LanceTable


@pytest.fixture(autouse=True)
def fresh(settings: Settings, tmp_path: Path) -> Iterator[None]:
    settings.INDEX_DIR = tmp_path
    registry.vector_index.cache_clear()
    yield
    registry.vector_index.cache_clear()


def table_type() -> type:
    index = registry.vector_index()
    assert isinstance(index, HotVectors)
    return type(index._table)


@pytest.mark.parametrize(("name", "expected"), [("lancedb", LanceTable), ("exact", ExactTable)])
def test_the_setting_names_the_store(name: str, expected: type, settings: Settings):
    settings.VECTOR_STORE = name
    assert table_type() is expected


def test_where_lancedb_cannot_run_the_exact_store_takes_its_place(
    settings: Settings, monkeypatch: pytest.MonkeyPatch
):
    settings.VECTOR_STORE = "lancedb"
    monkeypatch.setattr(registry, "why_no_lancedb", lambda: "LanceDB needs a processor with AVX2.")
    assert table_type() is ExactTable


def test_each_store_is_made_once():
    assert registry.vector_index() is registry.vector_index()
    assert registry.text_index() is registry.text_index()
    assert registry.token_store() is registry.token_store()


@pytest.mark.parametrize("name", ["lancedb", "exact"])
def test_a_rehearsal_leaves_nothing_behind(name: str, settings: Settings, tmp_path: Path):
    settings.VECTOR_STORE = name
    settings.DATA_DIR = tmp_path
    registry.rehearse_vectors()
    assert list(tmp_path.iterdir()) == []
