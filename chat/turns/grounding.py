"""What an answer is made from: for turns, and for questions that are not stored.

Its text as it comes is chat.turns.composing's.
"""

import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from datetime import date
from functools import partial

from django.conf import settings

from chat import llm, quoting
from chat.contract import Inquiry, declines
from chat.prompting.fixed import fixed_tokens, standing_wishes
from chat.prompting.history import cited_last
from chat.prompting.prompts import Prompt, build
from chat.quoting import QuestionReading, read_passages
from chat.quoting.profiles import Profiled, profiled
from chat.turns.answerability import CERTAIN, NOTHING, SURE, answerability
from chat.turns.drafting import Draft
from chat.turns.finding import as_read, search, unless_alone
from chat.turns.personal.person import NOBODY, Personal, with_earlier
from chat.turns.personal.telling import ToldReply, said_at_once, said_before
from chat.turns.replies import reply_to
from citations.attribution.citing import Citing, Offer
from citations.library import StillReading, unread_in_scope
from citations.models import Passage
from citations.retrieval import Found, Scope, brought_by, worth_offering
from citations.session_focus.bias import Leaning
from memory.models import Turn
from memory.models.conversations import AnswerLength, Rewriting
from memory.personal_data.recipients import note_recipients
from memory.recall import Past, Recalled, recall
from memory.recall.budget import Limits, divide, longest_history
from memory.recall.facts.extraction import without_wishes
from memory.recall.rewriting import (
    ABOUT_CONVERSATION,
    Rewrite,
)
from memory.recall.talk.refusals import is_refusal
from memory.text.embedding import server_asked

Outcome = Turn.Outcome
# When the server says that the prompt overflows, it is built once more in this share of the window.
SHRUNK = 0.7


@dataclass
class Timings:
    """Milliseconds of each step."""

    steps: dict[str, float] = field(default_factory=dict)
    # By `time.perf_counter()`: the whole, and each step.
    begun: float = field(default_factory=time.perf_counter)
    begins: dict[str, float] = field(default_factory=dict)

    def once(self, name: str) -> None:
        """Note how long it took from the beginning to the first call."""
        self.steps.setdefault(name, round((time.perf_counter() - self.begun) * 1000, 3))

    @contextmanager
    def step(self, name: str) -> Iterator[None]:
        begun = self.begins[name] = time.perf_counter()
        try:
            yield
        finally:
            self.steps[name] = round((time.perf_counter() - begun) * 1000, 3)


@dataclass(frozen=True)
class Ground:
    """All that an answer is made from."""

    query: str
    recalled: Recalled
    found: Sequence[Found]
    prompt: Prompt
    draft: Draft
    timings: Timings
    reading: QuestionReading
    # How likely the library holds an answer, from 0 to 1; None if it was not asked.
    answerability: float | None
    # What is said without a search.
    reply: str
    # What is known of the person, and what is said at once from that.
    personal: Personal
    told: ToldReply | None
    # What the profile of a document says that is asked about as a whole.
    profile: Profiled | None
    # Documents that an answer could stand in, and that are still being read.
    unread: Sequence[StillReading]

    @property
    def citing(self) -> Citing:
        """The citing of the text as it is now: that of a text that began anew is another."""
        return self.draft.citing

    @property
    def model(self) -> str:
        """Who answers."""
        if not self.is_models:
            return quoting.MODEL
        return self.draft.model or llm.named_model(self.draft.asks).model

    @property
    def is_models(self) -> bool:
        """Whether the text is a language model's."""
        return self.asks_model and not self.draft.is_built_in

    @property
    def asks_model(self) -> bool:
        """Whether a language model is asked: not if there is nothing to answer from."""
        is_about_it = self.recalled.rewrite.reason == ABOUT_CONVERSATION
        return llm.is_configured() and not self.reply and (is_about_it or self.holds_something)

    @property
    def holds_something(self) -> bool:
        return self.answerability is not None and self.answerability >= NOTHING

    @property
    def outcome(self) -> str:
        """What the answer is, once it has been given."""
        reason = self.recalled.rewrite.reason
        if self.draft.problem and not self.reply:
            return self.draft.problem
        if self.told:
            return self.told.outcome
        if self.reply or reason == ABOUT_CONVERSATION:
            return reason
        if self._says_nothing or not self.holds_something:
            return Outcome.NOT_READ_YET if self.unread else Outcome.NOTHING_FOUND
        if self._is_answered:
            return Outcome.ANSWERED
        return Outcome.NOT_READ_YET if self.unread else Outcome.UNSURE

    @property
    def _is_answered(self) -> bool:
        """Whether the text can be told as an answer: a model's only if a passage bears it out."""
        is_sure = self.answerability is not None and self.answerability >= SURE
        if not self.is_models or (is_sure and not self.citing.judged):
            return is_sure
        return self.citing.is_borne_out(partly=is_sure)

    @property
    def _says_nothing(self) -> bool:
        """Whether the text says that there is nothing, in our words or in a model's."""
        said = self.citing.text
        return is_refusal(said) or (self.is_models and declines(said))

    @property
    def may_step_in(self) -> bool:
        """Whether the built-in answerer answers if the language model doesn't."""
        return settings.FALLBACK == quoting.MODEL and self.holds_something


