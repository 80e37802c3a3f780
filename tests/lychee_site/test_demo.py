"""`manage.py demo` plays two sessions over HTTP and shows memory with its evidence."""

import subprocess
import sys
from pathlib import Path

from tests.lychee_site.servers import ROOT, environment, free_port


def test_the_demo_is_answered_from_memory_with_evidence(tmp_path: Path) -> None:
    result = subprocess.run(
        [sys.executable, str(ROOT / "manage.py"), "demo", "--port", str(free_port())],
        env={**environment(tmp_path), "COLUMNS": "200"},
        capture_output=True,
        text=True,
        check=False,
        timeout=180,
    )
    assert result.returncode == 0, result.stderr
    asked = result.stdout[result.stdout.index("Where do I live?") :]
    for expected in ("Lisbon", "peanuts", "Pixel", "Friday", "collector", "Ramiro"):
        assert expected in asked
    assert "session demo, turn" in asked
