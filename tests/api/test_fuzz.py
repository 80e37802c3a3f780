"""Whatever is sent, the answer is a success or a problem document, and never a 500."""

import json
from typing import Any
from urllib.parse import quote, urlencode

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from api.rest.root import api
from tests.api.cast import Cast

FIELDS = st.sampled_from(
    [
        "session_id",
        "message",
        "content",
        "role",
        "turns",
        "query",
        "top_k",
        "metadata",
        "created_at",
        "effort",
        "types",
        "entities",
        "username",
        "password",
        "email",
        "time_zone",
        "slug",
        "name",
        "semantic_text",
        "valid_from",
        "background",
        "mode",
        "reason",
    ]
)
NASTY = st.sampled_from(
    [
        "",
        " bob ",
        "böb",
        "bo\u0308b",
        "../../etc/passwd",
        "a:b",
        "' OR 1=1 --",
        '"$ne"',
        "\u0000",
        "\ud83d",
        "🍜",
        "</memory>",
        "x" * 300,
        "0001-01-01T00:00:00+14:00",
        "9999-12-31T23:59:59-14:00",
        -1,
        0,
        101,
        10**30,
        1e308,
        "10",
    ]
)
VALUES = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(), st.floats(), st.text(max_size=20), NASTY),
    lambda inner: st.one_of(
        st.lists(inner, max_size=3), st.dictionaries(FIELDS | st.text(max_size=5), inner, max_size=4)
    ),
    max_leaves=12,
)
BODIES = st.one_of(st.dictionaries(FIELDS, VALUES, max_size=6), VALUES)
WRITES = sorted(
    (method.upper(), path)
    for path, methods in api.get_openapi_schema(path_prefix="/")["paths"].items()
    for method in methods
)


def checked(reply: Any) -> None:
    content = b"" if reply.streaming else reply.content
    assert reply.status_code < 500, content
    if reply.status_code >= 400:
        assert reply["Content-Type"] == "application/problem+json"
        assert reply.json()["code"]


@pytest.mark.parametrize(("method", "path"), [w for w in WRITES if w[1] not in ("/chat", "/readyz")])
@settings(max_examples=12, suppress_health_check=list(HealthCheck))
@given(
    body=BODIES, key=st.text(min_size=1, max_size=8) | NASTY, query=st.dictionaries(FIELDS, NASTY, max_size=2)
)
def test_no_input_makes_it_fail(
    cast: Cast, method: str, path: str, body: Any, key: Any, query: dict[str, Any]
) -> None:
    named = quote(str(key).encode("utf-8", "replace"), safe="")
    for parameter in ("session_id", "record_id", "job_id"):
        path = path.replace(f"{{{parameter}}}", named)
    words = {name: str(value).encode("utf-8", "replace") for name, value in query.items()}
    checked(cast.alice.send(method, f"{path}?{urlencode(words)}", json.dumps(body)))
