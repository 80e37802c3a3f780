"""The trace that is kept with an answer as the stages that pages show.

The browser tells the same of a live answer (static/js/live.js), so that a reload changes nothing.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.utils.formats import number_format
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from memory.domain.types import Effort
from sessions_app.models import SessionTurn


@dataclass(frozen=True, slots=True)
class Stage:
    """A stage that has ended, in words. `state`: done, degraded, or failed where an answer broke off."""

    label: str
    ms: str
    words: str = ""
    state: str = "done"


def stages_of(trace: Mapping[str, Any], state: str) -> tuple[Stage, ...]:
    """The stages of a kept trace in order; those that an interrupted answer did not reach are left out."""
    told = {
        "wm_manager": _window_words,
        "visual_memory": _image_words,
        "search": _search_words,
        "synthesize": _synthesis_words,
        "reason": _reason_words,
    }
    names = _stage_names(trace)
    stages = [
        Stage(names[step], f"{round(trace[step]['ms'])} ms", words(trace[step]), _state(trace[step]))
        for step, words in told.items()
        if step in names and step in trace
    ]
    if stages and state == SessionTurn.State.INTERRUPTED and len(stages) < len(names):
        reason = trace.get("failure", {}).get("detail", "")
        stages.append(Stage([*names.values()][len(stages)], "", reason, state="failed"))
    return tuple(stages)


def _stage_names(trace: Mapping[str, Any]) -> dict[str, str]:
    """The stages that such an answer goes through, in order: only `deep` condenses, if it recalls."""
    search = trace.get("search", {})
    is_condensed = search.get("effort") == Effort.DEEP and bool(search.get("kept"))
    condensing = {"synthesize": _("Condensing")} if is_condensed else {}
    looking = {"visual_memory": _("Images")} if "visual_memory" in trace else {}
    return {
        "wm_manager": _("Working memory"),
        **looking,
        "search": _("Recall"),
        **condensing,
        "reason": _("Answer"),
    }


def _state(fragment: Mapping[str, Any]) -> str:
    return "degraded" if fragment.get("notes") else "done"


def found_words(found: int, kept: int) -> str:
    """How many items a recall looked at and kept."""
    return _("%(found)d looked at, %(kept)d recalled") % {"found": found, "kept": kept}


def summarised_words(turns: int) -> str:
    """How many turns the answer saw a summary of."""
    return _("%(n)d summarised") % {"n": turns}


def _window_words(fragment: Mapping[str, Any]) -> str:
    turns, tokens = fragment["turns"], fragment["tokens"]
    summarised = sum(summary["turns"] for summary in fragment.get("summaries", ()))
    return _joined(
        summarised_words(summarised) if summarised else "",
        ngettext("%(n)s turn", "%(n)s turns", turns) % {"n": _grouped(turns)},
        ngettext("%(n)s token", "%(n)s tokens", tokens) % {"n": _grouped(tokens)},
        fragment["note"],
    )


def _grouped(number: int) -> str:
    return number_format(number, force_grouping=True)


def image_words(images: int, described: int) -> str:
    """How many images came with the message, and how many of them are described."""
    return _("%(n)d kept, %(described)d described") % {"n": images, "described": described}


def _image_words(fragment: Mapping[str, Any]) -> str:
    return _joined(image_words(fragment["images"], fragment["described"]), *_notes(fragment))


def _search_words(fragment: Mapping[str, Any]) -> str:
    skills = fragment.get("skills", 0)
    told = ngettext("%(n)d skill", "%(n)d skills", skills) % {"n": skills} if skills else ""
    return _joined(found_words(fragment["found"], fragment["kept"]), told, *_notes(fragment))


def kept_words(judged: int, kept: int) -> str:
    """How many of the recalled items were found to be of use."""
    return _("%(kept)d of %(judged)d of use") % {"judged": judged, "kept": kept}


def _synthesis_words(fragment: Mapping[str, Any]) -> str:
    return _joined(kept_words(len(fragment["scores"]), len(fragment["kept"])), *_notes(fragment))


def _reason_words(fragment: Mapping[str, Any]) -> str:
    return _joined(fragment["model"], *_notes(fragment))


def _notes(fragment: Mapping[str, Any]) -> Sequence[str]:
    return fragment["notes"] or ()


def _joined(*words: str) -> str:
    return " · ".join(word for word in words if word)
