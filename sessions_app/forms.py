"""What people type and choose on the pages of memory and conversation."""

from datetime import date, datetime
from uuid import UUID

from django import forms
from django.utils.translation import gettext_lazy as _

from accounts.forms import LycheeForm
from memory.domain.temporal import GIVEN_YEARS
from memory.domain.types import MemoryType
from sessions_app.config import MetaConfig
from sessions_app.templatetags.recollection import SKILL_STATES, TYPE_NAMES

_TYPES = [(t.value, TYPE_NAMES[t.value]) for t in MemoryType]


class PositionForm(forms.Form):
    """Where in a conversation to look."""

    at = forms.IntegerField(required=False, min_value=0, max_value=10_000_000)
    after = forms.IntegerField(required=False, min_value=-1, max_value=10_000_000)
    session = forms.UUIDField(required=False)


class NewSessionForm(forms.Form):
    """Whether a new conversation is private; left out, the space decides."""

    private = forms.TypedChoiceField(
        required=False,
        choices=[("yes", _("Private to me")), ("no", _("Shared with the space"))],
        coerce=lambda value: value == "yes",
        empty_value=None,
    )


class AudienceForm(forms.Form):
    """Whether a conversation is private from now on."""

    private = forms.TypedChoiceField(
        choices=[("yes", _("Private to me")), ("no", _("Shared with the space"))],
        coerce=lambda value: value == "yes",
    )


class SessionForm(LycheeForm):
    """What a conversation is called."""

    title = forms.CharField(
        label=_("Title"),
        max_length=MetaConfig().title_chars,
        widget=forms.TextInput(attrs={"autofocus": True, "autocomplete": "off"}),
    )


class DayField(forms.DateField):
    """A day that begins at some instant in every zone."""

    def __init__(self, label: object) -> None:
        widget = forms.DateInput(attrs={"type": "date"})
        super().__init__(label=str(label), required=False, widget=widget)

    def validate(self, value: date | None) -> None:
        """Refuse a year that no instant may have."""
        super().validate(value)
        if value is not None and value.year not in GIVEN_YEARS:
            raise forms.ValidationError(_("Give a day of the years 1000 to 2999."))


class RecordFilterForm(LycheeForm):
    """What to look for among the memories."""

    q = forms.CharField(
        label=_("Search"),
        required=False,
        max_length=1_000,
        widget=forms.TextInput(attrs={"type": "search", "placeholder": _("Words, a name, a place…")}),
    )
    type = forms.ChoiceField(label=_("Type"), required=False, choices=[("", _("every type")), *_TYPES])
    state = forms.ChoiceField(
        label=_("State"),
        required=False,
        choices=[
            ("current", _("remembered")),
            ("replaced", _("no longer true")),
            ("expired", _("expired")),
            ("all", _("all")),
        ],
    )
    since = DayField(_("Said since"))
    until = DayField(_("Said before"))
    session = forms.UUIDField(
        label=_("Conversation"), required=False, widget=forms.Select(choices=[("", _("every conversation"))])
    )

    @property
    def is_filtering(self) -> bool:
        """Whether anything narrows the list."""
        return any(value not in ("", None, "current") for value in self.cleaned_data.values())

    @property
    def has_more(self) -> bool:
        """Whether one of the folded filters is in use."""
        return any(self.data.get(name) for name in ("since", "until", "session"))


class NamesField(forms.CharField):
    """Names with commas between, as a list without doubles."""

    def prepare_value(self, value: object) -> object:
        """A list as one line."""
        return ", ".join(value) if isinstance(value, list) else value

    def to_python(self, value: str | None) -> list[str]:  # type: ignore[override]
        """One line as a list."""
        names = (name.strip() for name in (super().to_python(value) or "").split(","))
        return list(dict.fromkeys(name for name in names if name))


class MomentField(forms.DateTimeField):
    """An instant in the reader's zone, to the minute."""

    def __init__(self, label: object) -> None:
        widget = forms.DateTimeInput(attrs={"type": "datetime-local"}, format="%Y-%m-%dT%H:%M")
        super().__init__(label=str(label), required=False, widget=widget)


class RecordForm(LycheeForm):
    """A memory as a person may correct it."""

    semantic_text = forms.CharField(
        label=_("What is remembered"),
        max_length=8_000,
        widget=forms.Textarea(attrs={"rows": 3, "autofocus": True}),
    )
    memory_type = forms.ChoiceField(label=_("Type"), choices=_TYPES)
    subject = forms.CharField(label=_("About whom or what"), required=False, max_length=128)
    entities = NamesField(
        label=_("Names in it"), required=False, max_length=2_000, help_text=_("With commas between.")
    )
    topics = NamesField(
        label=_("Topics"), required=False, max_length=1_000, help_text=_("With commas between.")
    )
    version = forms.IntegerField(required=False, widget=forms.HiddenInput)
    valid_from = MomentField(_("True from"))
    valid_to = MomentField(_("True until"))

    def clean(self) -> dict[str, object]:
        """The validity must not end before it begins, and the version read must be told."""
        cleaned: dict[str, object] = super().clean() or self.cleaned_data
        if cleaned.get("version") is None:
            self.add_error(None, _("The page does not say which version you read; open it again."))
        start, end = cleaned.get("valid_from"), cleaned.get("valid_to")
        if isinstance(start, datetime) and isinstance(end, datetime) and end <= start:
            self.add_error("valid_to", _("This is not after the beginning."))
        return cleaned


