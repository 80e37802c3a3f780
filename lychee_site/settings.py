"""The settings of every process; each may be set by environment or `.env`.

`.env.example` lists them with their defaults.
"""

import logging
import math
import os
from datetime import timedelta
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from csp.constants import NONE, SELF
from django.templatetags.static import static
from django.urls import reverse_lazy
from marshmallow.validate import OneOf, Range

from lychee_site.env import BASE_DIR, data_dir, env, read_file, secret_key
from lychee_site.log_filters import is_news

read_file(BASE_DIR / ".env")
DATA_DIR = data_dir()
SECRET_KEY = secret_key(DATA_DIR)
DEBUG = env.bool("DEBUG", False)
ALLOWED_HOSTS = env.list("ALLOWED_HOSTS", ["localhost", "127.0.0.1", "[::1]"])
CSRF_TRUSTED_ORIGINS: list[str] = [each for each in env.list("CSRF_TRUSTED_ORIGINS", [], subcast=str) if each]
IS_HTTPS = env.bool("HTTPS", False)
IS_BEHIND_PROXY = env.bool("BEHIND_PROXY", False)
VERSION = "0.1.0"

INSTALLED_APPS = [
    "unfold.apps.BasicAppConfig",
    "lychee_site.apps.AdministrationConfig",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "axes",
    "channels",
    "csp",
    "django_htmx",
    "ninja",
    "rest_framework",
    "rest_framework_simplejwt",
    "rest_framework_simplejwt.token_blacklist",
    "accounts",
    "memory",
    "skills",
    "visual",
    "sessions_app",
    "api",
    "lychee_site",
    "django.contrib.staticfiles",  # after the app whose runserver wins
]
MIDDLEWARE = [
    "api.middleware.RequestIdMiddleware",
    "api.middleware.ProblemMiddleware",
    "django.middleware.security.SecurityMiddleware",
    "servestatic.middleware.ServeStaticMiddleware",
    "csp.middleware.CSPMiddleware",
    "api.limits.ImageBodyMiddleware",
    "accounts.middleware.AdminPolicyMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.locale.LocaleMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "accounts.middleware.PersonMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "django_htmx.middleware.HtmxMiddleware",
    "axes.middleware.AxesMiddleware",
]
ROOT_URLCONF = "lychee_site.urls"
ASGI_APPLICATION = "lychee_site.asgi.application"
TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
            ],
        },
    }
]

# Database: SQLite in the data folder, or DATABASE_URL for PostgreSQL.
SQLITE_OPTIONS: dict[str, Any] = {
    "transaction_mode": "IMMEDIATE",
    "timeout": 20,
    "init_command": (
        "PRAGMA journal_mode=WAL;PRAGMA synchronous=NORMAL;PRAGMA secure_delete=ON;"
        "PRAGMA cache_size=-32000;PRAGMA mmap_size=268435456;"
    ),
}
if env.str("DATABASE_URL", ""):
    DATABASES: dict[str, Any] = {"default": env.dj_db_url("DATABASE_URL", conn_health_checks=True)}
    # Each request has a thread of its own: without a pool, 300 at once met PostgreSQL's limit of 100.
    DATABASES["default"].setdefault("OPTIONS", {})["pool"] = {
        "min_size": 1,
        "max_size": env.int("DATABASE_POOL_SIZE", 20, validate=Range(min=4)),
        "timeout": 30,  # seconds a request waits for one
    }
else:
    DATABASES = {
        "default": {
            "ENGINE": "django.db.backends.sqlite3",
            "NAME": DATA_DIR / "lychee.sqlite3",
            "OPTIONS": SQLITE_OPTIONS,
            "CONN_MAX_AGE": 0,
        }
    }

