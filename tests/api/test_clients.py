"""Clients are generated from the schema as it is served, and go a whole journey each.

tests/clients has the journeys: add a document and wait until it is read, begin a session, ask,
follow the events, read on by page, rate, search, export, erase. The Python client drops no
operation, and the TypeScript journey is compiled strictly against the generated types.
"""

import json
import os
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.servers import Web
from tests.surroundings import PYTHON, ROOT

JOURNEYS = ROOT / "tests" / "clients"
# The npm packages, kept between runs until the lock file changes.
NODE = ROOT / "var" / "typescript-client"


@pytest.fixture(scope="module")
def served(start_web: Callable[..., Web], tmp_path_factory: pytest.TempPathFactory) -> Web:
    """A server with a worker, and its schema in a file."""
    web = start_web()
    web.start_worker()
    schema = web.client("owner").get("/api/schema").json()
    (web.data_dir / "schema.json").write_text(json.dumps(schema))
    return web


def run(*command: str | Path, folder: Path, **environment: str) -> str:
    """Return what the program prints; fail with all of its output if it fails."""
    done = subprocess.run(
        command,
        cwd=folder,
        env=os.environ | environment,
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
    )
    assert done.returncode == 0, f"{command}\n{done.stdout}\n{done.stderr}"
    return done.stdout + done.stderr


def test_python(served: Web, tmp_path: Path) -> None:
    schema, settings = served.data_dir / "schema.json", JOURNEYS / "python.yml"
    made = tmp_path / "made"
    generator = (Path(PYTHON).parent / "openapi-python-client", "generate", "--meta", "none")
    package = made / "throughline_client"
    made.mkdir()
    said = run(
        *(*generator, "--path", schema, "--config", settings, "--output-path", package),
        folder=tmp_path,
        PATH=f"{Path(PYTHON).parent}:{os.environ['PATH']}",
    )
    assert "WARNING" not in said
    assert "Warning" not in said
    operations = {
        operation["operationId"]
        for methods in json.loads(schema.read_text())["paths"].values()
        for operation in methods.values()
    }
    assert operations <= {file.stem for file in package.glob("api/*/*.py")}
    journey = JOURNEYS / "journey.py"
    printed = run(
        *(PYTHON, journey, served.url, served.tokens["owner"]),
        folder=tmp_path,
        PYTHONPATH=str(made),
    )
    assert "The journey is over." in printed


def test_typescript(served: Web) -> None:
    if not (shutil.which("node") and shutil.which("npm")):
        pytest.skip("node and npm are not installed")
    NODE.mkdir(parents=True, exist_ok=True)
    lock, installed = JOURNEYS / "typescript" / "package-lock.json", NODE / "installed.json"
    for file in (JOURNEYS / "typescript").iterdir():
        shutil.copy(file, NODE)
    if not installed.exists() or installed.read_bytes() != lock.read_bytes():
        run("npm", "ci", "--no-audit", "--no-fund", folder=NODE)
        shutil.copy(lock, installed)
    programs = NODE / "node_modules" / ".bin"
    schema = served.data_dir / "schema.json"
    run(programs / "openapi-typescript", schema, "-o", "schema.d.ts", folder=NODE)
    run(programs / "tsc", folder=NODE)
    printed = run("node", "journey.js", served.url, served.tokens["colleague"], folder=NODE)
    assert "The journey is over." in printed
