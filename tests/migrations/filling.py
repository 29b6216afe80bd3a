"""A small, filled installation at the present schema: `python -m tests.migrations.filling 0.1.0`.

It is made once, when a version is released, on both engines, and committed: from then on the tests
update it. At least one row of every model of ours is in it, made as the product makes it.
"""

import subprocess
import sys
import tempfile
from datetime import timedelta

from tests.migrations.releases import SECRETS
from tests.surroundings import PYTHON, ROOT, UNLIMITED, clean_environment

# No row may expire before it is updated some years from now.
FOREVER = 60 * 365 * 86_400
SHARED = """The Determination Date is the fifteenth day of each month. If it falls on a weekend, the
Determination Date is the Business Day before it.

A Business Day is a day on which banks are open. The fee for late payment is 300 guilders."""


def main(version: str) -> None:
    """Fill and pack an installation on each engine."""
    one = [PYTHON, "-m", "tests.migrations.filling", version, "--here"]
    for command in (one, [PYTHON, "-m", "tests.postgres", "--hasty", *one]):
        with tempfile.TemporaryDirectory() as folder:
            environment = clean_environment(DATA_DIR=folder, **SECRETS, **UNLIMITED)
            subprocess.run(command, cwd=ROOT, env=environment, check=True)


def fill() -> None:
    """Let the databases of this process hold everything that there can be."""
    from memory.models import Tier, User
    from tests.isolation.belongings import belongings_of
    from tests.people import person

    boss = person("boss", is_staff=True, is_superuser=True)
    _policies(boss)
    _library()
    people = {tier: person(tier, tier=tier) for tier in Tier.values}
    owner, suspended = person("owner", tier=Tier.RESEARCH), person("suspended")
    User.objects.filter(pk=suspended.pk).update(is_active=False)
    _at_work(people[Tier.ENTERPRISE])
    _conversations(people[Tier.DEFAULT])
    _clerk()
    belongings_of(owner)
    _recalling(people[Tier.ENTERPRISE])
    _erased()
    _held(people[Tier.RESEARCH], boss)
    _what_remains(people[Tier.DEFAULT])


def _policies(boss: object) -> None:
    from memory.forgetting.retention import runs
    from memory.forgetting.retention.previews import preview, proposed
    from memory.jobs import run_due
    from memory.models import Tier

    for tier in Tier.values:
        proposed(tier, lifetime=FOREVER).save()
    confirmed = preview(proposed(Tier.RESEARCH, max_turns=4000), author=boss).run
    runs.run(confirmed.pk, actor=boss)
    run_due()
    preview(proposed(Tier.DEFAULT, lifetime=3600), author=boss)


def _library() -> None:
    from citations.ingestion.adding import add_document
    from citations.ingestion.renewal.reembedding import renew_if_changed
    from memory.jobs import run_due

    add_document(SHARED.encode(), file_name="agreement.txt", title="Agreement", authors=["A. Law"])
    run_due()
    renew_if_changed()


def _at_work(person: object) -> None:
    """Give the person documents, rated conversations, and everything of an account."""
    from memory.models import Consent, Purpose
    from memory.personal_data import consent
    from tests.promises.canaries import Canaries

    Canaries().planted(person, sessions=1, documents=1)
    for given in (True, False):
        consent.decide(person, {Purpose.SHARE: given}, source=Consent.Source.PAGE)


def _conversations(person: object) -> None:
    """Let the person ask a follow-up, of chosen documents, and delete a conversation."""
    from django.db import transaction

    from citations.models import Document, DocumentStanding
    from citations.session_focus import document_scope
    from memory.conversations.asking import create_session
    from memory.forgetting.deletion import erase_session
    from memory.jobs import run_due
    from tests.promises.canaries import asked

    shared = Document.objects.shared().get()
    session = create_session(person, title="Dates", metadata={"case": 7})
    asked(session, "What is the Determination Date?")
    turn = asked(session, "And what happens if it falls on a weekend?")
    for number in range(20):  # more than a window has room for
        asked(session, f"What is the fee for late payment number {number}?")
    run_due()
    with transaction.atomic():
        document_scope.scope_session(session, [shared.pk])
        document_scope.scope_turn(turn, [shared.pk])
    DocumentStanding.objects.create(
        session=session, owner=person, document=shared, standing="boosted"
    )
    erase_session(create_session(person, title="Mistaken"), actor=person)


