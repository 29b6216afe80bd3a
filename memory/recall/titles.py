"""Titles of sessions and topics, from their first question or their summary.

A title given by the person is never replaced by a summary. An automatic title is renewed with each
summary of the whole conversation, and deleted with it.
"""

from collections.abc import Collection, Sequence

from memory.holds import is_held
from memory.models import Session
from memory.models.conversations import TITLE_LENGTH, TitleBy, shorten_to_title
from memory.recall.facts.extraction import drop_wishes, extract_question
from memory.recall.talk.conversation import classify_talk
from memory.recall.talk.small_talk import classify_small_talk
from memory.text.reading import ReadText

MOST_TOPICS = 3
# Titles of fewer words say less than the session's first question.
FEWEST_WORDS = 2
BETWEEN = " · "
# Latest position of a question whose title replaces that of small talk or facts.
LATEST_NAMING = 5


def make_title(message: str) -> str:
    """Return the question of a message as a title, without facts about its person.

    "" for small talk: the next message gives the title.
    """
    if classify_small_talk(ReadText(message)) is not None:
        return ""
    return shorten_to_title(extract_question(message) or drop_wishes(message))


def names_session(session: Session, message: str, position: int) -> bool:
    """Return whether a message gives its session the title: the first, or the first question."""
    if session.temporary or not session.title:
        return not session.temporary and bool(make_title(message))
    is_early = session.title_by == TitleBy.QUESTION and position <= LATEST_NAMING
    return is_early and not _asks(session.title) and _asks(message)


def _asks(message: str) -> bool:
    is_talk = (
        classify_small_talk(ReadText(message)) is not None or classify_talk(message) is not None
    )
    return bool(extract_question(message)) and not is_talk


def has_title(title: str, message: str) -> bool:
    """Return whether this message gave the session its title, in this version or the first."""
    return title in (make_title(message), shorten_to_title(message))


def join_topics(topics: Sequence[str]) -> str:
    """Return the topics of several words as a title, as many as fit.

    "" if the first, the most frequent in questions, is a single word: the question says more.
    """
    phrases = [topic for topic in topics[:MOST_TOPICS] if len(topic.split()) >= FEWEST_WORDS]
    if phrases[:1] != list(topics[:1]) or not phrases:
        return ""
    title = shorten_to_title(phrases[0])
    for topic in phrases[1:]:
        if len(title) + len(BETWEEN) + len(topic) > TITLE_LENGTH:
            break
        title += BETWEEN + topic
    return title[:1].upper() + title[1:]


def name_by_topics(session: Session, topics: Sequence[str]) -> None:
    """Title a session by its summary's topics, unless its person did, or a hold keeps the title.

    Call it with the session locked and up to date.
    """
    title = join_topics(topics)
    if title and title != session.title and _is_automatic(session) and not is_held(session):
        _set(session, title, TitleBy.SUMMARY)


def name_by_question(session: Session, *, without: Collection[int]) -> None:
    """Replace a title from a summary of these turns by a question.

    The turns, or their answers, are about to be deleted: the first other question is taken. Call it
    with the session locked.
    """
    if not Session.objects.filter(pk=session.pk, title_by=TitleBy.SUMMARY).exists():
        return
    first = session.turns.exclude(position__in=without).order_by("position").first()
    _set(session, make_title(first.query) if first else "", TitleBy.QUESTION)


def _is_automatic(session: Session) -> bool:
    """Return whether the title is automatic; if unknown, whether it equals an automatic one."""
    if session.temporary or session.title_by == TitleBy.PERSON:
        return False
    if session.title_by or not session.title:
        return True
    first = session.turns.order_by("position").first()
    return first is not None and has_title(session.title, first.query)


def _set(session: Session, title: str, title_by: TitleBy) -> None:
    sealed = Session._meta.get_field("title").seal_value(session, title)
    Session.objects.filter(pk=session.pk).update(title=sealed, title_by=title_by)
