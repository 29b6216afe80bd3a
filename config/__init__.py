import gc
import os

# The product of two matrices is soon made. Beside it OpenBLAS keeps a thread for every processor,
# and they wait for the next one by spinning, on the processors that answers want.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

# Objects of the imports stay alive, and scanning them takes a tenth of the start: collection is off
# until the apps are ready (chat.apps).
gc.disable()

from config.celery import app as celery_app  # noqa: E402

__all__ = ["celery_app"]
