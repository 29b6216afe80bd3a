"""The steps before an answer, each with what it leaves to the next: understood, looked up, judged,
drafted.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial

from chat.contract import Inquiry
from chat.prompting.fixed import fixed_tokens, standing_wishes
from chat.prompting.prompts import Matter, build
from chat.quoting import QuestionReading, read_passages
from chat.quoting.profiles import profiled
from chat.quoting.provisions import provision
from chat.turns.drafting import Draft
from chat.turns.grounding.answerability import (
    CERTAIN,
    CLOSE,
    IN_DOUBT,
    NOTHING,
    SURE,
    answerability,
)
from chat.turns.grounding.cited import cited_before, of_cited
from chat.turns.grounding.finding import as_read, search, unless_alone
from chat.turns.grounding.going_on import with_what_goes_on
from chat.turns.grounding.ground import AnswerRequest, ReadyAnswer
from chat.turns.grounding.named import (
    fitting_names,
    with_documents_named,
    with_passages_naming,
)
from chat.turns.grounding.spelling import in_its_spelling
from chat.turns.grounding.tables import (
    TablesFound,
    about_a_column,
    over_a_table,
    rows_that_lack_it,
    wants_more_of_a_sheet,
    with_extreme,
)
from chat.turns.personal.person import Personal, resolved_elsewhere, with_earlier
from chat.turns.personal.telling import ToldReply, said_at_once, said_before
from chat.turns.replies import reply_to
from chat.turns.replies.plain import PlainReply
from citations.library import StillReading, unread_in_scope
from citations.models import Passage
from citations.retrieval import Before, Found, Scope, brought_by, find_passages, worth_offering
from citations.session_focus.bias import Leaning
from memory.recall import Recalled, recall
from memory.recall.budget import longest_history
from memory.recall.facts.extraction import sought_in
from memory.recall.rewriting import (
    ASKED_FURTHER,
    MORE_OF_THE_SAME,
    OF_THE_ANSWER,
    REFERENCE_RESOLVED,
    TOPIC_CARRIED,
    Rewrite,
)
from memory.recall.rewriting.about import apart

# What a rule made of a question that leans on what was said before.
BY_RULE = frozenset(
    (REFERENCE_RESOLVED, ASKED_FURTHER, MORE_OF_THE_SAME, OF_THE_ANSWER, "list_item")
)
# So many questions before say which document is meant.
MOST_BEFORE = 3


@dataclass(frozen=True)
class UnderstoodQuestion:
    """What a question means, and what is said to it at once."""

    # Without what it says of answers.
    question: str
    recalled: Recalled
    wishes: Sequence[str]
    personal: Personal
    told: ToldReply | None
    recounted: PlainReply

    @property
    def reply(self) -> str:
        return self.told.text if self.told else self.recounted.text


def understood(request: AnswerRequest) -> UnderstoodQuestion:
    """Recall what was said, and make the question stand alone."""
    query, past, limits = request.query, request.past, request.limits
    question = sought_in(query)
    wishes = standing_wishes(limits, query, request.personal.wishes)
    system, asked = fixed_tokens(limits.window, question, wishes)
    recalled = recall(
        past,
        question,
        limits=limits,
        allowance=longest_history(limits, system=system, question=asked),
        standalone=request.standalone,
    )
    personal = with_earlier(request.personal, recalled)
    recalled = resolved_elsewhere(recalled, personal, past)
    told = said_at_once(query, personal, recalled, past)
    if told and request.standalone is None:  # nothing is searched for
        nothing_sought = Rewrite(question, str(told.outcome))
        recalled = replace(recalled, rewrite=nothing_sought, asked=recalled.typed)
    reason = recalled.rewrite.reason
    recounted = PlainReply() if told else reply_to(recalled.question, reason, past)
    return UnderstoodQuestion(question, recalled, wishes, personal, told, recounted)


@dataclass(frozen=True)
class LookedUp:
    """What was found for a question, and the rewrite that it was found by."""

    recalled: Recalled
    before: Before | None
    found: Sequence[Found] = ()
    ready: ReadyAnswer | None = None
    # Whether more is asked of a sheet than its rows tell, and it was not reckoned.
    wants_more: bool = False
    # How likely the answer before answered, if it is only to be told again.
    as_before: float = 0.0


def looked_up(request: AnswerRequest, asked: UnderstoodQuestion) -> LookedUp:
    """Find passages, unless the question has its reply already."""
    recalled, scope = unless_alone(asked.recalled, request.scope), request.scope
    if asked.reply:
        return LookedUp(recalled, brought_by(asked.question, recalled, request.past))
    recalled, scope = of_cited(recalled, request.past, scope)
    before = brought_by(asked.question, recalled, request.past)
    recalled, found = spelled_and_found(request, recalled, before, scope)
    found = with_what_is_named(recalled, found, scope, before)
    read = as_read(recalled.asked, recalled.typed).text
    is_told_again = recalled.rewrite.reason == OF_THE_ANSWER
    tables = TablesFound(found)
    ready = (
        profiled(recalled.asked.text, found, scope, is_brief=is_told_again)
        or provision(apart(read)[0], found)
        or over_a_table(read, tables)
    )
    doubted = None
    if ready is None:
        doubted = about_a_column(read, tables) or rows_that_lack_it(read, tables)
    wants_more = ready is None and (doubted is not None or wants_more_of_a_sheet(read, found))
    ready = ready or doubted
    found = _with_first(ready.passages, found) if ready else found
    cited, likely = cited_before(request.past, scope) if is_told_again and found else ([], 0.0)
    return LookedUp(recalled, before, _with_first(cited, found), ready, wants_more, likely)


def spelled_and_found(
    request: AnswerRequest, recalled: Recalled, before: Before | None, scope: Scope
) -> tuple[Recalled, Sequence[Found]]:
    """Return the question in the library's spelling, and what was found for it."""
    leaning = request.leaning
    lean = leaning(new_topic=recalled.begins_anew) if leaning else Leaning()
    recalled, found = search(request, recalled, before, scope, lean)
    spelled = in_its_spelling(recalled, found)
    return (
        (recalled, found) if spelled is recalled else search(request, spelled, before, scope, lean)
    )


