"""The ingest command: files and folders, as often as one likes."""

from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from citations.models import Document
from tests.citations import files

pytestmark = pytest.mark.django_db

NOTE = "# A note\n\nFirst.\n"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "deeper").mkdir()
    (tmp_path / "note.md").write_text(NOTE)
    (tmp_path / "deeper" / "text.txt").write_text("Plain text.")
    (tmp_path / "picture.png").write_bytes(b"\x89PNG")
    return tmp_path


def test_ingest_takes_folders_and_can_be_repeated(folder, capsys):
    for _ in range(2):
        call_command("ingest", folder)
        assert "2 documents." in capsys.readouterr().out
    assert set(Document.objects.values_list("status", flat=True)) == {Document.Status.READY}
    assert Document.objects.count() == 2


def test_ingest_reads_every_kind_that_has_a_reader(tmp_path, capsys):
    (tmp_path / "a.pdf").write_bytes(files.pdf(["A page."]))
    (tmp_path / "b.docx").write_bytes(files.word_of(files.paragraph("A paragraph.")))
    (tmp_path / "c.html").write_text("<p>An element.</p>")
    (tmp_path / "d.pdf").write_bytes(b"%PDF-1.7 broken")
    with pytest.raises(CommandError, match="1 of 4 files failed"):
        call_command("ingest", tmp_path)
    assert "d.pdf: The file is damaged" in capsys.readouterr().err
    assert Document.objects.ready().count() == 3


def test_ingest_keeps_documents_for_one_person(folder, owner):
    call_command("ingest", folder / "note.md", "--owner", "owner")
    assert Document.objects.get().owner == owner
    with pytest.raises(CommandError, match="nobody"):
        call_command("ingest", folder, "--owner", "nobody")


def test_ingest_in_the_background_leaves_the_jobs(folder):
    call_command("ingest", folder, "--background")
    assert set(Document.objects.values_list("status", flat=True)) == {Document.Status.WAITING}


def test_ingest_reports_what_it_could_not_read_and_adds_the_rest(folder, capsys):
    with pytest.raises(CommandError, match="2 of 4 files failed"):
        call_command("ingest", folder, folder / "picture.png", folder / "missing.md")
    errors = capsys.readouterr().err
    assert "picture.png" in errors
    assert "missing.md" in errors
    assert Document.objects.ready().count() == 2
