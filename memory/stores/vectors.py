"""Vectors in LanceDB: one table per kind, embedder and dimension; no text in it.

LanceDB is imported on first use and connected once a process: a connection made
before a fork kills the child. Filters are expressions, never strings.
"""

import logging
import os
import re
from collections.abc import Callable, Sequence
from datetime import timedelta
from functools import partial
from pathlib import Path
from random import uniform
from threading import Lock
from time import sleep
from typing import TYPE_CHECKING, Any, TypeVar
from uuid import UUID

import numpy as np

from memory.config import EmbedderSpec, IndexConfig
from memory.domain.types import Kind, Reader
from memory.errors import ProviderError, ProviderUnavailable
from memory.ports import Vectors, session_code
from memory.stores.matrix import SHARED, Rows

if TYPE_CHECKING:
    from lancedb.db import DBConnection
    from lancedb.expr import Expr
    from lancedb.table import Table

logger = logging.getLogger(__name__)

T = TypeVar("T")

_ALL = 1_000_000_000  # LanceDB's own default limit is 10
_ATTEMPTS = 8
_PAUSE_SECONDS = 0.02
_COLUMNS = ["item", "seq", "session", "position", "owner", "vector"]


class LanceTable:
    """The VectorTable over a LanceDB folder."""

    def __init__(self, folder: Path, spec: EmbedderSpec, config: IndexConfig | None = None) -> None:
        self._folder = folder
        self._spec = spec
        self._config = config or IndexConfig()
        self._lock = Lock()
        self._optimized: dict[str, int] = {}
        self._tables: dict[tuple[int, str], Table] = {}
        self._connections: dict[int, DBConnection] = {}

    def write(self, space_id: UUID, kind: Kind, rows: Rows) -> None:
        """Write or replace by item."""
        batch = _to_arrow(space_id, rows, self._spec.dimension)
        merge = self._table(kind).merge_insert("item")
        _retried(lambda: merge.when_matched_update_all().when_not_matched_insert_all().execute(batch))

    def remove(self, space_id: UUID, kind: Kind, items: Sequence[int]) -> None:
        """Remove by item."""
        where = _of_items(space_id, items)
        _retried(lambda: self._table(kind).delete(where))

    def read(self, space_id: UUID, kind: Kind, *, after_seq: int) -> Rows:
        """The rows written after that seq."""
        col, lit = _expressions()
        return self._select(kind, _of_space(space_id) & (col("seq") > lit(after_seq)))

    def fetch(self, space_id: UUID, kind: Kind, items: Sequence[int]) -> Rows:
        """The rows of these items."""
        return self._select(kind, _of_items(space_id, items))

    def seqs(self, space_id: UUID, kind: Kind) -> dict[int, int]:
        """Every item with its seq."""
        query = self._table(kind).search().where(_of_space(space_id)).select(["item", "seq"])
        found = _retried(query.limit(_ALL).to_arrow)
        return dict(zip(found["item"].to_pylist(), found["seq"].to_pylist(), strict=True))

    def count(self, space_id: UUID, kind: Kind) -> int:
        """How many rows the space has."""
        where = _of_space(space_id).to_sql()
        return int(_retried(lambda: self._table(kind).count_rows(where)))

    def nearest(self, reader: Reader, kind: Kind, query: Vectors, *, limit: int) -> Rows:
        """Of what the reader may see the `limit` nearest to the query (d,)."""
        search: Any = self._table(kind).search(query)
        # State prefilter: filtered afterwards, a small space among large ones gets nothing.
        search = search.distance_type("cosine").where(_visible_to(reader), prefilter=True)
        search = search.select([*_COLUMNS, "_distance"]).limit(limit)
        return _from_arrow(_retried(search.to_arrow), self._spec.dimension)

    def drop_space(self, space_id: UUID) -> None:
        """Remove the space's rows from the tables of every embedder."""
        where = _of_space(space_id)
        for name in self._names():
            table = self._open(name)
            _retried(partial(table.delete, where))

    def optimize(self) -> None:
        """Put small files together, index what queries filter by, forget old versions; every
        so many commits, as each leaves a file and a version behind.
        """
        retention = timedelta(minutes=self._config.version_retention_minutes)
        for name in self._names():
            table = self._open(name)
            if table.version - self._optimized.get(name, 0) < self._config.optimize_commits:
                continue
            try:
                _retried(partial(_index, table))
                _retried(partial(table.optimize, cleanup_older_than=retention))
            except ProviderUnavailable:  # writers come first: the next round tries again
                logger.info("maintenance of %s gave way to writers", name)
                continue
            self._optimized[name] = table.version

    def _select(self, kind: Kind, where: "Expr") -> Rows:
        query = self._table(kind).search().where(where).select(_COLUMNS).limit(_ALL)
        return _from_arrow(_retried(query.to_arrow), self._spec.dimension)

    def _table(self, kind: Kind) -> "Table":
        """The table of this embedder, made if it is not there."""
        name = re.sub(r"[^A-Za-z0-9.-]", "_", f"{kind.value}-{self._spec.name}-{self._spec.dimension}")
        return self._open(name)

    def _open(self, name: str) -> "Table":
        key = (os.getpid(), name)
        with self._lock:
            if key not in self._tables:
                found = self._found(name)
                if found is None:
                    schema = _schema(self._spec.dimension)
                    found = self._connection().create_table(name, schema=schema, exist_ok=True)
                self._tables[key] = found
            return self._tables[key]

    def _found(self, name: str) -> "Table | None":
        """The table if it is there. One that another process is making is listed before it opens."""
        connection = self._connection()
        try:
            return connection.open_table(name) if name in _table_names(connection) else None
        except ValueError:
            return None

    def _names(self) -> list[str]:
        with self._lock:
            return _table_names(self._connection())

    def _connection(self) -> "DBConnection":
        """The connection of this process, which looks for other processes' writes at each read."""
        if os.getpid() not in self._connections:
            import lancedb

            self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            connection = lancedb.connect(self._folder, read_consistency_interval=timedelta(0))
            self._connections[os.getpid()] = connection
        return self._connections[os.getpid()]


