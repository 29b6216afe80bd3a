"""Asking: a language model rewrites the question while the built-in rewrite is searched by."""

import time
from concurrent.futures import Future, TimeoutError as Late
from dataclasses import dataclass, field
from functools import partial
from threading import BoundedSemaphore, Thread

from django.conf import settings
from django.db import connections

from chat import llm
from memory.errors import ModelError
from memory.recall import Past, Recalled
from memory.recall.rewriting import Rewrite, asked, may_be_asked
from memory.recall.understanding import list_known

# So many rewrites are waited for at a time, by all answers of this process; others go without.
_may_ask = BoundedSemaphore(8)


@dataclass(frozen=True)
class ModelRewrite:
    """A rewrite that is on its way, and until when it is waited for."""

    until: float
    answer: Future[Rewrite | None] = field(default_factory=Future)

    def result(self) -> Rewrite | None:
        """Return what came of it, if it came in time."""
        try:
            return self.answer.result(timeout=max(0.0, self.until - time.monotonic()))
        except Late:
            return None


def begin_asking(recalled: Recalled, past: Past, model: str) -> ModelRewrite | None:
    """Ask a model beside what goes on, if there is one, the question may need it, and few ask."""
    if not (llm.is_configured() and may_be_asked(recalled.rewrite, recalled.exchanges)):
        return None
    known = list_known(past)
    if not _may_ask.acquire(blocking=False):
        return None
    rewrite = ModelRewrite(time.monotonic() + settings.LLM_REWRITE_TIMEOUT)
    # A server that is late is let go, since it may answer one at a time.
    in_time = partial(llm.ask, model=model, seconds=settings.LLM_REWRITE_TIMEOUT)

    def ask() -> None:
        try:
            told = asked(recalled.question, recalled.exchanges, known, in_time)
            rewrite.answer.set_result(told)
        except ModelError:
            rewrite.answer.set_result(None)
        except Exception as error:  # noqa: BLE001 - whoever waits must hear of it
            rewrite.answer.set_exception(error)
        finally:
            connections.close_all()  # its own, which it may have read the model's profile by
            _may_ask.release()

    # Nobody waits for its end, not even the process.
    Thread(target=ask, name="rewriting", daemon=True).start()
    return rewrite
