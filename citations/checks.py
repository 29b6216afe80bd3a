"""Checks of this app's settings (numbered behind those of memory.checks)."""

import shutil
from typing import Any

from django.conf import settings
from django.core.checks import CheckMessage, Error, register


@register
def text_recognition(app_configs: Any, **kwargs: Any) -> list[CheckMessage]:
    """Look for the program that OCR names."""
    if settings.OCR == "none" or shutil.which(settings.OCR):
        return []
    hint = "Install it with its language data, or set OCR=none: scanned pages stay unread."
    return [Error(f"There is no program {settings.OCR}.", hint, id="throughline.E015")]
