"""The product's application, whose event loop stands still for good at GET /stand-still."""

import os
import time

from django.conf import settings

from config import asgi, heartbeat
from config.serving.bodies import Message, Receive, Send

heartbeat.STUCK_SECONDS = 3.0


async def application(scope: Message, receive: Receive, send: Send) -> None:
    if scope.get("path") == "/stand-still":
        (settings.DATA_DIR / "stands-still").write_text(str(os.getpid()))
        time.sleep(3600)
    await asgi.application(scope, receive, send)
