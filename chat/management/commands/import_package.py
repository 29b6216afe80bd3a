import json
from argparse import ArgumentParser
from pathlib import Path
from typing import Any
from zipfile import BadZipFile, ZipFile

from django.core.management.base import BaseCommand, CommandError

from citations.ingestion import INGEST
from citations.library import RETITLE
from citations.models import Document
from memory.forgetting.importing import Unfit, digest_of, take_in
from memory.jobs import enqueue
from memory.models import Turn, User
from memory.recall.similarity import embed_later


class Command(BaseCommand):
    help = "Take in a person's package: their account, conversations, documents and decisions."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("package", type=Path)
        parser.add_argument("--username", default="", help="if it is to have another name here")

    def handle(self, *, package: Path, username: str, **options: Any) -> str:
        try:
            person = take_in(_data_of(package), username=username)
        except Unfit as unfit:
            raise CommandError(str(unfit)) from unfit
        _find_again(person)
        self.stderr.write(
            f"{person.username} is here, without a password: `manage.py sign_in_link "
            f"{person.username}` lets them in. The digest is that of the package.",
            style_func=str,
        )
        return digest_of(person)


def _data_of(package: Path) -> dict[str, Any]:
    try:
        with ZipFile(package) as archive, archive.open("data.json") as entry:
            data: dict[str, Any] = json.load(entry)
    except (OSError, BadZipFile, KeyError, ValueError) as error:
        raise CommandError(f"{package} can't be read as a package.") from error
    if not isinstance(data, dict):
        raise CommandError(f"{package} can't be read as a package.")
    return data


def _find_again(person: User) -> None:
    """Ask for what is made from the rows, which packages don't have: indexes and vectors."""
    for document in Document.objects.filter(owner=person).only("pk", "status"):
        enqueue(RETITLE if document.status == Document.Status.READY else INGEST, document.pk)
    for turn in Turn.objects.remembered().filter(owner=person).only("pk").iterator(chunk_size=500):
        embed_later(turn)
