"""Addresses that more than one page links to."""

from uuid import UUID

from django.urls import reverse

from accounts.principals import Principal


def turn_url(principal: Principal, session_id: UUID | str, index: int) -> str:
    """Where a turn stands in its conversation; the page highlights it."""
    chat = reverse("sessions:chat", args=[principal.space_slug, session_id])
    return f"{chat}?at={index}#turn-{index}"


def skill_url(principal: Principal, skill_id: UUID | str) -> str:
    """A skill's own page."""
    return reverse("sessions:skill", args=[principal.space_slug, skill_id])


def record_url(principal: Principal, record_id: UUID | str) -> str:
    """A memory's own page."""
    return reverse("sessions:record", args=[principal.space_slug, record_id])


def image_url(principal: Principal, visual_id: UUID | str) -> str:
    """Where an image lies for those who may see it."""
    return reverse("sessions:image-file", args=[principal.space_slug, visual_id])
