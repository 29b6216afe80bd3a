"""Celery: the clock, whose beat starts what is due. The work itself is in rows (memory.jobs).

No request sends it a task. While it or its broker is down, the workers check for due work.
"""

import os
from typing import Any

from celery import Celery
from celery.signals import task_prerun, worker_init, worker_ready
from django.conf import settings
from django.db import connections

from config.metrics import meters  # noqa: F401 - what counts waits for a connection
from memory.postgresql import scope

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

app = Celery("throughline")
app.conf.update(
    broker_url=settings.CELERY_BROKER_URL,
    task_ignore_result=True,
    task_acks_late=True,
    worker_prefetch_multiplier=1,
    worker_hijack_root_logger=False,
    broker_connection_retry_on_startup=True,
    broker_connection_max_retries=None,  # however long it is down
    # A broker that accepts nothing (it is full, or only a replica) counts as down too.
    broker_channel_error_retry=True,
    beat_schedule_filename=str(settings.DATA_DIR / "beat-schedule"),
    beat_schedule={
        "sweep": {"task": "memory.tasks.sweep", "schedule": settings.JOB_SWEEP_INTERVAL},
        "clean-up": {"task": "memory.tasks.clean_up", "schedule": settings.CLEANUP_INTERVAL},
    },
)
if settings.CELERY_BROKER_URL.startswith("filesystem://"):
    folders = {name: settings.BROKER_DIR / name for name in ("queue", "processed", "control")}
    for folder in folders.values():
        folder.mkdir(parents=True, exist_ok=True)
    app.conf.broker_transport_options = {
        "data_folder_in": str(folders["queue"]),
        "data_folder_out": str(folders["queue"]),
        "processed_folder": str(folders["processed"]),
        "control_folder": str(folders["control"]),
        "store_processed": False,
    }
app.autodiscover_tasks()


@task_prerun.connect  # type: ignore[untyped-decorator]
def begin_installation(**_: Any) -> None:
    """Let each task see the rows of all people; a job of a person sees that person's."""
    scope.begin_installation(scope.Purpose.JOB)


@worker_init.connect  # type: ignore[untyped-decorator]
def refuse_erased_data(**_: Any) -> None:
    """End the worker if a restored backup holds erased data, as the web server does."""
    from memory.forgetting.erasure.restoring import REFUSAL, forbids_start  # noqa: PLC0415

    begin_installation()
    forbidden = forbids_start()
    connections.close_all()  # its children have their own
    if forbidden:
        raise SystemExit(REFUSAL)


@worker_ready.connect  # type: ignore[untyped-decorator]
def renew(**_: Any) -> None:
    """Enqueue the renewal of embeddings after a change of the embedder, in workers only."""
    if settings.WORKER_CLASSES:
        from citations.ingestion.renewal.reembedding import renew_if_changed  # noqa: PLC0415

        begin_installation()
        renew_if_changed()
        connections.close_all()
