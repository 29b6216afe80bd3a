"""A background job that asks a model for the facts in a message.

The model gets the person's own message, no document and no answer. Its proposals are kept
unconfirmed, if they pass the guard, as statements of that turn, and are deleted with it.
"""

import logging
from contextlib import suppress
from datetime import timedelta

from django.utils import timezone

from chat import llm
from chat.noticing.guard import MOST_PROPOSED, may_tell, read_facts
from chat.prompting.noticing import write_noticing_prompt
from memory.errors import ModelError
from memory.jobs import AuditClass, Lease, WorkClass, enqueue, job, register_kind
from memory.models import Turn
from memory.personal_data.recipients import note_recipients
from memory.recall.facts.clauses import LONGEST
from memory.recall.facts.learning import keep_noticed, when_learned

log = logging.getLogger(__name__)

NOTICE = register_kind("notice_facts", WorkClass.BULK, AuditClass.RECORDED, is_patient=True)
# The answer to the turn itself comes first.
DELAY = timedelta(seconds=15)
ANSWER_TOKENS = 300


@when_learned
def notice_later(turn: Turn) -> None:
    """Enqueue the job for the turn's message, in the transaction that stores it."""
    if llm.is_configured() and may_tell(turn.query):
        enqueue(NOTICE, turn.pk, owner=turn.owner_id, delay=DELAY)


@job(NOTICE)
def notice(lease: Lease) -> None:
    """Keep the facts that a model finds in a message and the guard accepts."""
    live = Turn.objects.filter(owner__is_active=True, session__expires_at__gt=timezone.now())
    rows = live.filter(**lease.lookup).select_related("session", "owner")
    turn = rows.first() if llm.is_configured() else None
    try:
        said = _ask_model(turn, lease) if turn else ""
    except llm.Interrupted as interrupted:
        with lease.finishing():
            enqueue(NOTICE, lease.subject, owner=lease.owner_id, delay=interrupted.pause)
        return
    with lease.finishing():
        found = read_facts(said, turn.query) if turn else []
        if turn and found:
            keep_noticed(turn, found)


def _ask_model(turn: Turn, lease: Lease) -> str:
    """Return the model's answer; empty if it fails."""
    model = llm.choose_model(turn.session.model, turn.owner.tier)
    note_recipients(turn.owner_id, llm.list_servers(model))
    prompt = write_noticing_prompt(turn.query[:LONGEST], most=MOST_PROPOSED)
    with suppress(llm.ContextOverflow):
        try:
            return llm.ask_in_background(prompt, lease, model=model, tokens=ANSWER_TOKENS)
        except ModelError as error:
            log.warning("facts_not_noticed", extra={"reason": error.code})
    return ""
