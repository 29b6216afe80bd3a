"""Run a worker for background jobs; any number may run on any number of machines."""

import os
from pathlib import Path
from typing import Any

from celery import current_app
from django.core.management.base import BaseCommand, CommandError
from django.db import connections

from citations.ingestion.renewal.reembedding import renew_if_changed
from memory.audit.configuration import record_settings
from memory.forgetting.erasure.restoring import REFUSAL, forbids_start
from memory.jobs import signs
from memory.jobs.working import Worker
from memory.tasks import look


class Command(BaseCommand):
    help = "Do background work until stopped. WORKER_CLASSES says which, and what goes first."

    def handle(self, **options: Any) -> None:
        if file := os.environ.get("ALIVE_FILE"):
            signs.show_in(Path(file))  # the supervisor checks whether it hangs
        if forbids_start():  # a restored backup has erased data
            raise CommandError(REFUSAL)
        current_app.loader.import_default_modules()  # each app's tasks register its jobs
        record_settings()
        renew_if_changed()
        connections["keys"].close()
        worker = Worker(look)
        if file := os.environ.get("WORKER_READY_FILE"):
            Path(file).touch()  # the supervisor waits for it
        worker.work()
