"""The command `evaluate citations`: claims beside passages, through the product's own checker."""

import gzip
import json
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command

PASSAGE = "The fee for a berth is 22 euros a night. Dogs are welcome on the pier."
TRUE = {"id": "1", "claim": "A berth costs 22 euros a night.", "passage": PASSAGE}
FALSE = {"id": "2", "claim": "The fee for a berth is 24 euros a night.", "passage": PASSAGE}


def evaluated(folder: Path, *lines: dict[str, Any], zipped: bool = False) -> list[dict[str, Any]]:
    """Run the command; return the lines that it wrote."""
    written = "".join(json.dumps(line) + "\n" for line in lines).encode()
    (folder / "data").write_bytes(gzip.compress(written) if zipped else written)
    call_command("evaluate", "citations", f"--data={folder / 'data'}", f"--out={folder / 'out'}")
    return [json.loads(line) for line in (folder / "out").read_text().splitlines()]


@pytest.mark.parametrize("zipped", [False, True])
def test_each_claim_gets_a_score_and_whether_it_is_supported(tmp_path: Path, zipped: bool) -> None:
    true, false = evaluated(tmp_path, TRUE, FALSE, zipped=zipped)
    assert (true["id"], true["supported"]) == ("1", True)
    assert (false["id"], false["supported"]) == ("2", False)
    assert set(true) == {"id", "score", "supported"}


def test_a_claim_is_supported_from_the_products_own_threshold(
    tmp_path: Path, settings: Any
) -> None:
    (usual,) = evaluated(tmp_path, TRUE)
    settings.CITATION_THRESHOLD = usual["score"] + 0.01
    (strict,) = evaluated(tmp_path, TRUE)
    assert (usual["supported"], strict["supported"]) == (True, False)


def test_nothing_but_claim_and_passage_is_looked_at(tmp_path: Path) -> None:
    told = {"supported": False, "source": "fm2", "span": "nothing", "group": "g"}
    assert evaluated(tmp_path, TRUE | told) == evaluated(tmp_path, TRUE)
