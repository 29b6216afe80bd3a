"""The steps before an answer: understand, search, judge, draft."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import partial

from chat import llm
from chat.contract import Inquiry
from chat.extractive.answerability import (
    CLOSE,
    IN_DOUBT,
    NOTHING,
    SURE,
    estimate_from_retrieval,
    estimate_from_units,
    is_beyond_row,
    names_unheld_code,
)
from chat.extractive.profiles import ProfileAnswer, answer_from_profile
from chat.extractive.scorer import ScoredUnit, score_units
from chat.prompting.prompts import build
from chat.prompting.wording import Matter, count_fixed_tokens, select_wishes
from chat.structures.asking import render_form
from chat.structures.following import FollowUp
from chat.turns.drafting import Draft
from chat.turns.grounding.ground import AnswerRequest
from chat.turns.grounding.searching import (
    find_only_document,
    put_first,
    read_last_cited,
    search,
)
from chat.turns.personal.person import Personal, add_earlier, resolve_elsewhere
from chat.turns.personal.telling import ToldReply, quote_earlier, reply_at_once
from chat.turns.replies import make_reply
from chat.turns.replies.plain import PlainReply
from chat.turns.structured.form import Form, choose_form, find_follow_up
from chat.turns.structured.gathering import widen_found
from citations.attribution.offers import make_offers
from citations.languages import identify_language
from citations.library import StillReading, unread_in_scope
from citations.retrieval import Found, select_passages_to_offer
from citations.retrieval.before import read_conversation
from citations.session_focus.unread_parts import (
    UnreadPart,
    find_named_kinds,
    list_limited_documents,
    list_named_unread_parts,
)
from memory.models.conversations import AnswerLength
from memory.recall import Recalled, recall
from memory.recall.budget import compute_history_limit
from memory.recall.facts.extraction import extract_search_text
from memory.recall.rewriting.exchanges import ASKED_FURTHER, LIST_ITEM, STANDS_ALONE, Rewrite
from memory.recall.talk.conversation import OF_THE_ANSWER
from memory.text.embedding import Embedded

# The first passages, whose documents are the likeliest to have the answer.
LIKELIEST = 5


@dataclass(frozen=True)
class UnderstoodQuestion:
    """The meaning of a question, and the reply if it needs no search."""

    # Without its instructions about the answer.
    question: str
    recalled: Recalled
    wishes: Sequence[str]
    personal: Personal
    told: ToldReply | None
    recounted: PlainReply
    # Its request about an earlier structured answer.
    follow_up: FollowUp | None = None

    @property
    def reply(self) -> str:
        return self.told.text if self.told else self.recounted.text


def understand(request: AnswerRequest) -> UnderstoodQuestion:
    """Recall the conversation, and rewrite the question to stand alone."""
    query, past, limits = request.query, request.past, request.limits
    question = extract_search_text(query)
    wishes = select_wishes(limits, query, request.personal.wishes)
    system, asked = count_fixed_tokens(limits.window, question, wishes)
    recalled = recall(
        past,
        question,
        limits=limits,
        allowance=compute_history_limit(limits, system=system, question=asked),
        standalone=request.standalone,
    )
    personal = add_earlier(request.personal, recalled)
    recalled = resolve_elsewhere(recalled, personal, past)
    told = reply_at_once(query, personal, recalled, past)
    if told and request.standalone is None:  # no search is needed
        nothing_sought = Rewrite(question, str(told.outcome))
        recalled = replace(recalled, rewrite=nothing_sought, asked=recalled.typed)
    follow_up = None
    if not told and request.standalone is None:
        follow_up = find_follow_up(request.structure, recalled, past)
        recalled = search_follow_up(recalled, follow_up)
    reason = recalled.rewrite.reason
    recounted = PlainReply() if told else make_reply(recalled.question, reason, past)
    return UnderstoodQuestion(question, recalled, wishes, personal, told, recounted, follow_up)


def search_follow_up(recalled: Recalled, follow_up: FollowUp | None) -> Recalled:
    """Set the follow-up's query, and its topic to that of the turn it continues."""
    if follow_up is None:
        return recalled
    position = follow_up.question.history[0].position
    rewrite = Rewrite(follow_up.query, LIST_ITEM, (position,))
    begun = position if recalled.new_topic else recalled.begun
    return replace(
        recalled,
        rewrite=rewrite,
        asked=Embedded(rewrite.query),
        new_topic=False,
        begun=begun,
    )


@dataclass(frozen=True)
class SearchedQuestion:
    """The retrieved passages, and the rewrite that found them."""

    recalled: Recalled
    found: Sequence[Found] = ()
    profile: ProfileAnswer | None = None
    # The least answerability, for a follow-up or a repeated answer.
    least: float = 0.0
    form: Form = field(default_factory=Form)


