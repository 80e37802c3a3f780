"""The OpenAPI document and its page, with the one relaxation of the policy that it needs."""

from typing import Any, cast

from csp.decorators import csp_update
from ninja import NinjaAPI, Schema
from ninja.openapi.schema import OpenAPISchema

from api.errors import CONTENT_TYPE
from api.idempotency import HEADER, is_keyed

# Swagger UI sets style attributes and draws its icons from data: addresses. Scripts stay
# ours alone: they are served from ninja's static files, and none stands in the page.
DOCS_POLICY = {"style-src": ["'unsafe-inline'"], "img-src": ["data:"]}
docs_policy = csp_update(DOCS_POLICY)
KEY_PARAMETER = {
    "name": HEADER,
    "in": "header",
    "required": False,
    "description": "Sent again with the same key, the write is answered as before and does nothing.",
    "schema": {"type": "string", "maxLength": 255, "pattern": "^[!-~]+$"},
}


class FaultyField(Schema):
    """One faulty field: a JSON pointer into the request."""

    pointer: str
    code: str
    message: str


class Problem(Schema):
    """RFC 9457; `code` is what programs rely on, `detail` says what to do."""

    type: str
    title: str
    status: int
    detail: str
    instance: str
    code: str
    errors: list[FaultyField] = []


class DocumentedAPI(NinjaAPI):
    """A NinjaAPI whose every operation says how it refuses, and what makes a write safe to repeat."""

    def get_openapi_schema(self, **kwargs: Any) -> OpenAPISchema:
        """Ninja's document, with the problem document as each operation's default reply."""
        schema = super().get_openapi_schema(**kwargs)
        described = Problem.model_json_schema(ref_template="#/components/schemas/{model}")
        definitions = {**described.pop("$defs"), "Problem": described}
        document = cast(dict[str, Any], schema)
        document["components"].setdefault("schemas", {}).update(definitions)
        reply = {
            "description": "A problem document (RFC 9457)",
            "content": {CONTENT_TYPE: {"schema": {"$ref": "#/components/schemas/Problem"}}},
        }
        for path, operations in document["paths"].items():
            for method, operation in operations.items():
                operation["responses"]["default"] = reply
                if is_keyed(method, path):
                    operation["parameters"] = [*operation.get("parameters", []), KEY_PARAMETER]
        return schema