def _retried(work: Callable[[], T]) -> T:
    """Do it again when another process's commit came between."""
    for attempt in range(1, _ATTEMPTS + 1):
        try:
            return work()
        except (RuntimeError, OSError) as error:
            if "conflict" not in str(error).lower():
                raise ProviderError("The vector index failed; see the log.") from error
            if attempt == _ATTEMPTS:
                raise ProviderUnavailable("The vector index is busy; try again.") from error
            sleep(uniform(0, _PAUSE_SECONDS * attempt))  # apart from whoever came between
    raise AssertionError("unreachable")


def _expressions() -> "tuple[Callable[[str], Expr], Callable[[Any], Expr]]":
    from lancedb.expr import col, lit

    return col, lit


def _of_space(space_id: UUID) -> "Expr":
    col, lit = _expressions()
    return col("space_id") == lit(str(space_id))


def _of_items(space_id: UUID, items: Sequence[int]) -> "Expr":
    col, lit = _expressions()
    return _of_space(space_id) & col("item").isin([lit(int(item)) for item in items])


def _visible_to(reader: Reader) -> "Expr":
    col, lit = _expressions()
    own = (col("owner") == lit(SHARED)) | (col("owner") == lit(str(reader.user_id)))
    seen = _of_space(reader.space_id) & own
    for session_id in reader.exclude_session_ids:
        seen &= col("session") != lit(session_code(session_id))
    return seen


def _table_names(connection: "DBConnection") -> list[str]:
    names: list[str] = []
    page = connection.list_tables(limit=100)
    names += page.tables
    while page.page_token:
        page = connection.list_tables(page_token=page.page_token, limit=100)
        names += page.tables
    return names


def _index(table: "Table") -> None:
    from lancedb.index import BTree

    present = {column for index in table.list_indices() for column in index.columns}
    for column in ("space_id", "item"):
        if column not in present and table.count_rows():
            table.create_index(column, config=BTree())


def _schema(dimension: int) -> Any:
    import pyarrow as pa

    return pa.schema(
        [
            ("space_id", pa.string()),
            ("item", pa.int64()),
            ("seq", pa.int64()),
            ("session", pa.int64()),
            ("position", pa.int32()),
            ("owner", pa.string()),
            ("vector", pa.list_(pa.float32(), dimension)),
        ]
    )


def _to_arrow(space_id: UUID, rows: Rows, dimension: int) -> Any:
    import pyarrow as pa

    columns = [
        pa.array([str(space_id)] * len(rows)),
        pa.array(rows.items),
        pa.array(rows.seqs),
        pa.array(rows.sessions),
        pa.array(rows.positions),
        pa.array(rows.owners.tolist(), pa.string()),
        pa.FixedSizeListArray.from_arrays(pa.array(rows.vectors.ravel()), dimension),
    ]
    return pa.table(columns, schema=_schema(dimension))


def _from_arrow(found: Any, dimension: int) -> Rows:
    vectors = found["vector"].combine_chunks()
    flat = vectors.flatten() if len(vectors) else np.empty(0, np.float32)
    return Rows(
        items=found["item"].to_numpy(),
        seqs=found["seq"].to_numpy(),
        sessions=found["session"].to_numpy(),
        positions=found["position"].to_numpy(),
        owners=np.array(found["owner"].to_pylist(), np.str_),
        vectors=np.asarray(flat, np.float32).reshape(-1, dimension),
    )
