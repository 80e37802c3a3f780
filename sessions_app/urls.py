"""Pages that span the tiers, under /app/."""

from django.urls import include, path

from sessions_app.views import (
    chat,
    curation,
    images,
    members,
    memory,
    rating,
    record,
    session_changes,
    skill_changes,
    skills,
    usage,
)

app_name = "sessions"

_space_patterns = [
    path("", chat.new, name="chat-new"),
    path("sessions/", chat.session_list, name="session-list"),
    path("chat/<uuid:session_id>/", chat.conversation, name="chat"),
    path("chat/<uuid:session_id>/turns/", chat.turns_after, name="turns"),
    path("chat/<uuid:session_id>/rename/", session_changes.rename, name="session-rename"),
    path("chat/<uuid:session_id>/audience/", session_changes.change_audience, name="session-audience"),
    path("chat/<uuid:session_id>/delete/", session_changes.delete, name="session-delete"),
    path("memory/", memory.remembered, name="memory"),
    path("memory/<uuid:record_id>/", record.show, name="record"),
    path("memory/<uuid:record_id>/item/", record.item, name="record-item"),
    path("memory/<uuid:record_id>/edit/", record.edit, name="record-edit"),
    path("memory/<uuid:record_id>/expire/", record.expire, name="record-expire"),
    path("memory/<uuid:record_id>/pin/", curation.pin, name="record-pin"),
    path("memory/<uuid:record_id>/restore/", curation.restore, name="record-restore"),
    path("memory/<uuid:record_id>/merge/", curation.merge, name="record-merge"),
    path("memory/<uuid:record_id>/erase/", curation.purge, name="record-purge"),
    path("images/", images.gallery, name="images"),
    path("images/<uuid:visual_id>/", images.show, name="image"),
    path("images/<uuid:visual_id>/file/", images.file, name="image-file"),
    path("images/<uuid:visual_id>/pin/", images.pin, name="image-pin"),
    path("images/<uuid:visual_id>/restore/", images.restore, name="image-restore"),
    path("images/<uuid:visual_id>/delete/", images.delete, name="image-delete"),
    path("recalls/<uuid:log_id>/rate/", rating.rate, name="rate"),
    path("remember-now/<uuid:session_id>/", memory.remember_now, name="remember-now"),
    path("jobs/<uuid:job_id>/", memory.job, name="job"),
    path("jobs/<uuid:job_id>/retry/", memory.retry, name="job-retry"),
    path("skills/", skills.listed, name="skills"),
    path("skills/new/", skill_changes.write, name="skill-new"),
    path("skills/import/", skill_changes.take_in, name="skill-import"),
    path("skills/file/", skills.archive, name="skill-archive"),
    path("skills/<uuid:skill_id>/", skills.show, name="skill"),
    path("skills/<uuid:skill_id>/edit/", skill_changes.edit, name="skill-edit"),
    path("skills/<uuid:skill_id>/state/", skill_changes.decide, name="skill-state"),
    path("skills/<uuid:skill_id>/adopt/", skill_changes.adopt, name="skill-adopt"),
    path("skills/<uuid:skill_id>/delete/", skill_changes.delete, name="skill-delete"),
    path("skills/<uuid:skill_id>/file/", skills.file, name="skill-file"),
    path("members/", members.listed, name="members"),
    path("members/<str:username>/role/", members.set_role, name="member-role"),
    path("members/<str:username>/remove/", members.remove, name="member-remove"),
    path("new-space/", members.new_space, name="space-new"),
    path("usage/", usage.show, name="usage"),
]

urlpatterns = [
    path("", chat.home, name="home"),
    path("s/<slug:space>/", include(_space_patterns)),
]
