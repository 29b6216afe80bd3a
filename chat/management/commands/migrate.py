"""Update an installation: `migrate` alone does all that a new version needs."""

from functools import partial
from typing import Any

from django.core.management import call_command
from django.core.management.base import CommandParser
from django.core.management.commands import migrate
from django.db import connections

from chat.installation import static_files
from chat.installation.locks import migrate_patiently
from chat.installation.reasons import explain_errors, probe, refuse_if_changed
from chat.llm import profiles
from memory.people.staff.roles import ensure_roles
from memory.personal_data import row_security
from memory.postgresql.roles import connect_owner


class Command(migrate.Command):
    help = "Update the schema of both databases, or of one, and what else a new version needs."

    def add_arguments(self, parser: CommandParser) -> None:
        super().add_arguments(parser)
        parser.set_defaults(database=None)

    def get_check_kwargs(self, options: dict[str, Any]) -> Any:
        return super().get_check_kwargs(options) | {"databases": _list_databases(options)}

    def execute(self, *args: Any, **options: Any) -> str | None:
        with connect_owner(*_list_databases(options)):
            return self._execute(*args, **options)

    def _execute(self, *args: Any, **options: Any) -> str | None:
        for alias in _list_databases(options):
            with explain_errors(alias):  # before the checks, which query databases too
                probe(alias)
        return super().execute(*args, **options)

    def handle(self, *args: Any, **options: Any) -> None:
        for alias in _list_databases(options):
            with explain_errors(alias):
                refuse_if_changed(alias)
        for alias in _list_databases(options):
            migrate_one = partial(super().handle, **options | {"database": alias})
            with explain_errors(alias):
                migrate_patiently(alias, migrate_one, say=self.stdout.write)
        parts = "app_label plan check_unapplied prune fake fake_initial".split()
        if any(options.get(part) for part in parts):  # not migrated to the newest state
            return
        if not options["database"]:
            self._update()
        for alias in _list_databases(options):
            secure = partial(row_security.install, alias)
            with explain_errors(alias):
                migrate_patiently(alias, secure, say=self.stdout.write)

    def _update(self) -> None:
        """Do a version's updates beside its schema; quick if nothing has changed."""
        with explain_errors():
            call_command("createcachetable", verbosity=0)
            ensure_roles()
            profiles.ensure()
            static_files.collect()


def _list_databases(options: dict[str, Any]) -> list[str]:
    return [options["database"]] if options["database"] else list(connections)
