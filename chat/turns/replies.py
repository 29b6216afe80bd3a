"""What is said at once, without a search: to small talk, and about the conversation itself."""

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from uuid import UUID

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from chat import llm
from chat.quoting.writing import place_line
from citations.models import Citation, Document
from memory.recall import Past, Stored
from memory.recall.past import is_answered
from memory.recall.rewriting import (
    ABOUT_CONVERSATION,
    OF_THE_ANSWER,
    SMALL_TALK,
    ReadQuestion,
)
from memory.recall.summaries.extracting import Spoken, extract
from memory.recall.talk.conversation import (
    SAID_OF_ANSWERS,
    AboutConversation,
    about_conversation,
    subject_of,
)
from memory.recall.talk.courtesies import said_back
from memory.recall.talk.small_talk import language_of_talk, small_talk
from memory.text.citation_markers import without_markers
from memory.text.embedding import Embedded
from memory.text.plain import on_one_line, plain_text
from memory.text.words import terms

NEEDS_A_MODEL = gettext_lazy(
    "That takes a language model, and none is connected: without one I can only quote. The answer "
    "above stands as the documents say it; ask for it shorter, or for more of it."
)
NOTHING_BEFORE = gettext_lazy(
    "Nothing was found for the question before, so there is nothing that could be shown, shortened "
    "or said otherwise. Ask it in other words, and I look again."
)
# Questions that are named, the newest; and how much of each.
MOST_LISTED, LONGEST_SHOWN = 40, 300
MOST_QUOTED = 3  # turns with their answers
MOST_TURNS = 10  # that are named as citing a document
# Of summaries so many tokens, and of the turns after them so many, in so many words each.
MOST_OF_SUMMARIES, MOST_EXTRACTED, EXTRACT_WORDS = 1_200, 20, 40


@dataclass(frozen=True)
class PlainReply:
    """What is said without a search; no text if a search has to answer."""

    text: str = ""
    # The turns that it tells of, by the first and the last position of each run of them.
    told: Sequence[tuple[int, int]] = ()
    # The person's own documents that it names.
    names: Collection[UUID] = ()


def reply_to(question: ReadQuestion, reason: str, past: Past) -> PlainReply:
    """Return what is said to a question that was left as typed for the reason."""
    if reason == SMALL_TALK and (talk := small_talk(question)):
        return PlainReply(said_back(talk, language_of_talk(question)))
    is_about = reason in (ABOUT_CONVERSATION, OF_THE_ANSWER)
    about = about_conversation(question.text) if is_about else None
    if about in SAID_OF_ANSWERS and reason == ABOUT_CONVERSATION:
        return PlainReply(str(NOTHING_BEFORE))
    if about == AboutConversation.OTHERWISE and not llm.is_configured():
        return PlainReply(str(NEEDS_A_MODEL))
    if about in (AboutConversation.ABOUT, AboutConversation.COUNT):
        is_counted = about == AboutConversation.COUNT
        return _asked_about(past, subject_of(question.text), is_counted=is_counted)
    if about == AboutConversation.SAID and not llm.is_configured():
        return _said_about(past, subject_of(question.text))
    return ABOUT[about](past) if about and about in ABOUT else PlainReply()


def _first(past: Past) -> PlainReply:
    """Return the first question; what was said before it is passed over, but not in silence."""
    told = _told(_questions(past, range(1, min(past.last_position, MOST_LISTED) + 1))[:1])
    if not told.told or told.told[0][0] == 1:
        return told
    return replace(told, text=f"{told.text} {_('What you said before it was no question.')}")


def _last(past: Past) -> PlainReply:
    return _told(_newest(past)[-1:])


def _list(past: Past) -> PlainReply:
    return _told(_newest(past))


def _newest(past: Past) -> list[tuple[int, str]]:
    last = past.last_position
    return _questions(past, range(max(1, last - MOST_LISTED + 1), last + 1))


def _questions(past: Past, positions: Sequence[int]) -> list[tuple[int, str]]:
    return [(turn.position, turn.query) for turn in past.read(positions)]


