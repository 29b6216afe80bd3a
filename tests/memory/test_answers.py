"""The end of an answer and the session's clock: by what rules when it ends, not when it began."""

from collections.abc import Callable
from datetime import timedelta

import pytest

from chat.turns.pipeline import answer_now, take_turn
from memory.conversations.asking import Question, create_session
from memory.forgetting.retention.lifetimes import limit_all_lifetimes, limit_lifetime
from memory.forgetting.retention.previews import preview, proposed
from memory.forgetting.retention.runs import run
from memory.jobs.queue import run_due
from memory.models import RetentionPolicy, Session, User

pytestmark = pytest.mark.django_db

HOUR, DAY = 3600, 86_400


@pytest.fixture
def researcher(owner: User) -> User:
    """Someone whose conversations are kept for 30 days."""
    User.objects.filter(pk=owner.pk).update(tier="research")
    owner.refresh_from_db()
    return owner


def shorten_policy(session: Session, admin: User) -> None:
    confirm(preview(proposed("research", lifetime=HOUR), author=admin).run.pk, admin)


def change_tier(session: Session, admin: User) -> None:
    policy = RetentionPolicy.objects.ruling("default")
    confirm(preview(policy, person=session.owner, author=admin).run.pk, admin)


def confirm(run_id: object, admin: User) -> None:
    run(run_id, actor=admin)
    run_due()


CHANGES: dict[str, tuple[Callable[[Session, User], object], int]] = {
    "policy": (shorten_policy, HOUR),
    "tier": (change_tier, DAY),
    "own time": (lambda session, admin: limit_lifetime(session, 2 * HOUR), 2 * HOUR),
    "person's time": (
        lambda session, admin: limit_all_lifetimes(session.owner, 3 * HOUR),
        3 * HOUR,
    ),
}


@pytest.mark.parametrize("what", CHANGES)
def test_what_shortens_it_while_it_is_answered_counts(
    researcher: User, colleague: User, what: str
) -> None:
    change, lifetime = CHANGES[what]
    session = create_session(researcher)
    attempt = take_turn(session, Question("Why is the sky blue?")).attempt
    assert attempt
    assert attempt.turn.session.policy.lifetime == 30 * DAY
    change(Session.objects.select_related("owner").get(pk=session.pk), colleague)
    answer_now(attempt)
    session.refresh_from_db()
    assert session.expires_at - session.last_activity == timedelta(seconds=lifetime)