# Redis when configured, else everything in this process.
REDIS_URL = env.str("REDIS_URL", "")
CHANNEL_LAYERS: dict[str, Any] = {
    "default": {"BACKEND": "channels_redis.core.RedisChannelLayer", "CONFIG": {"hosts": [REDIS_URL]}}
    if REDIS_URL
    else {"BACKEND": "channels.layers.InMemoryChannelLayer"}
}
CACHES: dict[str, Any] = {
    "default": {"BACKEND": "django.core.cache.backends.redis.RedisCache", "LOCATION": REDIS_URL}
    if REDIS_URL
    else {"BACKEND": "django.core.cache.backends.locmem.LocMemCache"}
}
CELERY_BROKER_URL = REDIS_URL or "memory://localhost"
CELERY_BROKER_TRANSPORT_OPTIONS: dict[str, Any] = {} if REDIS_URL else {"polling_interval": 0.05}
CELERY_TASK_IGNORE_RESULT = True
CELERY_TASK_ACKS_LATE = True
CELERY_WORKER_POOL = "threads"
CELERY_WORKER_HIJACK_ROOT_LOGGER = False

# People and credentials.
AUTH_USER_MODEL = "accounts.User"
AUTHENTICATION_BACKENDS = [
    "axes.backends.AxesStandaloneBackend",
    "django.contrib.auth.backends.ModelBackend",
]
PASSWORD_HASHERS = [
    "django.contrib.auth.hashers.Argon2PasswordHasher",
    "django.contrib.auth.hashers.PBKDF2PasswordHasher",
]
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": f"django.contrib.auth.password_validation.{name}"}
    for name in (
        "UserAttributeSimilarityValidator",
        "MinimumLengthValidator",
        "CommonPasswordValidator",
        "NumericPasswordValidator",
    )
]
IS_REGISTRATION_OPEN = env.bool("REGISTRATION_OPEN", True)
LOGIN_URL = reverse_lazy("accounts:sign-in")
LOGIN_REDIRECT_URL = "/app/"
LOGOUT_REDIRECT_URL = LOGIN_URL
AXES_FAILURE_LIMIT = env.int("LOGIN_FAILURE_LIMIT", 10, validate=Range(min=1))
AXES_COOLOFF_TIME = timedelta(minutes=env.int("LOGIN_COOLOFF_MINUTES", 15))
AXES_LOCKOUT_PARAMETERS = [["username", "ip_address"]]
AXES_RESET_ON_SUCCESS = True
AXES_VERBOSE = False
SIMPLE_JWT: dict[str, Any] = {
    "ACCESS_TOKEN_LIFETIME": timedelta(minutes=env.int("ACCESS_TOKEN_MINUTES", 15, validate=Range(min=1))),
    "REFRESH_TOKEN_LIFETIME": timedelta(days=env.int("REFRESH_TOKEN_DAYS", 30)),
    "ROTATE_REFRESH_TOKENS": True,
    "BLACKLIST_AFTER_ROTATION": True,
    "CHECK_REVOKE_TOKEN": True,
    "USER_ID_CLAIM": "sub",
}

# The browser's side.
SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = IS_HTTPS
SESSION_COOKIE_HTTPONLY = True
SESSION_COOKIE_SAMESITE = CSRF_COOKIE_SAMESITE = "Lax"
SECURE_HSTS_SECONDS = 31_536_000 if IS_HTTPS else 0
SECURE_SSL_REDIRECT = False  # the proxy's work
SECURE_REFERRER_POLICY = "same-origin"
X_FRAME_OPTIONS = "DENY"
CONTENT_SECURITY_POLICY: dict[str, Any] = {
    "DIRECTIVES": {
        "default-src": [NONE],
        "script-src": [SELF],
        "style-src": [SELF],
        "img-src": [SELF],
        "font-src": [SELF],
        "connect-src": [SELF],
        "form-action": [SELF],
        "base-uri": [NONE],
        "frame-ancestors": [NONE],
        "object-src": [NONE],
        "manifest-src": [SELF],
    }
}
STATIC_URL = "/static/"
STATIC_ROOT = DATA_DIR / "static"
STATICFILES_DIRS = [BASE_DIR / "static"]
SERVESTATIC_USE_FINDERS = True
SERVESTATIC_AUTOREFRESH = DEBUG
DATA_UPLOAD_MAX_MEMORY_SIZE = env.int("MAX_BODY_BYTES", 10_000_000, validate=Range(min=1))
DATA_UPLOAD_MAX_NUMBER_FILES = 1_000  # what takes files tells its own, lower limit in words
MAX_IMAGE_BYTES = env.int("MAX_IMAGE_BYTES", 10_000_000, validate=Range(min=1))
# Of a body or a websocket's frame that may hold an image as a data URL: base64 takes 4 bytes for 3.
MAX_IMAGE_BODY_BYTES = DATA_UPLOAD_MAX_MEMORY_SIZE + 4 * math.ceil(MAX_IMAGE_BYTES / 3)
DAPHNE_WEBSOCKET_MAX_FRAME_SIZE = DAPHNE_WEBSOCKET_MAX_MESSAGE_SIZE = MAX_IMAGE_BODY_BYTES
MAX_IMAGE_PIXELS = env.int("MAX_IMAGE_PIXELS", 50_000_000, validate=Range(min=1))

