"""Reading mail."""

import re
from urllib.parse import urlsplit

from django.core.mail import EmailMessage


def link_in(message: EmailMessage) -> str:
    """Return the path of the one link in the message."""
    [url] = re.findall(r"https?://\S+", str(message.body))
    return urlsplit(url).path
