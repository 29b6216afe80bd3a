"""Django's shell, for whoever names themselves and gives a reason."""

from django.core.management.commands import shell

from memory.people.staff.operators import ContentCommand


class Command(ContentCommand, shell.Command):
    """Django's command, which shows what people said."""
