"""The collected static files of this version."""

import hashlib

from django.conf import settings
from django.contrib.staticfiles.finders import get_finders
from django.core.management import call_command


def collect() -> None:
    """Collect the static files if any has changed: compressing them takes seconds."""
    stamp = settings.DATA_DIR / "static.stamp"
    state = _digest_files()
    if stamp.exists() and stamp.read_text() == state:
        return
    call_command("collectstatic", interactive=False, clear=True, verbosity=0)
    stamp.write_text(state)


def _digest_files() -> str:
    """Return a digest that changes when a static file is added, changed or removed."""
    digest = hashlib.sha256(settings.STORAGES["staticfiles"]["BACKEND"].encode())
    for finder in get_finders():
        for path, storage in finder.list([]):
            digest.update(f"{path} {storage.get_modified_time(path)}\n".encode())
    return digest.hexdigest()
