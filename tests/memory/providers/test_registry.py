"""One adapter per port and process, loaded when first used."""

import subprocess
import sys

from memory.providers import registry

HEAVY = ("litellm", "lancedb", "onnxruntime", "tokenizers", "tiktoken", "torch", "pyarrow")
PROBE = f"""
import sys, django
django.setup()
from memory.providers import registry
from memory.stores import registry as stores
registry.embedder(), registry.token_counter(), stores.vector_index(), stores.text_index()
print(",".join(name for name in {HEAVY!r} if name in sys.modules))
"""


def test_each_adapter_is_made_once():
    assert registry.embedder() is registry.embedder()
    assert registry.token_counter() is registry.token_counter()


def test_setting_up_django_and_naming_the_adapters_loads_no_heavy_vendor():
    done = subprocess.run(
        [sys.executable, "-c", PROBE],
        env={"DJANGO_SETTINGS_MODULE": "lychee_site.settings_test", "PATH": ""},
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.strip() == ""