# Whether images are fetched from https addresses of the public internet that people send.
FETCH_IMAGES = env.bool("FETCH_IMAGE_URLS", False)

# Where images lie: a folder, or a bucket that speaks S3. Never served by their address there.
IMAGE_DIR: Path = Path(env.str("IMAGE_DIR", "") or DATA_DIR / "images")
IMAGE_S3_BUCKET = env.str("IMAGE_S3_BUCKET", "").strip()
STORAGES: dict[str, Any] = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"},
    "images": {
        "BACKEND": "visual.stores.bucket.BucketStorage",
        "OPTIONS": {
            "bucket_name": IMAGE_S3_BUCKET,
            "endpoint_url": env.str("IMAGE_S3_ENDPOINT", "") or None,
            "region_name": env.str("IMAGE_S3_REGION", "") or None,
            "access_key": env.str("IMAGE_S3_ACCESS_KEY", "") or None,
            "secret_key": env.str("IMAGE_S3_SECRET_KEY", "") or None,
            "default_acl": None,
            "file_overwrite": True,
        },
    }
    if IMAGE_S3_BUCKET
    else {"BACKEND": "visual.stores.images.WholeFileStorage", "OPTIONS": {"location": IMAGE_DIR}},
}
UNFOLD: dict[str, Any] = {
    "SITE_TITLE": "Lychee Memory",
    "SITE_HEADER": "Lychee Memory",
    "SITE_URL": "/app/",
    "SITE_ICON": lambda request: static("img/lychee.svg"),
    "SITE_FAVICONS": [
        {"rel": "icon", "type": "image/svg+xml", "href": lambda request: static("img/lychee.svg")},
    ],
    "STYLES": [lambda request: static("css/admin.css")],
    "COLORS": {
        "primary": {
            "50": "#fdf3f5",
            "100": "#fce7ec",
            "200": "#f7c8d3",
            "300": "#f19db0",
            "400": "#e96c88",
            "500": "#d64a6b",
            "600": "#c02a4e",
            "700": "#a52042",
            "800": "#86203b",
            "900": "#711f37",
            "950": "#400c1b",
        }
    },
}

# Language and time: stored in UTC, shown in each user's zone.
LANGUAGE_CODE = "en"
# Those the pages are translated into: else Django's own words come in another language than ours.
LANGUAGES = [("en", "English")]
FORMAT_MODULE_PATH = "lychee_site.formats"
TIME_ZONE = "UTC"
USE_TZ = True
USE_I18N = True
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

# Memory.
MAX_MESSAGE_CHARS = env.int("MAX_MESSAGE_CHARS", 100_000, validate=Range(min=1))
MAX_QUERY_CHARS = env.int("MAX_QUERY_CHARS", 8_000, validate=Range(min=1))
WM_MAX_TOKENS = env.int("WM_MAX_TOKENS", 128_000)
WM_WARN_THRESHOLD = env.share("WM_WARN_THRESHOLD", 0.70)
WM_BLOCK_THRESHOLD = env.share("WM_BLOCK_THRESHOLD", 0.90)
MIN_RECENT_TURNS = env.int("MIN_RECENT_TURNS", 8, validate=Range(min=1))
SKILL_TOP_K = env.int("SKILL_TOP_K", 3, validate=Range(min=0, max=20))
SKILL_TAUGHT_SUCCESSES = env.int("SKILL_TAUGHT_SUCCESSES", 1, validate=Range(min=0))
SKILL_OBSERVED_SUCCESSES = env.int("SKILL_OBSERVED_SUCCESSES", 2, validate=Range(min=0))
VECTOR_STORE = env.str("VECTOR_STORE", "lancedb", validate=OneOf(["lancedb", "exact"]))
INDEX_DIR: Path = Path(env.str("INDEX_DIR", "") or DATA_DIR / "index")

