"""Rules of the house that no linter knows, read from the source."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.apps import apps

from accounts.tenancy import SpaceOwned, UnscopedQueryError

ROOT = Path(__file__).parents[2]
APPS = ("accounts", "memory", "skills", "visual", "sessions_app", "api", "evaluation", "lychee_site")
MAY_SEE_EVERYONE = (
    "/migrations/",
    "/management/",
    "/tasks.py",
    "/admin.py",
    "accounts/tenancy.py",
    "accounts/services/credentials.py",
)


def sources() -> Iterator[tuple[str, ast.Module]]:
    for app in APPS:
        for path in sorted((ROOT / app).rglob("*.py")):
            yield str(path.relative_to(ROOT)), ast.parse(path.read_text())


def test_only_admin_migrations_commands_and_sweeps_name_everyone() -> None:
    offenders = [
        f"{name}:{node.lineno}"
        for name, tree in sources()
        if not any(part in name for part in MAY_SEE_EVERYONE)
        for node in ast.walk(tree)
        if isinstance(node, ast.Attribute) and node.attr == "everyone"
    ]
    assert offenders == []


def test_no_view_fetches_a_tenants_row_by_id_alone() -> None:
    offenders = [
        f"{name}:{node.lineno}"
        for name, tree in sources()
        for node in ast.walk(tree)
        if isinstance(node, ast.Name) and node.id in ("get_object_or_404", "get_list_or_404")
    ]
    assert offenders == []


@pytest.mark.parametrize("model", [m for m in apps.get_models() if issubclass(m, SpaceOwned)])
def test_every_row_of_a_space_refuses_unscoped_queries(model: type[SpaceOwned]) -> None:
    assert model._meta.default_manager_name == "everyone"
    for method in ("all", "filter", "get", "create", "count"):
        with pytest.raises(UnscopedQueryError):
            getattr(model.objects, method)()
