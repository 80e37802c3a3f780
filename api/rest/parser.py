"""A request's body to a JSON object, strictly: no constants JSON lacks, no body over the limit."""

import json
from typing import Any, NoReturn

from django.http import HttpRequest, QueryDict
from ninja.parser import Parser

from accounts.errors import FieldError, InvalidInput
from api.limits import body_limit, body_too_large

NO_OBJECT = "Send a JSON object: names and values in braces."


class StrictParser(Parser):
    """Ninja wraps what this raises; api.errors unwraps it."""

    def parse_body(self, request: HttpRequest) -> Any:
        """The JSON object, or None for `null`, as if nothing was sent; whatever its content type claims, no
        form is read from it afterwards. Raises ValueError or RecursionError where it is no JSON, InvalidInput
        for another value, TooLarge for a body that came in chunks, whose length no header told.
        """
        body = request.body
        request.POST = QueryDict()  # a failed sign-in is counted with it, and must not fail to be
        if len(body) > (most := body_limit(request)):
            raise body_too_large(most)
        sent = json.loads(body, parse_constant=_refuse)
        if sent is not None and not isinstance(sent, dict):
            raise InvalidInput(NO_OBJECT, errors=(FieldError("", "model_type", NO_OBJECT),))
        return sent


def _refuse(constant: str) -> NoReturn:
    raise ValueError(f"{constant} is no JSON")