class VersionForm(forms.Form):
    """Which version of a memory the page showed."""

    version = forms.IntegerField(required=False, min_value=1)


class IdsField(forms.TypedMultipleChoiceField):
    """Ids of whatever was offered: whether they may be chosen is for the service to say."""

    def __init__(self, label: object) -> None:
        super().__init__(
            label=str(label), coerce=UUID, error_messages={"required": _("Tick at least one memory.")}
        )

    def valid_value(self, value: object) -> bool:
        """Any; what is no id is refused as it is read."""
        return True


class MergeForm(LycheeForm):
    """Which other memories become one with this."""

    version = forms.IntegerField(required=False, widget=forms.HiddenInput)
    record_ids = IdsField(_("Memories of the same thing"))


class ExpireForm(LycheeForm):
    """Why a memory is let go."""

    reason = forms.CharField(
        label=_("Why? (optional)"),
        required=False,
        max_length=128,
        widget=forms.TextInput(attrs={"placeholder": _("It was wrong, it changed, …")}),
    )


class SkillFilterForm(LycheeForm):
    """What to look for among the skills."""

    q = forms.CharField(
        label=_("Search"),
        required=False,
        max_length=1_000,
        widget=forms.TextInput(attrs={"type": "search", "placeholder": _("What is to be done…")}),
    )
    state = forms.ChoiceField(
        label=_("State"), required=False, choices=[("", _("every state")), *SKILL_STATES.items()]
    )

    @property
    def is_filtering(self) -> bool:
        """Whether anything narrows the list."""
        return any(self.cleaned_data.values())


class LinesField(forms.CharField):
    """Several texts, one a line."""

    def __init__(self, label: object, *, help_text: object, limit: int) -> None:
        widget = forms.Textarea(attrs={"rows": 2})
        super().__init__(
            label=str(label), required=False, help_text=str(help_text), max_length=limit, widget=widget
        )

    def prepare_value(self, value: object) -> object:
        """A list as lines."""
        return "\n".join(value) if isinstance(value, list | tuple) else value

    def to_python(self, value: str | None) -> list[str]:  # type: ignore[override]
        """The lines that say something."""
        return [line.strip() for line in (super().to_python(value) or "").splitlines() if line.strip()]


class SkillForm(LycheeForm):
    """A skill as a person writes or corrects it."""

    intent = forms.CharField(
        label=_("What is it for?"),
        max_length=300,
        widget=forms.TextInput(attrs={"placeholder": _("Deploy the web service")}),
    )
    doc_markdown = forms.CharField(
        label=_("How is it done?"),
        max_length=20_000,
        help_text=_("Markdown: numbered steps, lists, code."),
        widget=forms.Textarea(attrs={"rows": 12, "spellcheck": "false"}),
    )
    preconditions = LinesField(_("What must hold before?"), help_text=_("One a line; optional."), limit=6_000)
    tools = LinesField(_("Which tools does it use?"), help_text=_("One a line; optional."), limit=6_000)
    version = forms.IntegerField(required=False, widget=forms.HiddenInput)


class FilesInput(forms.ClearableFileInput):
    """A choice of several files."""

    allow_multiple_selected = True


class SkillFilesForm(LycheeForm):
    """SKILL.md files to take in."""

    skill_files = forms.FileField(
        label=_("SKILL.md files, or zips of them"),
        widget=FilesInput(attrs={"accept": ".md,.zip,text/markdown,application/zip"}),
    )


class SkillStateForm(forms.Form):
    """As what a skill is to be used from now on."""

    state = forms.ChoiceField(choices=[*SKILL_STATES.items()])
    version = forms.IntegerField(required=False, min_value=1)


class ImageForm(LycheeForm):
    """Which images to show: by state, by words, or like the one that is sent."""

    q = forms.CharField(
        label=_("Search by words"),
        required=False,
        max_length=500,
        widget=forms.TextInput(attrs={"type": "search", "placeholder": _("a red bicycle, a receipt, …")}),
    )
    state = forms.ChoiceField(
        label=_("Show"),
        required=False,
        choices=[("live", _("remembered")), ("expired", _("forgotten")), ("all", _("all"))],
    )
    image = forms.FileField(
        label=_("Search by an image"), required=False, widget=forms.FileInput(attrs={"accept": "image/*"})
    )
