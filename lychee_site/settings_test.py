"""Settings of the test suite: a scratch data folder, fast hashing, no background.

SQLite in the scratch folder, or PostgreSQL where `TEST_DATABASE_URL` names a server (`make test-postgres`).
"""

import os
import tempfile
from pathlib import Path

_scratch = tempfile.TemporaryDirectory(prefix="lychee-test-")  # goes with the process
os.environ["LYCHEE_DATA_DIR"] = _scratch.name
# Never a developer's own database or Redis: empty is no setting, and wins over `.env`.
os.environ["DATABASE_URL"] = os.environ.get("TEST_DATABASE_URL", "")
os.environ["REDIS_URL"] = ""

from lychee_site.settings import *  # noqa: E402, F403
from lychee_site.settings import DATA_DIR, DATABASES, MIDDLEWARE  # noqa: E402

# Whatever a developer's .env names, tests begin without a model.
LLM = {"model": "", "api_key": "", "api_base": "", "temperature": None, "top_p": None, "max_tokens": None}
EMBEDDING = {"model": "", "api_key": "", "api_base": ""}
RERANKER = {"model": "", "api_key": "", "api_base": ""}
EXPERIMENTAL_TRANSFORMER_RERANK = False
TRANSFORMER_RERANK_MODEL_PATH = ""
VLM = {"model": "", "api_key": "", "api_base": ""}
CLIP_WEIGHTS = ""
IS_READING_IMAGES = False
FETCH_IMAGES = False
EMBEDDING_DIM = None
DAILY_TOKEN_BUDGET = 0
SECRET_KEY = "for tests only, at least fifty characters long, never served"  # noqa: S105
PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
ALLOWED_HOSTS = ["testserver", "localhost", "127.0.0.1"]
AXES_ENABLED = False
MIDDLEWARE[MIDDLEWARE.index("servestatic.middleware.ServeStaticMiddleware")] = "tests.static_files.FoundOnce"
DATABASES["default"]["OPTIONS"].pop("pool", None)  # the test runner creates and drops databases under it
if not os.environ["DATABASE_URL"]:  # a file, so that threads of one test see the same rows
    DATABASES["default"]["TEST"] = {"NAME": str(Path(DATA_DIR) / "test.sqlite3")}
