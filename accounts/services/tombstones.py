"""Erased statements stay away: keyed hashes that block their return and tell nothing.

The key is the server's secret and the space, so that no hash can be tried out elsewhere.
"""

from collections.abc import Iterable
from uuid import UUID

from django.utils.crypto import salted_hmac

from accounts.models import Tombstone
from accounts.services.idempotency import forget_replies


def digest_of(space_id: UUID, statement: str) -> str:
    """The keyed hash of a statement in a space: 64 hexadecimal digits."""
    return salted_hmac("lychee.tombstone", f"{space_id}:{statement}", algorithm="sha256").hexdigest()


def bury(space_id: UUID, private_to: UUID | None, statement: str) -> str:
    """Block a statement among the rows of one audience, in the caller's transaction; its digest.

    Buried again it is blocked anew: what was said between is not heard either. Stored replies of
    the space, which may repeat it, are erased.
    """
    forget_replies(space_id)
    digest = digest_of(space_id, statement)
    stones = Tombstone.objects.for_space(space_id)
    stones.filter(private_to=private_to, digest=digest).delete()
    stones.create(space_id=space_id, private_to_id=private_to, digest=digest)
    return digest


def buried(space_id: UUID, private_to: UUID | None, statements: Iterable[str]) -> dict[str, UUID]:
    """Those of the statements that are blocked for this audience, each with its tombstone's id."""
    by_digest = {digest_of(space_id, statement): statement for statement in statements}
    if not by_digest:
        return {}
    stones = Tombstone.objects.for_space(space_id).filter(private_to=private_to, digest__in=list(by_digest))
    return {by_digest[digest]: stone for digest, stone in stones.values_list("digest", "id")}
