"""Django's dump of rows, for a named operator with a reason."""

from django.core.management.commands import dumpdata

from memory.people.staff.content_commands import ContentCommand


class Command(ContentCommand, dumpdata.Command):
    """Django's command, which shows content."""