def check_length(question: str, window: int, model: str = "") -> None:
    """Raise QuestionTooLong for a question that leaves no room for an answer in the window."""
    limits = llm.prompt_limits(window, model=model)
    system, asked = fixed_tokens(limits.window, question)
    divide(limits, system=system, question=asked, history=0, passages=0)


def ground_for(
    query: str,
    past: Past,
    *,
    limits: Limits,
    scope: Scope,
    begin: Callable[[Sequence[Offer]], Citing],
    today: date,
    standalone: Rewrite | None = None,
    leaning: Callable[..., Leaning] | None = None,
    model: str = "",
    length: str = AnswerLength.NORMAL,
    personal: Personal = NOBODY,
) -> Ground:
    """Do what comes before an answer: recall, find, read, build; `begin` starts its citing.

    `today` is the day of the question where the person is. A `standalone` question takes the place
    of the one that would be made. `leaning` tells how the session leans, once it is known whether
    the topic is a new one.
    """
    note_recipients(scope.owner, [*llm.servers_asked(model), *server_asked()])
    timings = Timings()
    question = without_wishes(query)
    with timings.step("recall"):
        wishes = standing_wishes(limits, query, personal.wishes)
        recalled = _recall(question, past, limits, wishes, standalone, today)
        personal = with_earlier(personal, recalled)
        told = said_at_once(query, personal, recalled, past)
        reply = told.text if told else reply_to(recalled.question, recalled.rewrite.reason, past)
    with timings.step("find"):
        recalled = unless_alone(recalled, question, scope)
        before = brought_by(question, recalled, past)
        found: list[Found] = []
        if not reply:
            anew = recalled.new_topic or recalled.is_resumed or recalled.is_given
            lean = leaning(new_topic=anew) if leaning else Leaning()
            recalled, found = search(
                question, recalled, past, before, scope, lean, window=limits.window, model=model
            )
        profile = profiled(recalled.asked.text, found, scope)
        found = _with_first(profile.passage, found) if profile else found
    with timings.step("read"):
        reading = read_passages(
            as_read(recalled.asked, recalled.typed), found, typed=recalled.typed
        )
        likely = CERTAIN if profile else None
        if not profile and not reply:
            likely = answerability(reading, found, scope, follows=before is not None)
        in_doubt = likely is None or likely < SURE
        unread = unread_in_scope(scope) if likely is not None and in_doubt else []
        if likely is not None and likely < NOTHING and personal.earlier.answers:
            told = said_before(personal)
            reply = told.text
    with timings.step("build"):
        prompt = build(
            query,
            recalled,
            worth_offering(found, compares=reading.compares),
            limits,
            today=today,
            length=personal.length(length),
            wishes=wishes,
            aside=personal.aside(limits.window),
            language=personal.language,
            in_doubt=in_doubt,
            cited=cited_last(recalled) if llm.is_configured() else None,
        )
        before_it = [exchange.query for exchange in recalled.exchanges]
        begins = partial(begin, prompt.offers)
        draft = Draft(
            Inquiry(query, before_it, prompt.offers), prompt, limits.usable, begins, begins(), model
        )
    return Ground(
        query=query,
        recalled=recalled,
        found=found,
        prompt=prompt,
        draft=draft,
        timings=timings,
        reading=reading,
        answerability=likely,
        unread=unread,
        reply=reply,
        personal=personal,
        told=told,
        profile=profile,
    )


def _recall(
    query: str,
    past: Past,
    limits: Limits,
    wishes: Sequence[str],
    standalone: Rewrite | None,
    today: date,
) -> Recalled:
    system, question = fixed_tokens(limits.window, query, wishes)
    return recall(
        past,
        query,
        limits=limits,
        allowance=longest_history(limits, system=system, question=question),
        standalone=standalone,
        today=today,
    )


def as_asked_for(turn: Turn) -> Rewrite | None:
    """Return the standalone question that came with the turn's own, if one did."""
    if turn.rewriting == Rewriting.AUTOMATIC or turn.standalone_query is None:
        return None
    return Rewrite(turn.standalone_query, turn.rewriting)


def _with_first(passage: Passage, found: Sequence[Found]) -> list[Found]:
    """Return what was found with this passage in the first place."""
    same = next((each for each in found if each.passage == passage), found[0])
    others = [each for each in found if each.passage != passage]
    return [replace(same, passage=passage, is_required=True), *others]
