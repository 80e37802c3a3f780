"""A request's body to JSON values, strictly: no constants JSON lacks, no body over the limit."""

import json
from typing import Any, NoReturn

from django.http import HttpRequest
from ninja.parser import Parser

from api.limits import body_limit, body_too_large


class StrictParser(Parser):
    """Ninja wraps what this raises; api.errors unwraps it."""

    def parse_body(self, request: HttpRequest) -> Any:
        """The JSON value. Raises ValueError or RecursionError where it is none, TooLarge
        for a body that came in chunks, whose length no header told.
        """
        body = request.body
        if len(body) > (most := body_limit(request)):
            raise body_too_large(most)
        return json.loads(body, parse_constant=_refuse)


def _refuse(constant: str) -> NoReturn:
    raise ValueError(f"{constant} is no JSON")
