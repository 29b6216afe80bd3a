"""P18: no purpose is served without live consent, whatever is given, withdrawn and worded anew."""

from collections.abc import Callable
from functools import partial
from itertools import count, pairwise
from typing import Any

import pytest
from hypothesis import HealthCheck, settings, strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)

from memory.conversations import attempts
from memory.conversations.asking import Question, ask, create_session, retry
from memory.conversations.attempts import Ending
from memory.conversations.editing import rate_answer
from memory.jobs.queue import run_due
from memory.models import Attempt, Consent, Purpose, Session, Turn, User
from memory.personal_data import consent
from memory.personal_data.consent import TEXTS, ConsentNeeded
from tests.model_server import ModelServer
from tests.servers import Web

pytestmark = pytest.mark.django_db

numbers = count(1)
purposes = st.sampled_from(Purpose)


class Walk(RuleBasedStateMachine):
    """Someone who changes their mind, and everything that may only happen with their consent."""

    steps = 0

    def __init__(self) -> None:
        super().__init__()
        self.person = User(username=f"walker{next(numbers)}")
        self.person.presumes_consent = False
        self.person.save()
        self.texts = dict(TEXTS)
        # The model: the newest decision on each purpose, and how many there were.
        self.newest: dict[Purpose, tuple[bool, int]] = {}
        self.history: list[tuple[Any, ...]] = []
        self.kept: Session | None = None
        self.temporary = create_session(self.person, temporary=True)

    def teardown(self) -> None:
        TEXTS.update(self.texts)
        for purpose in Purpose:
            mine = Consent.objects.filter(owner=self.person, purpose=purpose).order_by("id")
            assert [row.number for row in mine] == list(range(1, len(mine) + 1))

    def allowed(self, purpose: Purpose) -> bool:
        return self.newest.get(purpose) == (True, len(TEXTS[purpose]))

    def attempted(self, purpose: Purpose, act: Callable[[], Any]) -> Any:
        """Do what takes the purpose: it is done if and only if that is allowed."""
        if self.allowed(purpose):
            return act()
        with pytest.raises(ConsentNeeded) as refused:
            act()
        assert refused.value.purpose == purpose
        return None

    # --- Changing one's mind ----------------------------------------------------------------------

    @rule(purpose=purposes, given=st.booleans(), source=st.sampled_from(Consent.Source))
    def decide(self, purpose: Purpose, given: bool, source: Consent.Source) -> None:
        before = self.newest.get(purpose)
        rows = consent.decide(self.person, {purpose: given}, source=source)
        now = (given, len(TEXTS[purpose]))
        assert bool(rows) == (before != now)
        assert consent.allows(self.person.pk, purpose) == given
        self.newest[purpose] = now

    @rule(purpose=purposes)
    def word_anew(self, purpose: Purpose) -> None:
        TEXTS[purpose] = (*TEXTS[purpose], "Something else.")
        assert not consent.allows(self.person.pk, purpose)

    # --- What takes consent -----------------------------------------------------------------------

    @rule()
    def begin_a_conversation(self) -> None:
        begun = self.attempted(Purpose.STORE, lambda: create_session(self.person))
        self.kept = begun or self.kept

    @rule()
    def begin_a_temporary_one(self) -> None:
        self.temporary = create_session(self.person, temporary=True)

    @precondition(lambda self: self.kept and not self.kept.turns.open().exists())
    @rule(ends=st.booleans())
    def ask_on(self, ends: bool) -> None:
        asking = partial(ask, self.kept, Question("Which?"), patience=0)
        asked = self.attempted(Purpose.STORE, asking)
        if asked and ends:
            self._end(asked.attempt)

    @precondition(lambda self: self.kept)
    @rule()
    def let_the_answer_end(self) -> None:
        for attempt in Attempt.objects.filter(turn__session=self.kept, finished_at=None):
            self._end(attempt)

    @rule()
    def ask_where_nothing_is_kept(self) -> None:
        self._end(ask(self.temporary, Question("Which?"), patience=0).attempt)

    @precondition(lambda self: self.kept and not self.kept.turns.open().exists())
    @rule()
    def try_again(self) -> None:
        if ended := self.kept.turns.first():
            self._end(self.attempted(Purpose.STORE, lambda: retry(ended)))

    @rule(rating=st.sampled_from([1, -1]))
    def rate_an_answer(self, rating: int) -> None:
        turn = Turn.objects.filter(owner=self.person).order_by("-id").first()
        if turn and not turn.is_open:
            self.attempted(
                Purpose.IMPROVE, lambda: rate_answer(turn, rating=rating, feedback="So.")
            )

    @rule(purpose=st.sampled_from([Purpose.RECALL, Purpose.SHARE]))
    def recall_or_share(self, purpose: Purpose) -> None:
        self.attempted(purpose, lambda: consent.require(self.person.pk, purpose))

    @rule()
    def let_jobs_run(self) -> None:
        run_due()
        if self.newest.get(Purpose.IMPROVE, (True,))[0] is False:
            rated = Turn.objects.filter(owner=self.person)
            assert all(turn.rating is None and not turn.feedback for turn in rated)

    # --- What is always so ------------------------------------------------------------------------

    @invariant()
    def consent_is_what_was_last_decided_in_the_words_of_now(self) -> None:
        type(self).steps += 1
        for standing in consent.list_standings(self.person):
            assert standing.is_live == self.allowed(standing.purpose)

    @invariant()
    def history_only_grows(self) -> None:
        rows = list(Consent.objects.filter(owner=self.person).order_by("id").values_list())
        assert rows[: len(self.history)] == self.history
        self.history = rows

    @invariant()
    def nothing_goes_on_being_kept_after_it_was_withdrawn(self) -> None:
        if self.newest.get(Purpose.STORE, (True,))[0] is False:
            going_on = Attempt.objects.filter(
                owner=self.person, finished_at=None, turn__session__temporary=False
            )
            assert not going_on.filter(stop_requested=False).exists()

    def _end(self, attempt: Attempt | None) -> None:
        if attempt:
            failed = Ending(status=Turn.Status.FAILED, text="No.", failure="stopped")
            attempts.end_alone(attempt, failed)


