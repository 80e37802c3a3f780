"""The cast: alice owns space A, bob edits it, vera views it, charlie owns space B."""

from dataclasses import dataclass
from functools import cached_property
from typing import Any

from django.test import Client

from accounts.models import User
from accounts.principals import Principal, principal_for
from accounts.services.credentials import issue_tokens
from accounts.services.members import add_member
from accounts.services.spaces import create_space
from accounts.services.users import register_user

PASSWORD = "correct horse battery"
JSON = "application/json"
FORMS_OF_NO_FORM = (  # content types that claim a form where JSON is sent
    "multipart/form-data",
    "multipart/form-data; boundary=é",
    "multipart/form-data; boundary=x",
    "application/x-www-form-urlencoded",
    "application/x-www-form-urlencoded; charset=latin-1",
)


@dataclass(frozen=True)
class Person:
    """A user with a token, acting in one space."""

    user: User
    space: str
    token: str

    @property
    def headers(self) -> dict[str, str]:
        return {"Authorization": f"Bearer {self.token}", "X-Memory-Space": self.space}

    @property
    def principal(self) -> Principal:
        return principal_for(self.user, self.space)

    def get(self, path: str, query: dict[str, Any] | None = None) -> Any:
        return Client().get(path, query or {}, headers=self.headers)

    def post(self, path: str, body: Any = None) -> Any:
        return Client().post(path, body if body is not None else {}, JSON, headers=self.headers)

    def patch(self, path: str, body: Any) -> Any:
        return Client().patch(path, body, JSON, headers=self.headers)

    def delete(self, path: str) -> Any:
        return Client().delete(path, headers=self.headers)

    def send(self, method: str, path: str, body: Any) -> Any:
        return Client().generic(method, path, body, JSON, headers=self.headers)

    def in_space(self, space: str) -> "Person":
        return Person(self.user, space, self.token)


class Cast:
    """Everybody, each made when first named: most tests need alice alone."""

    @cached_property
    def alice(self) -> Person:
        return self._owner("alice", "space-a")

    @cached_property
    def bob(self) -> Person:
        return self._member("bob", "editor")

    @cached_property
    def vera(self) -> Person:
        return self._member("vera", "viewer")

    @cached_property
    def charlie(self) -> Person:
        return self._owner("charlie", "space-b")

    def _owner(self, name: str, space: str) -> Person:
        who = person(name, space)
        create_space(who.user, slug=space, name=space)
        return who

    def _member(self, name: str, role: str) -> Person:
        owner = self.alice
        who = person(name, "space-a")
        add_member(owner.user, slug="space-a", username=name, role=role)
        return who


def person(name: str, space: str = "") -> Person:
    """Register somebody; without a space they act in their personal one."""
    user = register_user(username=name, password=PASSWORD)
    return Person(user, space or user.personal_space.slug, issue_tokens(user).access)


def gather_cast() -> Cast:
    """All four at once: for tests whose threads or loops could not make them."""
    cast = Cast()
    assert all((cast.alice, cast.bob, cast.vera, cast.charlie))
    return cast


def problem(response: Any, status: int, code: str) -> dict[str, Any]:
    """The problem document of a refusal, checked for its form."""
    assert response.status_code == status, response.content
    assert response["Content-Type"] == "application/problem+json"
    document: dict[str, Any] = response.json()
    assert set(document) == {"type", "title", "status", "detail", "instance", "code", "errors"}
    assert document["status"] == status
    assert document["code"] == code, document
    assert document["detail"]
    return document


def pointers(document: dict[str, Any]) -> set[str]:
    """The fields that a problem document names."""
    return {error["pointer"] for error in document["errors"]}
