"""The database's shell, for a named operator with a reason."""

from django.core.management.commands import dbshell

from memory.people.staff.content_commands import ContentCommand


class Command(ContentCommand, dbshell.Command):
    """Django's command, which shows content."""