def walk(steps: int) -> None:
    Walk.steps = 0
    options = settings(
        max_examples=25,
        stateful_step_count=40,
        derandomize=False,  # each walk is another one
        suppress_health_check=list(HealthCheck),
    )
    while Walk.steps < steps:
        run_state_machine_as_test(Walk, settings=options)


def test_nothing_is_done_without_consent_over_a_thousand_steps() -> None:
    walk(1000)


@pytest.mark.deep
def test_nothing_is_done_without_consent_over_ten_thousand_steps() -> None:
    walk(10_000)


def test_what_the_operator_presumes_is_on_record_as_presumed(db: None, settings: Any) -> None:
    User.objects.create_user("colleague")
    presumed = Consent.objects.filter(owner__username="colleague", source="presumed", given=True)
    assert {row.purpose for row in presumed} == {"store", "improve"}
    settings.CONSENT_PRESUMED = []
    stranger = User.objects.create_user("stranger")
    assert not consent.allows(stranger.pk, Purpose.STORE)
    with pytest.raises(ConsentNeeded):
        create_session(stranger)


# --- A server -------------------------------------------------------------------------------------


def test_an_answer_that_is_being_kept_stops_within_five_seconds_of_the_withdrawal(
    start_web: Callable[..., Web], model_server: ModelServer
) -> None:
    pace = 0.2  # seconds a word
    web = start_web(**model_server.environment)
    said = " ".join(f"word{number}" for number in range(1_200))
    model_server.reply(said, delay=pace)
    with web.client("owner") as api:
        session = api.post("/api/v1/sessions", json={}).json()["session_id"]
        turns = f"/api/v1/sessions/{session}/turns"
        asked = {
            "json": {"query": "What is the Determination Date?"},
            "headers": {"Accept": "text/event-stream"},
        }
        with api.stream("POST", turns, **asked) as stream:
            lines = stream.iter_lines()
            next(line for line in lines if line == "event: delta")
            with web.client("owner") as other:
                withdrawn = {"purpose": "store", "given": False}
                assert other.post("/api/v1/consents", json=withdrawn).status_code == 201
            said = model_server.said
            rest = list(lines)
        # Counted in words of the model: a busy machine holds up both.
        told = [line for before, line in pairwise(rest) if before == "event: delta"]
        assert "".join(told).count("word") <= said + 5 / pace
        assert '"status":"interrupted","failure":{"code":"stopped"' in "\n".join(rest)
        for path, body in ((turns, {"query": "And now?"}), ("/api/v1/sessions", {})):
            refused = api.post(path, json=body)
            assert (refused.status_code, refused.json()["error"]["code"]) == (403, "consent_needed")
        assert api.post("/api/v1/sessions", json={"temporary": True}).status_code == 201
