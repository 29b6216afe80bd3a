import gc
import os

# Multiplications of matrices here are short. Otherwise OpenBLAS keeps a thread for every processor,
# which spin while idle, on the processors that answers need.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

# Objects of the imports stay alive, and scanning them takes a tenth of the start: collection is off
# until the apps are ready (chat.apps).
gc.disable()

from config.celery import app as celery_app  # noqa: E402

__all__ = ["celery_app"]