def search_library(request: AnswerRequest, asked: UnderstoodQuestion) -> SearchedQuestion:
    """Retrieve passages, unless the question has a reply already."""
    if asked.reply:
        return SearchedQuestion(asked.recalled)
    before = read_conversation(asked.question, asked.recalled, request.past)
    recalled, found = search(request, asked.recalled, before)
    if not found:
        return SearchedQuestion(recalled)
    if recalled.rewrite.reason in (OF_THE_ANSWER, ASKED_FURTHER):
        cited, likely = read_last_cited(request.past, request.scope)
        least = likely if recalled.rewrite.reason == OF_THE_ANSWER else NOTHING
        return SearchedQuestion(recalled, put_first(cited, found), least=least)
    documents = list(dict.fromkeys(each.passage.document for each in found))
    only = partial(find_only_document, request.past, request.scope, found)
    if profile := answer_from_profile(asked.question, documents, only=only):
        as_typed = replace(recalled, rewrite=Rewrite(asked.question, STANDS_ALONE))
        return SearchedQuestion(as_typed, put_first([profile.passage], found), profile)
    least = NOTHING if before is not None and before.leans else 0.0
    return SearchedQuestion(recalled, found, least=least)


def arrange_structure(
    request: AnswerRequest, asked: UnderstoodQuestion, searched: SearchedQuestion, told: bool
) -> SearchedQuestion:
    """Choose the structure of the answer, and put its passages first."""
    if asked.reply or told or not searched.found:
        return searched
    form = choose_form(request.structure, searched.recalled, request.past, asked.follow_up)
    if searched.profile and not form.is_asked:  # a profile has a form of its own
        form = Form(intent=form.intent)
    found = widen_found(form, searched.recalled.asked, searched.found, request.scope)
    return replace(searched, form=form, found=found)


@dataclass(frozen=True)
class JudgedPassages:
    """The answerability of a question by its passages; their units if no model is asked."""

    units: Sequence[ScoredUnit]
    answerability: float | None
    unread: Sequence[StillReading]
    told: ToldReply | None
    # Unread parts of documents whose kind the question names.
    missed: Sequence[UnreadPart] = ()

    @property
    def is_doubtful(self) -> bool:
        """Whether it is uncertain that the passages answer."""
        return self.answerability is None or self.answerability < SURE

    def trust_words(self, form: Form) -> "JudgedPassages":
        """Return the judgement, certain if the passages have the words wanted verbatim."""
        return replace(self, answerability=SURE) if form.has_words and self.is_doubtful else self


def judge_passages(
    request: AnswerRequest, asked: UnderstoodQuestion, searched: SearchedQuestion
) -> JudgedPassages:
    """Estimate the answerability; without an answer, quote other sessions instead."""
    if asked.reply:
        return JudgedPassages((), None, [], asked.told)
    units, likely = estimate(request, searched)
    missed = find_missed(request, searched)
    likely = min(likely, IN_DOUBT) if missed else likely
    told = None
    if likely < NOTHING and asked.personal.earlier.answers:
        told = quote_earlier(asked.personal)
    unread = unread_in_scope(request.scope) if likely < CLOSE else []
    return JudgedPassages(units, likely, unread, told, missed)


def find_missed(request: AnswerRequest, searched: SearchedQuestion) -> list[UnreadPart]:
    """Find unread parts of the likeliest documents and of the scope that the question names."""
    if not find_named_kinds(request.query):
        return []
    found = [each.passage.document for each in searched.found[:LIKELIEST]]
    documents = {each.pk: each for each in [*list_limited_documents(request.scope), *found]}
    return list_named_unread_parts(request.query, documents.values())


def estimate(
    request: AnswerRequest, searched: SearchedQuestion
) -> tuple[Sequence[ScoredUnit], float]:
    """Return the units of the passages, and the answerability."""
    recalled, found, scope = searched.recalled, searched.found, request.scope
    question = recalled.asked.text
    if searched.profile:
        return (), 1.0
    if llm.is_configured():
        return (), max(estimate_from_retrieval(question, found, scope), searched.least)
    units = score_units(recalled.asked, found, typed=recalled.typed.text)
    if recalled.rewrite.reason == OF_THE_ANSWER:  # repeated in one sentence
        units = sorted(units, key=lambda each: -each.score)[:1]
    likely = max(estimate_from_units(question, found, units, scope), searched.least)
    in_doubt = is_beyond_row(question, units) or names_unheld_code(question, units)
    return units, min(likely, IN_DOUBT) if in_doubt else likely


def draft_answer(
    request: AnswerRequest,
    asked: UnderstoodQuestion,
    searched: SearchedQuestion,
    judged: JudgedPassages,
) -> Draft:
    """Build the prompt within the window, and begin the draft of the answer."""
    recalled, personal, limits = searched.recalled, asked.personal, request.limits
    form, language = searched.form, personal.language or identify_language(request.query)
    matter = Matter(
        request.query,
        aside=personal.aside(limits.window),
        today=request.today,
        language=personal.language,
        length=AnswerLength.THOROUGH
        if searched.form.structure
        else personal.length(request.length),
        form=render_form(form.structure, form.question, language) if form.structure else "",
        in_doubt=judged.is_doubtful,
    )
    offered = select_passages_to_offer(searched.found)
    prompt = build(matter, recalled, offered, limits, wishes=asked.wishes)
    if searched.form.structure and not llm.is_configured():  # no prompt is sent, so all fit
        prompt = replace(prompt, offers=make_offers(each.passage for each in offered))
    before_it = [exchange.query for exchange in recalled.exchanges]
    inquiry = Inquiry(request.query, before_it, prompt.offers)
    begin = partial(request.begin, prompt.offers)
    return Draft(inquiry, prompt, limits.usable, begin, begin(), request.model, searched.form)
