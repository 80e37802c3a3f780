"""A request's body to JSON values, strictly: no constants JSON lacks, no body over the limit."""

import json
from typing import Any, NoReturn

from django.conf import settings
from django.http import HttpRequest
from ninja.parser import Parser

from accounts.errors import TooLarge


class StrictParser(Parser):
    """Ninja wraps what this raises; api.errors unwraps it."""

    def parse_body(self, request: HttpRequest) -> Any:
        """The JSON value. Raises ValueError or RecursionError where it is none, TooLarge
        for a body that came in chunks, whose length no header told.
        """
        body = request.body
        if len(body) > settings.DATA_UPLOAD_MAX_MEMORY_SIZE:
            raise TooLarge(f"A body has at most {settings.DATA_UPLOAD_MAX_MEMORY_SIZE:,} bytes.")
        return json.loads(body, parse_constant=_refuse)


def _refuse(constant: str) -> NoReturn:
    raise ValueError(f"{constant} is no JSON")
