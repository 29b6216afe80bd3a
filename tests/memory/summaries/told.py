"""A conversation as rows: told turn by turn, without anyone having answered."""

from collections.abc import Sequence

from memory.conversations.asking import create_session
from memory.jobs.queue import run
from memory.models import Job, Session, Summary, Turn, User
from memory.recall.summaries.making import CONDENSE, condense_later
from memory.text.token_counting import count_tokens

QUESTION = "What does clause {at} of the Fernhill agreement say about the deposit?"
ANSWER = (
    "Clause {at} sets the deposit at {at}50 euros. [1] It is due on {at} March 2024. [2] "
    "Nobody objected to any of this at the meeting. The tenant pays it to Harbour Bank."
)


def told(owner: User, turns: int, *, said: Sequence[tuple[str, str]] = ()) -> Session:
    """Return a session with so many turns; what isn't said is of clauses and deposits."""
    session = create_session(owner)
    go_on(session, turns, said=said)
    return session


def go_on(session: Session, turns: int, *, said: Sequence[tuple[str, str]] = ()) -> None:
    """Tell so many turns more."""
    first, rows = session.last_position + 1, []
    for at in range(first, first + turns):
        plain = (QUESTION.format(at=at), ANSWER.format(at=at))
        query, response = said[at - first] if at - first < len(said) else plain
        rows.append(
            Turn(
                session=session,
                owner_id=session.owner_id,
                position=at,
                status=Turn.Status.COMPLETE,
                outcome=Turn.Outcome.ANSWERED,
                query=query,
                query_tokens=count_tokens(query),
                response=response,
                response_tokens=count_tokens(response),
                recalled_tokens=count_tokens(response),
                topic=1,
            )
        )
    Turn.objects.bulk_create(rows)
    session.last_position += turns
    session.turn_count += turns
    session.context_tokens += sum(row.tokens for row in rows)
    session.save()


def condensed(session: Session) -> list[Summary]:
    """Let the job do its work; return what there is."""
    condense_later(session.pk)
    work()
    return list(session.summaries.order_by("first_position", "last_position"))


def work() -> None:
    """Do the jobs that make summaries, and no others: embedding takes its time."""
    for pk in Job.objects.due().filter(kind=CONDENSE).values_list("pk", flat=True):
        run(pk)
