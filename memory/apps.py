from django.apps import AppConfig
from django.core.signals import request_finished


class MemoryConfig(AppConfig):
    """People, sessions and turns, their memories, and their deletion."""

    name = "memory"

    def ready(self) -> None:
        from memory import (  # noqa: PLC0415
            checks,  # noqa: F401 - its modules register themselves
            jobs,
        )
        from memory.audit import append_only, circumstances, recording  # noqa: PLC0415
        from memory.forgetting import deletion  # noqa: F401, PLC0415 - registers its ways
        from memory.forgetting.erasure import (  # noqa: PLC0415
            execution,  # noqa: F401 - registers its job
            ratings,  # noqa: F401 - registers its job
        )
        from memory.people import account_events  # noqa: PLC0415
        from memory.people.staff import rights  # noqa: PLC0415
        from memory.personal_data import consent  # noqa: PLC0415
        from memory.recall.facts import ending  # noqa: F401, PLC0415 - registers its job
        from memory.recall.index import indexing  # noqa: F401, PLC0415 - register jobs
        from memory.recall.summaries import making  # noqa: F401, PLC0415 - registers its job

        account_events.listen()
        append_only.listen()
        consent.listen()
        rights.listen()
        request_finished.connect(circumstances.end, dispatch_uid="audit:request")
        jobs.finished.connect(recording.record_job, dispatch_uid="audit:job")