# Models: with none named, everything works offline. The keys are those of ModelSettings.
LLM: dict[str, Any] = {
    "model": env.str("LLM_MODEL", "").strip(),
    "api_key": env.str("LLM_API_KEY", "").strip(),
    "api_base": env.str("LLM_API_BASE", "").strip(),
    "temperature": env.number_or_none("LLM_TEMPERATURE", ""),
    "top_p": env.number_or_none("LLM_TOP_P", ""),
    "max_tokens": env.whole_or_none("LLM_MAX_TOKENS", ""),
    "parallel_calls": env.int("LLM_PARALLEL_CALLS", 8, validate=Range(min=1)),
}
EMBEDDING: dict[str, Any] = {
    "model": env.str("EMBEDDING_MODEL", "").strip(),
    "api_key": env.str("EMBEDDING_API_KEY", "").strip(),
    "api_base": env.str("EMBEDDING_API_BASE", "").strip(),
}
RERANKER: dict[str, Any] = {
    "model": env.str("RERANKER_MODEL", "").strip(),
    "api_key": env.str("RERANKER_API_KEY", "").strip(),
    "api_base": env.str("RERANKER_API_BASE", "").strip(),
}
EXPERIMENTAL_TRANSFORMER_RERANK = env.bool("EXPERIMENTAL_TRANSFORMER_RERANK", False)
TRANSFORMER_RERANK_MODEL_PATH = env.str("TRANSFORMER_RERANK_MODEL_PATH", "").strip()
VLM: dict[str, Any] = {
    "model": env.str("VLM_MODEL", "").strip(),
    "api_key": env.str("VLM_API_KEY", "").strip(),
    "api_base": env.str("VLM_API_BASE", "").strip(),
}
# Looks: CLIP by open_clip, where requirements/visual.txt is installed and weights are named.
CLIP_MODEL = env.str("CLIP_MODEL", "ViT-B-32").strip()
CLIP_WEIGHTS = env.str("CLIP_WEIGHTS", "").strip()
IS_READING_IMAGES = env.bool("IMAGE_OCR", True)
EMBEDDING_DIM: int | None = env.whole_or_none("EMBEDDING_DIM", "")
COMPOSITE_TITLES = env.str("COMPOSITE_TITLES", "off", validate=OneOf(["off", "llm"]))
DAILY_TOKEN_BUDGET = env.int("DAILY_TOKEN_BUDGET", 0, validate=Range(min=0))

LOGGING: dict[str, Any] = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {"line": {"format": "{asctime} {levelname} {name}: {message}", "style": "{"}},
    "filters": {"news": {"()": "django.utils.log.CallbackFilter", "callback": is_news}},
    "handlers": {"stderr": {"class": "logging.StreamHandler", "formatter": "line"}},
    "loggers": {"django.request": {"filters": ["news"]}},
    "root": {"handlers": ["stderr"], "level": env.log_level("LOG_LEVEL", logging.WARNING)},
}

# tiktoken's vocabulary lies in an installed package; litellm must not fetch its price table.
# One product over a space's vectors takes 1 ms on one thread; on several it waits up to 16 ms
# for whichever core is busy. Read by NumPy when it is first imported, after this.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

_litellm = find_spec("litellm")
if _litellm and _litellm.origin:
    env_defaults = {
        "TIKTOKEN_CACHE_DIR": str(Path(_litellm.origin).parent / "litellm_core_utils" / "tokenizers"),
        "LITELLM_LOCAL_MODEL_COST_MAP": "True",
        "LANCEDB_LOG": "error",
    }
    for _name, _value in env_defaults.items():
        os.environ.setdefault(_name, _value)
