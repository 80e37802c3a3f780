"""The commands of docs/http.md, run as they stand against a real server."""

import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.api.live import Live

PAGE = Path(__file__).parents[2] / "docs" / "http.md"


@pytest.mark.django_db(transaction=True)
@pytest.mark.skipif(shutil.which("curl") is None, reason="curl is not installed")
def test_every_command_of_the_page_works(live: Live, tmp_path: Path) -> None:
    blocks = re.findall(r"^```sh\n(.*?)^```", PAGE.read_text(), re.MULTILINE | re.DOTALL)
    assert len(blocks) >= 6
    done = subprocess.run(
        ["bash", "-euo", "pipefail", "-c", "\n".join(blocks)],
        cwd=tmp_path,
        env={**os.environ, "H": live.http},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, done.stdout[-2_000:] + done.stderr[-2_000:]
    assert '"type": "done"' in done.stdout
    assert "Pixel" in done.stdout
    assert "peanuts" in done.stdout


def test_every_address_of_the_page_exists() -> None:
    from api.rest.root import api

    known = set(api.get_openapi_schema(path_prefix="/")["paths"])
    named = re.findall(r"`(?:GET|POST|PATCH|DELETE) (/[^`]*)`", PAGE.read_text())
    generic = {re.sub(r"{\w+}", "{id}", path) for path in known}
    assert named
    assert {path for path in named if re.sub(r"{\w+}", "{id}", path) not in generic} == set()