def _told(asked: Sequence[tuple[int, str]]) -> PlainReply:
    """Return the questions with the numbers of their turns, in words."""
    if not asked:
        return PlainReply(_("You have asked nothing in this conversation yet."))
    lines = [
        _("In turn %(number)d you asked: “%(question)s”")
        % {"number": number, "question": _shown(question)}
        for number, question in asked
    ]
    text = lines[0] if len(lines) == 1 else _as_list(lines)
    return PlainReply(text, _each(number for number, _question in asked))


def _asked_about(past: Past, subject: str, *, is_counted: bool = False) -> PlainReply:
    """Return the questions that have a word of the subject, the most relevant ones, in order."""
    wanted = set(terms(subject))
    asked = [
        (position, question)
        for position, question in _questions(past, _near(past, subject))
        if wanted & set(terms(question))
    ]
    if asked:
        return _counted(asked, subject) if is_counted else _told(asked)
    nothing = _("You have asked nothing about “%(subject)s” in this conversation.")
    return PlainReply(nothing % {"subject": _shown(subject)})


def _counted(asked: Sequence[tuple[int, str]], subject: str) -> PlainReply:
    """Return the questions behind how many turns they were asked in."""
    lead = ngettext(
        "You asked about “%(subject)s” in %(count)d turn:",
        "You asked about “%(subject)s” in %(count)d turns:",
        len(asked),
    ) % {"subject": _shown(subject), "count": len(asked)}
    listed = _told(asked)
    return PlainReply(f"{lead}\n\n{listed.text}", listed.told)


def _said_about(past: Past, subject: str) -> PlainReply:
    """Return the turns in which most words of the subject were said, in order, with the answers."""
    wanted, read = set(terms(subject)), past.read(_near(past, subject))
    told = {
        turn.position: len(wanted & set(terms(f"{turn.query} {without_markers(turn.response)}")))
        for turn in read
        if is_answered(turn)
    }
    most = max(told.values(), default=0)
    quoted = [turn for turn in read if most and told.get(turn.position) == most][-MOST_QUOTED:]
    lines = [
        _("In turn %(number)d you asked: “%(question)s” The answer was: %(answer)s")
        % {
            "number": turn.position,
            "question": _shown(turn.query),
            "answer": _shown(plain_text(without_markers(turn.response))),
        }
        for turn in quoted
    ]
    if lines:
        return PlainReply("\n\n".join(lines), _each(turn.position for turn in quoted))
    nothing = _("Nothing was said about “%(subject)s” in this conversation.")
    return PlainReply(nothing % {"subject": _shown(subject)})


def _near(past: Past, subject: str) -> list[int]:
    """Return the positions of the turns that are most relevant, and of the newest."""
    scores = past.scores(Embedded(subject))
    best = sorted(scores, key=lambda position: scores[position], reverse=True)[:MOST_LISTED]
    last = past.last_position
    return sorted({*best, *range(max(1, last - MOST_LISTED + 1), last + 1)})


def _summary(past: Past) -> PlainReply:
    """Return what was said, by turns: of older ones their summaries, of the newest an extract."""
    ladder = past.ladder(MOST_OF_SUMMARIES)
    since = max((brief.last for brief in ladder), default=0) + 1
    newest = range(max(since, past.last_position - MOST_EXTRACTED + 1), past.last_position + 1)
    lines = [
        _("Turns %(first)d to %(last)d: %(text)s")
        % {"first": brief.first, "last": brief.last, "text": on_one_line(brief.text)}
        for brief in ladder
    ]
    told = [(brief.first, brief.last) for brief in ladder]
    for turn in past.read(newest):
        said = [Spoken(turn.query, is_own=True)]
        said += [Spoken(turn.response)] if is_answered(turn) else []
        text = on_one_line(extract(said, words=EXTRACT_WORDS, most=2))
        lines.append(_("Turn %(number)d: %(text)s") % {"number": turn.position, "text": text})
        told.append((turn.position, turn.position))
    if not lines:
        return PlainReply(_("You have asked nothing in this conversation yet."))
    lead = _("What was said so far, in sentences of the conversation:")
    return PlainReply(f"{lead}\n\n{_as_list(lines)}", told)


