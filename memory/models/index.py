"""Rows from which the indexes are kept: what they know, what waits for them, who writes them."""

from typing import ClassVar

from django.db import models
from django.utils.translation import gettext_lazy as _

from memory.domain.types import Kind

_KINDS = [(k.value, _(k.value)) for k in Kind]


class IndexScope(models.Model):
    """What one audience sees of one kind in a space, and its statistics for BM25.

    `private_to` is null for what the space shares; a reader has at most two scopes.
    """

    id = models.BigAutoField(primary_key=True)
    space = models.ForeignKey("accounts.Space", on_delete=models.CASCADE, related_name="+")
    private_to = models.ForeignKey(
        "accounts.User", on_delete=models.CASCADE, null=True, blank=True, related_name="+"
    )
    kind = models.CharField(max_length=16, choices=_KINDS)
    items = models.PositiveBigIntegerField(default=0)
    total_length = models.PositiveBigIntegerField(default=0)
    terms_version = models.PositiveSmallIntegerField(
        default=1, help_text=_("How texts were cut into terms when the first was indexed.")
    )

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["space", "kind"],
                condition=models.Q(private_to__isnull=True),
                name="one_shared_scope",
            ),
            models.UniqueConstraint(
                fields=["space", "kind", "private_to"],
                condition=models.Q(private_to__isnull=False),
                name="one_private_scope",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.kind} of {self.space_id}"


class IndexedItem(models.Model):
    """The small integer under which the indexes know a turn or record.

    Written in the row's own transaction; `length` counts search terms, `terms` lists
    the distinct ones, so that its postings are deleted by key. `seq` is null while the
    vector is due, 0 when the text has none, else the write that stored it.
    """

    id = models.BigAutoField(primary_key=True)
    space = models.ForeignKey("accounts.Space", on_delete=models.CASCADE, related_name="+")
    private_to = models.ForeignKey(
        "accounts.User", on_delete=models.CASCADE, null=True, blank=True, related_name="+"
    )
    scope = models.ForeignKey(IndexScope, on_delete=models.CASCADE, related_name="+", db_index=False)
    kind = models.CharField(max_length=16, choices=_KINDS)
    uid = models.UUIDField()
    session_id = models.UUIDField()
    position = models.PositiveIntegerField()
    speaker = models.CharField(max_length=128, blank=True)
    length = models.PositiveIntegerField()
    terms = models.TextField(blank=True)
    seq = models.BigIntegerField(null=True, blank=True)

    class Meta:
        constraints: ClassVar = [models.UniqueConstraint(fields=["kind", "uid"], name="one_entry_per_item")]
        indexes: ClassVar = [
            models.Index(fields=["space", "kind", "session_id", "position"], name="item_by_position"),
            models.Index(fields=["scope", "speaker"], name="item_by_speaker"),
        ]

    def __str__(self) -> str:
        return f"{self.kind} {self.uid}"


class Posting(models.Model):
    """A term in an item: the text index, clustered on its key (see 0002).

    `weight` packs the item's length (16 bits) above the term's frequency (8 bits).
    """

    pk = models.CompositePrimaryKey("scope_id", "term", "item")
    scope = models.ForeignKey(
        IndexScope, on_delete=models.CASCADE, related_name="+", db_index=False, db_constraint=False
    )
    term = models.CharField(max_length=64)
    item = models.BigIntegerField()
    weight = models.IntegerField()

    def __str__(self) -> str:
        return f"{self.term} in {self.item}"


class IndexOutbox(models.Model):
    """An item whose vector must follow its row; drained in id order per space."""

    id = models.BigAutoField(primary_key=True)
    space = models.ForeignKey("accounts.Space", on_delete=models.CASCADE, related_name="+")
    kind = models.CharField(max_length=16, choices=_KINDS)
    uid = models.UUIDField()
    item = models.BigIntegerField(help_text=_("The entry's id, known even when the entry is gone."))
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        verbose_name_plural = "index outbox"
        indexes: ClassVar = [models.Index(fields=["space", "id"], name="outbox_by_space")]

    def __str__(self) -> str:
        return f"{self.kind} {self.uid}"


class IndexState(models.Model):
    """The version of a space's vectors of one kind, by which every process knows what
    it has not yet read; and the embedder that made them.
    """

    id = models.BigAutoField(primary_key=True)
    space = models.ForeignKey("accounts.Space", on_delete=models.CASCADE, related_name="+")
    kind = models.CharField(max_length=16, choices=_KINDS)
    embedder = models.CharField(max_length=128)
    dimension = models.PositiveIntegerField()
    epoch = models.PositiveBigIntegerField(default=1, help_text=_("Grows when all was dropped."))
    seq = models.PositiveBigIntegerField(default=0, help_text=_("The newest write."))
    deletions = models.PositiveBigIntegerField(default=0)

    class Meta:
        constraints: ClassVar = [models.UniqueConstraint(fields=["space", "kind"], name="one_index_state")]

    def __str__(self) -> str:
        return f"{self.kind} of {self.space_id} at {self.epoch}.{self.seq}"


class SpaceLease(models.Model):
    """Who alone does one kind of work in a space, until when unless renewed."""

    space = models.OneToOneField(
        "accounts.Space", on_delete=models.CASCADE, primary_key=True, related_name="+"
    )
    holder = models.UUIDField(null=True, blank=True)
    until = models.DateTimeField(null=True, blank=True)

    class Meta:
        abstract = True

    def __str__(self) -> str:
        return f"{self.space_id} by {self.holder}"


class IndexLease(SpaceLease):
    """Who drains a space's outbox."""


class FusionLease(SpaceLease):
    """Who fuses a space's records."""
