"""`python -m tests.model_server --port 8107`: the test model for trying the application by hand.

Set LLM_MODEL=openai/test-model and LLM_API_BASE to the printed URL.
"""

import argparse
import sys
from threading import Event

from tests.model_server.server import ModelServer
from tests.model_server.steps import Step


def main() -> None:
    """Serve until interrupted."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--port", type=int, default=8107)
    parser.add_argument("--delay-ms", type=int, default=0, help="before each reply")
    parser.add_argument("--status", type=int, default=200, help="fail every call with this status")
    parser.add_argument("--no-usage", action="store_true", help="do not say what calls took")
    given = parser.parse_args()
    body = {"error": {"message": "scripted"}} if given.status != 200 else None
    step = Step(delay=given.delay_ms / 1000, status=given.status, body=body, has_usage=not given.no_usage)
    with ModelServer(port=given.port, default=step) as server:
        sys.stdout.write(f"{server.url}\n")
        sys.stdout.flush()
        Event().wait()


if __name__ == "__main__":
    main()
