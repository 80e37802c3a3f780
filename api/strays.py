"""A delete with a query parameter that it does not know is refused: `?erase=maybe` must not keep in silence.

Wraps every operation of the API, and leaves all that delete nothing as they are.
"""

from collections.abc import Awaitable, Callable
from functools import wraps
from inspect import iscoroutinefunction
from typing import cast

from django.http import HttpRequest
from django.http.response import HttpResponseBase
from ninja.operation import Operation

from accounts.errors import FieldError, InvalidInput
from api.errors import problem_from

Run = Callable[..., HttpResponseBase]


def refusing_strays(run: Run) -> Run:
    """The operation, or where it deletes one that first looks at the names of its parameters."""
    operation = cast(Operation, getattr(run, "__self__", None))
    if "DELETE" not in operation.methods:
        return run
    known = known_parameters(operation)

    def refused(request: HttpRequest) -> HttpResponseBase | None:
        strays = sorted(set(request.GET) - known)
        if not strays:
            return None
        message = f"Known here: {', '.join(sorted(known)) or 'none'}."
        faults = tuple(FieldError(f"/{name}", "unknown", message) for name in strays)
        told = f"There is no parameter {', '.join(strays)} here; nothing was deleted. {message}"
        return problem_from(request, InvalidInput(told, errors=faults))

    if iscoroutinefunction(run):
        waiting = cast(Callable[..., Awaitable[HttpResponseBase]], run)

        @wraps(run)
        async def run_waiting(request: HttpRequest, **values: object) -> HttpResponseBase:
            return refused(request) or await waiting(request, **values)

        return cast(Run, run_waiting)

    @wraps(run)
    def run_checked(request: HttpRequest, **values: object) -> HttpResponseBase:
        return refused(request) or run(request, **values)

    return run_checked


def known_parameters(operation: Operation) -> frozenset[str]:
    """The names of the query parameters that an operation reads."""
    models = [model for model in operation.models if model.__ninja_param_source__ == "query"]
    return frozenset(name for model in models for name in getattr(model, "__ninja_flatten_map__", {}))
