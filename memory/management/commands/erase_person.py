from argparse import ArgumentParser
from collections.abc import Callable
from typing import Any

from django.core.management.base import CommandError
from django.utils import timezone

from memory.errors import AwaitingApproval
from memory.forgetting.erasure import requests
from memory.forgetting.erasure.execution import Delayed, carry_out
from memory.models import ErasureRequest, User
from memory.people.staff import approvals
from memory.people.staff.operators import RecordedCommand, report_refusals

Scope, Status = ErasureRequest.Scope, ErasureRequest.Status
RIGHT = "memory.delete_user"
DELAYS = {
    "database_busy": "The database is being written to all the time, so it can't be rewritten now.",
    "something_left": "Something of it was still found; it is searched for again later.",
}


class Command(RecordedCommand):
    help = "Erase a person's account with all it holds, at once, and write the certificate."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("username")
        parser.add_argument(
            "--keep-account", action="store_true", help="only conversations and documents"
        )
        parser.add_argument("--yes", action="store_true", help="don't ask")
        parser.add_argument(
            "--now", action="store_true", help="even if a confirmed request can be taken back still"
        )
        parser.add_argument(
            "--operator", default="", help="the admin who asks, if another has to approve it"
        )

    def handle(
        self, *, username: str, keep_account: bool, yes: bool, now: bool, **options: Any
    ) -> None:
        person = User.objects.filter(username=username).first()
        if person is None:
            raise CommandError(f"There is no account {username!r}.")
        if not now:
            _refuse_to_hurry(person)
        if not yes and input("This can't be undone. Type the user name again: ") != username:
            raise CommandError("Nothing was erased.")
        scope = Scope.EVERYTHING if keep_account else Scope.ACCOUNT
        if approvals.is_needed("erase_account"):
            self._ask_for_approval(person, scope, options["operator"])
            return
        request = self._requested(person, scope)
        try:
            carry_out(request, pulse=self._show(request))
        except Delayed as delayed:
            request.refresh_from_db()
            places = [
                f"{store['store']} {', '.join(store.get('files', []))}".strip()
                for store in request.searched
                if store.get("found")
            ]
            where = f" It was in: {', '.join(places)}." if places else ""
            raise CommandError(
                f"{DELAYS[delayed.code]}{where} The worker goes on with it."
            ) from delayed
        self._tell(request)

    def _ask_for_approval(self, person: User, scope: str, operator: str) -> None:
        with report_refusals():
            by = approvals.find_asker(operator, right=RIGHT)
            if requests.get_open_request(person):
                raise requests.AskedAlready
            try:
                approvals.submit(
                    "erase_account", person.pk, by=by, right=RIGHT, scope=scope, at_once=True
                )
            except AwaitingApproval as stored:
                self.stdout.write(stored.message)

    def _requested(self, person: User, scope: str) -> ErasureRequest:
        """Return the person's open request of this scope, or a new one, confirmed by us."""
        request = requests.get_open_request(person) or requests.ask(person, scope, actor=None)
        if request.scope != scope:
            raise CommandError(
                f"There is another request already ({request.get_scope_display()}). Only "
                "the person can take it back, under Your data, Erase; else it is done by itself: "
                "confirmed, when its time is over and no hold is on it, and not confirmed, it "
                "lapses within a day."
            )
        if request.status == Status.UNCONFIRMED:
            requests.confirm(request, actor=None, at_once=True)
        return request

    def _show(self, request: ErasureRequest) -> Callable[[], None]:
        shown = ""

        def pulse() -> None:
            nonlocal shown
            request.refresh_from_db(fields=["status"])
            if request.status != shown:
                shown = request.status
                self.stderr.write(f"{request.get_status_display()} ...")

        return pulse

    def _tell(self, request: ErasureRequest) -> None:
        if request.status == Status.HELD:
            raise CommandError("A legal hold forbids it. It is done when the hold ends.")
        self.stdout.write(request.certificate.document)


def _refuse_to_hurry(person: User) -> None:
    """Leave the person the grace period in which they can cancel a confirmed request."""
    own = requests.get_open_request(person)
    if own and own.status == Status.WAITING and own.due_at and own.due_at > timezone.now():
        raise CommandError(
            f"It is asked for and confirmed, and can be taken back until "
            f"{own.due_at:%Y-%m-%d %H:%M} UTC; then it is done by itself. --now doesn't wait."
        )
