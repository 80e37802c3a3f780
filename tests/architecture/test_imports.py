"""`django.setup()` loads no heavy vendor; the apps import only what lies below."""

import subprocess
import sys

HEAVY = (
    "litellm",
    "lancedb",
    "pyarrow",
    "torch",
    "transformers",
    "onnxruntime",
    "tiktoken",
    "dateparser",
    "matplotlib",
    "networkx",
    "twisted",
)


def test_django_starts_without_any_heavy_vendor() -> None:
    script = (
        "import os, sys; os.environ['DJANGO_SETTINGS_MODULE'] = 'lychee_site.settings_test'\n"
        "import django; django.setup()\n"
        "import lychee_site.urls\n"
        f"print([m for m in {HEAVY!r} if m in sys.modules])"
    )
    result = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert result.stdout.strip() == "[]", result.stdout
