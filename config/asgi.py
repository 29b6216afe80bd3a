"""The ASGI application: Django, with bodies limited before it and streams kept beside it."""

import asyncio
import gc
import os

import django
from django.conf import settings

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
django.setup(set_prefix=False)

# The models that these imports need are loaded only now.
from chat import llm  # noqa: E402
from chat.database_threads import run_in_thread  # noqa: E402
from chat.streams.answering import keep_taking_up, stop_answers  # noqa: E402
from chat.streams.kept_open import App, Following, Receive, Scope as Message, Send  # noqa: E402
from citations.attribution.checking import check_claims  # noqa: E402
from config.heartbeat import Heartbeat  # noqa: E402
from config.serving.bodies import limit_body  # noqa: E402
from config.serving.counting import count_responses  # noqa: E402
from config.serving.handler import ThreadedHandler  # noqa: E402
from config.serving.question_limit import limit_questions  # noqa: E402
from memory.audit.configuration import record_settings  # noqa: E402
from memory.forgetting.erasure.restoring import REFUSAL, forbids_start  # noqa: E402
from memory.postgresql import scope as row_scope  # noqa: E402
from memory.text.embedding import get_embedder  # noqa: E402
from memory.text.token_counting import count_tokens  # noqa: E402


def handle_lifespan(app: App) -> App:
    """Preload the models at start; interrupt open answers at shutdown."""

    async def lived(scope: Message, receive: Receive, send: Send) -> None:
        if scope["type"] != "lifespan":
            await app(scope, receive, send)
            return
        await receive()
        row_scope.begin_installation(row_scope.Purpose.UPKEEP)
        if await run_in_thread(forbids_start):
            await send({"type": "lifespan.startup.failed", "message": REFUSAL})
            return
        await run_in_thread(record_settings)
        count_tokens("")
        if llm.is_configured():
            llm.load_endpoint().warm()
            check_claims(["What a model says is checked."], ["It is checked."])
        engine = None if settings.EMBEDDING_BASE_URL else get_embedder()
        if engine is not None:
            engine.embed(["warm"])
        # Weights and tables stay, too: scanning them for garbage would stop everything for .1 s.
        gc.freeze()
        heartbeat = Heartbeat()
        await heartbeat.start()
        taking_up = asyncio.create_task(keep_taking_up())
        await send({"type": "lifespan.startup.complete"})
        await receive()
        taking_up.cancel()
        await stop_answers()
        await heartbeat.stop()
        await send({"type": "lifespan.shutdown.complete"})

    return lived


application = handle_lifespan(
    count_responses(limit_body(Following(limit_questions(ThreadedHandler()))))
)
