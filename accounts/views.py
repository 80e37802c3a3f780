"""The doors people come in by: sign up, sign in; and what they say of themselves."""

from datetime import timedelta
from typing import Any

from django.conf import settings
from django.contrib import messages
from django.contrib.auth import login, update_session_auth_hash
from django.contrib.auth import views as auth_views
from django.contrib.auth.decorators import login_required
from django.contrib.auth.forms import AuthenticationForm
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.decorators import method_decorator
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters

from accounts.errors import LycheeError, TooManyRequests
from accounts.forms import FirstPasswordForm, PasswordForm, ProfileForm, SignInForm, SignUpForm
from accounts.models import User
from accounts.services.users import change_password, register_user, update_profile
from accounts.services.zones import is_zone

_BACKEND = "django.contrib.auth.backends.ModelBackend"


@method_decorator(sensitive_post_parameters("password"), name="dispatch")
class SignInView(auth_views.LoginView):
    """Sign in; a lock-out after too many failures is told in words, with status 429."""

    template_name = "accounts/sign_in.html"
    authentication_form = SignInForm
    redirect_authenticated_user = True

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        """Say whether strangers may sign up."""
        return super().get_context_data(is_registration_open=settings.IS_REGISTRATION_OPEN, **kwargs)

    def form_valid(self, form: AuthenticationForm) -> HttpResponse:
        """Who was never here and has no zone of their own takes the browser's, as at sign-up."""
        user, zone = form.get_user(), self.request.POST.get("time_zone", "")
        if isinstance(user, User) and user.last_login is None and user.time_zone == "UTC" and is_zone(zone):
            update_profile(user, time_zone=zone)
        return super().form_valid(form)

    def form_invalid(self, form: AuthenticationForm) -> HttpResponse:
        """Show the failure."""
        if not getattr(self.request, "axes_locked_out", False):
            return super().form_invalid(form)
        # Axes would replace the page by its own; ours says the same in words.
        self.request.axes_locked_out = False  # type: ignore[attr-defined]
        form.errors.clear()
        form.add_error(None, lock_out_words(settings.AXES_COOLOFF_TIME))
        return self.render_to_response(self.get_context_data(form=form), status=429)


def lock_out_words(cool_off: timedelta) -> str:
    """What to do after too many failures."""
    minutes = max(1, round(cool_off.total_seconds() / 60))
    return ngettext(
        "Too many attempts. Wait %(minutes)d minute, then try again.",
        "Too many attempts. Wait %(minutes)d minutes, then try again.",
        minutes,
    ) % {"minutes": minutes}


@never_cache
@sensitive_post_parameters("password")
def sign_up(request: HttpRequest) -> HttpResponse:
    """Make a person with a personal space, and sign them in."""
    if not settings.IS_REGISTRATION_OPEN:
        raise Http404
    if request.user.is_authenticated:
        return redirect("sessions:home")
    form = SignUpForm(request.POST if request.method == "POST" else None)
    if request.method == "POST" and form.is_valid():
        try:
            user = register_user(**form.cleaned_data)
        except LycheeError as error:
            form.show(error)
        else:
            login(request, user, backend=_BACKEND)
            return redirect("sessions:home")
    return _page(request, "accounts/sign_up.html", form)


@never_cache
@login_required
def profile(request: HttpRequest) -> HttpResponse:
    """Change the name, the email address and the time zone."""
    user = request.user
    assert isinstance(user, User)  # noqa: S101 - login_required's promise, for mypy
    now = {"display_name": user.display_name, "email": user.email, "zone": user.time_zone}
    form = ProfileForm(request.POST if request.method == "POST" else None, initial=now)
    if request.method == "POST" and form.is_valid():
        told = form.cleaned_data
        try:
            update_profile(
                user, display_name=told["display_name"], email=told["email"], time_zone=told["zone"]
            )
        except LycheeError as error:
            form.show(error)
        else:
            messages.success(request, _("Your profile is changed."))
            return redirect("sessions:home")
    return _page(request, "accounts/profile.html", form)


@never_cache
@login_required
@sensitive_post_parameters("old_password", "new_password")
def password(request: HttpRequest) -> HttpResponse:
    """Change the password; a one-time one leads here until it is changed, and its bearer says a name."""
    user = request.user
    assert isinstance(user, User)  # noqa: S101 - login_required's promise, for mypy
    kind = FirstPasswordForm if user.must_change_password else PasswordForm
    form = kind(user, request.POST if request.method == "POST" else None)
    if request.method == "POST" and form.is_valid():
        try:
            change_password(
                request, user, old=form.cleaned_data["old_password"], new=form.cleaned_data["new_password"]
            )
            update_profile(user, display_name=form.cleaned_data.get("display_name"))
        except TooManyRequests:
            form.add_error(None, lock_out_words(settings.AXES_COOLOFF_TIME))
            return _page(request, "accounts/password.html", form, status=429)
        except LycheeError as error:
            form.show(error)
        else:
            update_session_auth_hash(request, user)
            messages.success(request, _("Your password is changed."))
            return redirect("sessions:home")
    return _page(request, "accounts/password.html", form)


def _page(
    request: HttpRequest, template: str, form: PasswordForm | ProfileForm | SignUpForm, *, status: int = 422
) -> HttpResponse:
    """The form; once it holds an error, with this status."""
    return render(request, template, {"form": form}, status=status if form.errors else 200)
