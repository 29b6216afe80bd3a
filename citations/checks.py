"""Checks of this app's settings (numbered behind those of memory.checks)."""

import shutil
from typing import Any

from django.conf import settings
from django.core.checks import CheckMessage, Error, Tags, Warning, register

from citations.formats.process import sandbox


@register
def text_recognition(app_configs: Any, **kwargs: Any) -> list[CheckMessage]:
    """Check for the program that OCR names."""
    if settings.OCR == "none" or shutil.which(settings.OCR):
        return []
    hint = "Install it with its language data, or set OCR=none: scanned pages stay unread."
    return [Error(f"There is no program {settings.OCR}.", hint, id="throughline.E015")]


@register(Tags.security, deploy=True)
def reading_is_confined(app_configs: Any, **kwargs: Any) -> list[CheckMessage]:
    """Check whether the kernel keeps a parser from this user's files."""
    if sandbox.get_landlock_version():
        return []
    hint = "Run a kernel with Landlock (Linux 5.13), or the workers as a user with no other files."
    what = "A file made to take over its parser could read what this user may."
    return [Warning(what, hint, id="throughline.W014")]