def with_what_is_named(
    recalled: Recalled, found: Sequence[Found], scope: Scope, before: Before | None
) -> list[Found]:
    """Return what was found, with the documents, versions and extremes that the question names."""
    asked = recalled.asked
    search = partial(find_passages, asked, before=before)
    newest = () if recalled.begins_anew else recalled.exchanges[-MOST_BEFORE:][::-1]
    earlier = [each.searched for each in newest]
    found = with_documents_named(
        asked.text, earlier, found, scope, lambda inside: search(scope=inside)
    )
    found = fitting_names(asked.text, found)
    found = with_passages_naming(recalled.typed.text, found, scope)
    return with_what_goes_on(with_extreme(asked.text, found, scope), scope)


@dataclass(frozen=True)
class JudgedPassages:
    """What was read of what was found, and how likely it answers."""

    reading: QuestionReading
    answerability: float | None
    unread: Sequence[StillReading]
    told: ToldReply | None

    @property
    def in_doubt(self) -> bool:
        """Whether it is not sure that the passages answer."""
        return self.answerability is None or self.answerability < SURE


def judged(request: AnswerRequest, asked: UnderstoodQuestion, sought: LookedUp) -> JudgedPassages:
    """Read what was found, and tell how likely it answers; what was said elsewhere may instead."""
    recalled, found, scope = sought.recalled, sought.found, request.scope
    reading = read_passages(as_read(recalled.asked, recalled.typed), found, typed=recalled.typed)
    likely = None
    if sought.ready:
        likely = IN_DOUBT if sought.wants_more else CERTAIN
    if not sought.ready and not asked.reply:
        likely = answerability(reading, found, scope, asks_on=_asks_on(sought))
        likely = min(max(likely, sought.as_before), _most(reading, sought))
    told = asked.told
    if likely is not None and likely < NOTHING and asked.personal.earlier.answers:
        told = said_before(asked.personal)
    read = JudgedPassages(reading, likely, [], told)
    is_open = likely is not None and likely < CLOSE
    return replace(read, unread=unread_in_scope(scope)) if is_open else read


def _asks_on(sought: LookedUp) -> bool:
    """Return whether the question points at what was said before, by its words or by a rule, and
    not only by how short it is.
    """
    before, question, rewrite = sought.before, sought.recalled.question, sought.recalled.rewrite
    is_asked_anew = rewrite.reason == TOPIC_CARRIED and not apart(rewrite.query)[1]
    is_made = rewrite.reason in BY_RULE or (is_asked_anew and rewrite.query != question.text)
    return before is not None and before.leans and (question.points_back or is_made)


def _most(reading: QuestionReading, sought: LookedUp) -> float:
    """Return how likely it is at most: in doubt, if nothing quoted is certain to be what was asked
    for.
    """
    lacks = reading.lacks_year or reading.lacks_figure
    return IN_DOUBT if sought.wants_more or lacks else CERTAIN


def drafted(
    request: AnswerRequest, asked: UnderstoodQuestion, sought: LookedUp, read: JudgedPassages
) -> Draft:
    """Build the prompt within the window, and begin the draft of what answers it."""
    recalled, personal, limits = sought.recalled, asked.personal, request.limits
    matter = Matter(
        request.query,
        aside=personal.aside(limits.window),
        today=request.today,
        language=personal.language,
        length=personal.length(request.length),
        in_doubt=read.in_doubt,
    )
    offered = worth_offering(sought.found, compares=read.reading.compares)
    prompt = build(matter, recalled, offered, limits, wishes=asked.wishes)
    before_it = [exchange.query for exchange in recalled.exchanges]
    inquiry = Inquiry(request.query, before_it, prompt.offers)
    begin = partial(request.begin, prompt.offers)
    return Draft(inquiry, prompt, limits.usable, begin, begin(), request.model)


def _with_first(passages: Sequence[Passage], found: Sequence[Found]) -> list[Found]:
    """Return what was found with these passages in the first places."""
    known = {each.passage: each for each in found}
    firsts = [
        replace(known.get(passage, found[0]), passage=passage, is_required=True)
        for passage in passages
    ]
    return [*firsts, *(each for each in found if each.passage not in passages)]