def _recalling(person: object) -> None:
    """Let answers draw on what the person said of themselves, and on another conversation."""
    from memory.conversations.asking import create_session
    from memory.jobs import run_due
    from memory.models import Consent, Purpose
    from memory.personal_data import consent
    from tests.promises.canaries import asked

    consent.decide(person, {Purpose.RECALL: True}, source=Consent.Source.PAGE)
    first = create_session(person)
    asked(first, "I live in Konstanz")
    asked(first, "What is the Determination Date?")
    run_due()
    asked(create_session(person), "Where do I live?")
    asked(create_session(person), "What did we discuss earlier about the Determination Date?")


def _clerk() -> None:
    from django.contrib.auth.models import Group

    from memory.people.staff.roles import ensure_roles
    from tests.people import person

    ensure_roles()
    person("clerk", is_staff=True).groups.set(Group.objects.all())


def _erased() -> None:
    """Let somebody have been here: what is left of an account whose erasure is proved."""
    from memory.forgetting.erasure import requests
    from memory.jobs import run_due
    from memory.models import Certificate, ErasureRequest
    from tests.people import person
    from tests.promises.canaries import Canaries

    gone = person("gone")
    Canaries().planted(gone, sessions=1, documents=1)
    request = requests.ask(gone, ErasureRequest.Scope.ACCOUNT, actor=gone.pk)
    requests.confirm(request, actor=gone.pk, at_once=True)
    run_due()
    assert Certificate.objects.filter(request=request).exists()


def _held(person: object, boss: object) -> None:
    """Put a hold on a person who wants to be erased, and to delete a conversation."""
    from memory import holds
    from memory.conversations.asking import create_session
    from memory.errors import Held
    from memory.forgetting.erasure import requests
    from memory.forgetting.deletion import erase_session
    from memory.models import ErasureRequest, PendingAct, PurgeFailure
    from memory.people.staff import emergencies

    session = create_session(person, title="Evidence")
    emergencies.open_conversations(person, operator=boss, reason="They don't answer.")
    asked = PendingAct(act="erase_account", right="memory.delete_user", target_id=person.pk)
    asked.requested_by_id, asked.parameters = boss.pk, {"scope": "account", "at_once": False}
    asked.save(force_insert=True)
    holds.place(person, reason="A case", author=boss)
    try:
        erase_session(session, actor=person)
    except Held:
        request = requests.ask(person, ErasureRequest.Scope.EVERYTHING, actor=person.pk)
        requests.confirm(request, actor=person.pk)
    later = session.expires_at - timedelta(days=1)
    PurgeFailure.objects.create(session_id=session.pk, error="Error", retry_at=later)


def _what_remains(person: object) -> None:
    """Store what only a model, a server, an operator or a limit would have made."""
    from chat.models import ModelProfile
    from memory.conversations import liveness
    from memory.models import OperatorAct
    from memory.people import rate_limits
    from memory.people.staff import operators
    from memory.personal_data.recipients import note_recipients

    liveness.begin()
    operators.note(person, OperatorAct.What.LINK, reason="They asked for it.")
    note_recipients(person.pk, ["https://models.example.org/v1"])
    rate_limits.take_turn(person)
    ModelProfile.objects.create(
        fingerprint="f" * 64, name="Large", model="large", server="models.example.org", window=8192
    )


def assert_complete() -> None:
    """Fail, naming them, if there are models of ours without a row."""
    from django.apps import apps

    models = [model for label in ("memory", "citations", "chat") for model in apps.get_app_config(label).get_models()]
    empty = [model._meta.label for model in models if not model._base_manager.exists()]
    assert not empty, empty


def here(version: str) -> None:
    """Fill the databases of this process's environment, and pack them."""
    import django

    django.setup()
    from django.core.management import call_command

    from tests.migrations.releases import pack

    call_command("migrate", verbosity=0)
    fill()
    assert_complete()
    pack(version)


if __name__ == "__main__":
    (here if "--here" in sys.argv else main)(sys.argv[1])
