"""Django's shell, for a named operator with a reason."""

from django.core.management.commands import shell

from memory.people.staff.content_commands import ContentCommand


class Command(ContentCommand, shell.Command):
    """Django's command, which shows content."""