def _sources(past: Past) -> PlainReply:
    if not isinstance(past, Stored):  # what a client tells has no sources
        return PlainReply()
    cited = _cited(past)
    if not cited:
        return PlainReply(_("No document has been cited in this conversation yet."))
    said = ngettext(
        "%(count)d document has been cited in this conversation:",
        "%(count)d documents have been cited in this conversation:",
        len(cited),
    ) % {"count": len(cited)}
    listed = list(cited.items())[:MOST_LISTED]
    lines = [_cited_in(document.title, positions) for document, positions in listed]
    told = {at for _document, positions in listed for at in positions[-MOST_TURNS:]}
    own = _own(document for document, _positions in listed)
    return PlainReply(f"{said}\n\n{_as_list(lines)}", _each(sorted(told)), own)


def _cited(past: Stored) -> dict[Document, list[int]]:
    """Return the documents that are cited, by number, each with the turns that cite it."""
    rows = Citation.objects.filter(source__session=past.session, turn__position__lt=past.before)
    rows = rows.order_by("source__number", "turn__position")
    pairs = rows.values_list("source__number", "source__document", "turn__position").distinct()
    cited: dict[UUID | None, list[int]] = defaultdict(list)
    for _number, document, position in pairs:  # of a removed document there is none
        cited[document].append(position)
    documents = Document.objects.defer("file", "outline", "about").in_bulk(
        [pk for pk in cited if pk]
    )
    return {documents[pk]: positions for pk, positions in cited.items() if pk and pk in documents}


def _cited_in(title: str, positions: Sequence[int]) -> str:
    newest = ", ".join(map(str, positions[-MOST_TURNS:]))
    turns = newest if len(positions) <= MOST_TURNS else f"…, {newest}"
    said = ngettext("%(title)s (turn %(turns)s)", "%(title)s (turns %(turns)s)", len(positions))
    return said % {"title": _shown(title), "turns": turns}


def _own(documents: Iterable[Document]) -> frozenset[UUID]:
    return frozenset(document.pk for document in documents if document.owner_id)


def _library(past: Past) -> PlainReply:
    """Return how many documents can be asked about here, and which."""
    if not isinstance(past, Stored):  # what a client tells is of no conversation
        return PlainReply()
    rows = Document.objects.ready().readable_by(past.session.owner)
    if past.session.limited_to.exists():
        rows = rows.filter(pk__in=past.session.limited_to.values("document"))
    count = rows.count()
    if not count:
        return PlainReply(_("There is no document yet that could be asked about."))
    said = ngettext(
        "%(count)d document can be asked about here:",
        "%(count)d documents can be asked about here:",
        count,
    ) % {"count": count}
    newest = rows.defer("file", "outline", "about").order_by("-created_at", "-id")
    listed = list(newest[:MOST_LISTED])
    titles = [_shown(document.title) for document in listed]
    more = ["…"] if count > MOST_LISTED else []
    return PlainReply(f"{said}\n\n{_as_list([*titles, *more])}", names=_own(listed))


def _grounds(past: Past) -> PlainReply:
    """Return the sentences that the last answer cites, and where each stands."""
    if not isinstance(past, Stored):
        return PlainReply()
    turn = past.last_answered
    rows = Citation.objects.filter(turn=turn).select_related("passage__document")
    cited = [row for row in rows if turn and row.passage][:MOST_LISTED]
    if not turn or not cited:
        return PlainReply(_("The answer before cites no document."))
    lines = [f"“{_shown(row.quote)}” ({place_line(row.passage)})" for row in cited if row.passage]
    lead = _("The answer before stands on these words, each of which its number opens:")
    return PlainReply(f"{lead}\n\n{_as_list(dict.fromkeys(lines))}", _each([turn.position]))


def _each(positions: Iterable[int]) -> list[tuple[int, int]]:
    return [(position, position) for position in positions]


def _shown(text: str) -> str:
    return on_one_line(text, LONGEST_SHOWN)


def _as_list(lines: Iterable[str]) -> str:
    return "\n".join(f"- {line}" for line in lines)


ABOUT: dict[AboutConversation, Callable[[Past], PlainReply]] = {
    AboutConversation.FIRST: _first,
    AboutConversation.LAST: _last,
    AboutConversation.QUESTIONS: _list,
    AboutConversation.SOURCES: _sources,
    AboutConversation.SUMMARY: _summary,
    AboutConversation.LIBRARY: _library,
    AboutConversation.GROUNDS: _grounds,
}
