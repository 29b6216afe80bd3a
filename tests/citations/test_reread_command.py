"""The reread command: all that an older version has read, each in the turn of its owner."""

import pytest
from django.core.management import call_command
from django.db import connection
from django.test.utils import CaptureQueriesContext

from citations.library import REREAD
from citations.management.commands import reread
from citations.models import Document, OriginalFile
from memory.jobs import queue
from memory.models import Job, User
from tests.citations.documents import add

pytestmark = pytest.mark.django_db


@pytest.fixture
def library(owner: User, colleague: User) -> list[Document]:
    """Three documents that an older version has read, and one whose file was not kept."""
    rows = [add(f"It says {who}.", who) for who in (owner, colleague, None)]
    bare = add("Its file was not kept.", owner)
    OriginalFile.objects.filter(document=bare).delete()
    Document.objects.update(reading=None)
    return rows


def test_it_asks_for_all_whose_files_are_kept_and_says_what_is_left_out(
    library, capsys, monkeypatch
):
    monkeypatch.setattr(reread, "BATCH", 2)
    for _ in range(2):
        call_command("reread")
        out = capsys.readouterr().out
        assert "3 documents will be read again." in out
        assert "1 stay as they are: their files were not kept." in out
    asked = Job.objects.filter(kind=REREAD)
    assert {job.subject: job.owner_id for job in asked} == {row.pk: row.owner_id for row in library}
    queue.run_due()
    assert Document.objects.outdated().count() == 1
    call_command("reread")
    assert "0 documents will be read again." in capsys.readouterr().out


def test_a_dry_run_only_counts(library, capsys):
    with CaptureQueriesContext(connection) as captured:
        call_command("reread", "--dry-run")
    assert "3 documents would be read again." in capsys.readouterr().out
    assert len(captured) == 5  # two, and the record of the command in a transaction
    assert not Job.objects.filter(kind=REREAD).exists()
