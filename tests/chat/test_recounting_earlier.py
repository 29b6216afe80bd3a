"""Questions about earlier conversations by time, such as last week's; with consent."""

from datetime import date, timedelta
from zoneinfo import ZoneInfo

import pytest
from django.utils import timezone

from chat.turns.personal.origins import made_of_turns, recounts_of_turns
from memory.conversations.asking import create_session
from memory.jobs import run_due
from memory.models import Consent, Purpose, Session, Turn, User
from memory.models.conversations import Reach
from memory.people.display import change_display, get_local_midnight
from memory.personal_data import consent
from memory.recall.earlier.calling import Span, Which, find_asked_span
from tests.chat.remembered import said

WEDNESDAY = date(2026, 11, 25)
LAST_WEEK = date(2026, 11, 16), date(2026, 11, 22)


@pytest.mark.parametrize(
    ("question", "when"),
    [
        ("what did we talk about last week?", LAST_WEEK),
        ("Please tell me, what did I ask you last week", LAST_WEEK),
        ("remind me what we discussed yesterday", (date(2026, 11, 24), date(2026, 11, 24))),
        ("What did we say last month?", (date(2026, 10, 1), date(2026, 10, 31))),
        ("what did we say in our first conversation?", Which.FIRST),
        ("What were we talking about the last time?", Which.LAST),
        ("¿De qué hablamos la semana pasada?", LAST_WEEK),
        ("Worüber haben wir letzte Woche gesprochen?", LAST_WEEK),
        ("was habe ich dich im letzten Gespräch gefragt", Which.LAST),
        ("what have we talked about in our other conversations", Which.NEWEST),
        ("what did we talk about earlier today", (WEDNESDAY, WEDNESDAY)),
        ("worüber haben wir heute gesprochen?", (WEDNESDAY, WEDNESDAY)),
        ("de quoi avons-nous parlé aujourd'hui ?", (WEDNESDAY, WEDNESDAY)),
        ("de quoi on a parlé la semaine dernière", LAST_WEEK),
        ("qu'est-ce que j'ai demandé la dernière fois ?", Which.LAST),
        ("what did we talk about before?", None),
        ("what did we talk about?", None),
        ("what did we say last week about dogs", None),
        ("what happened last week", None),
        ("what did the court say last month", None),
    ],
)
def test_what_was_said_is_asked_for_by_when(question: str, when: object) -> None:
    found = find_asked_span(question, WEDNESDAY)
    assert ((found.first, found.last) if isinstance(found, Span) else found) == when


def test_before_a_first_question_were_other_conversations() -> None:
    for question in ("what did we talk about before?", "Worüber haben wir bisher gesprochen?"):
        assert find_asked_span(question, WEDNESDAY, is_first=True) == Which.NEWEST


@pytest.fixture
def sessions(consenting: User, library: object) -> list[Session]:
    """Three conversations: of a month ago, of the week before this one, and of today."""
    made = [create_session(consenting) for _ in range(3)]
    texts = ["What is the Determination Date?", "What does TP53 do?", "Who is the Servicer?"]
    days = [35, timezone.localdate().weekday() + 3, 0]
    for session, text, ago in zip(made, texts, days, strict=True):
        turn, moment = said(session, text), timezone.now() - timedelta(days=ago)
        Turn.objects.filter(pk=turn.pk).update(asked_at=moment)
        Session.objects.filter(pk=session.pk).update(created_at=moment, last_activity=moment)
    return made


def told(person: User, question: str) -> str:
    turn = said(create_session(person), question)
    assert turn.outcome == Turn.Outcome.ABOUT_CONVERSATION
    return turn.response


@pytest.mark.django_db
def test_what_was_asked_last_week_is_told_and_nothing_else(
    sessions: list[Session], consenting: User
) -> None:
    answer = told(consenting, "what did we talk about last week?")
    assert "“What does TP53 do?”" in answer
    assert "Determination" not in answer
    assert "Servicer" not in answer


@pytest.mark.django_db
def test_the_first_and_the_last_conversation_are_told(
    sessions: list[Session], consenting: User
) -> None:
    first = told(consenting, "what did we say in our first conversation?")
    assert "“What is the Determination Date?”" in first
    assert "“Who is the Servicer?”" not in first
    assert "“Who is the Servicer?”" in told(consenting, "what did we discuss last time?")


@pytest.mark.django_db
def test_a_conversation_that_only_begins_is_told_the_newest_others(
    sessions: list[Session], consenting: User
) -> None:
    session = create_session(consenting)
    answer = said(session, "what did we talk about before?").response
    assert "“What is the Determination Date?”" in answer
    assert "“Who is the Servicer?”" in answer
    said(session, "Who is the Trustee?")
    here = said(session, "what did we talk about before?").response
    assert "Who is the Trustee?" in here
    assert "Servicer?" not in here


@pytest.mark.django_db
def test_conversations_of_then_are_told_by_the_time_of_their_person_the_newest_first(
    consenting: User, library: object
) -> None:
    change_display(consenting, time_zone="Asia/Tokyo", language="")
    texts = ["What is the Determination Date?", "What does TP53 do?", "Who is the Servicer?"]
    today = timezone.localdate(timezone=ZoneInfo("Asia/Tokyo"))
    for at, text in enumerate(texts):  # an hour after midnight there, and the hour before
        session = create_session(consenting)
        moment = get_local_midnight(today, consenting) + timedelta(hours=at - 1, minutes=30)
        Turn.objects.filter(pk=said(session, text).pk).update(asked_at=moment)
    answer = told(consenting, "what did we talk about yesterday?")
    assert "Determination" in answer
    assert "23:30: “What is" in answer
    assert "TP53" not in answer
    answer = told(consenting, "worüber haben wir heute gesprochen?")
    assert answer.startswith("Du hast da in 2 anderen Gesprächen gefragt, das neueste zuerst:")
    newest, oldest = answer.index("01:30: „Who is"), answer.index("00:30: „What does TP53")
    assert newest < oldest


@pytest.mark.django_db
def test_where_there_is_no_other_conversation_of_today_this_one_is_summed_up(
    consenting: User, library: object
) -> None:
    session = create_session(consenting)
    first = said(session, "What does TP53 do?")
    summed = said(session, "what did we talk about earlier today")
    assert "Turn 1: “What does TP53 do?”" in summed.response or "TP53" in summed.response
    assert list(made_of_turns(Turn.objects.filter(pk=first.pk))) == []
    assert list(recounts_of_turns(Turn.objects.filter(pk=first.pk))) == [summed]


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("question", "begins"),
    [
        ("what did i ask about the servicer", "You asked about “the servicer” in 1 other"),
        ("Was habe ich zum Servicer gefragt?", "Zu „servicer“ hast du in 1 anderen Gespräch"),
        ("que pregunte sobre el servicer", "Preguntaste sobre «el servicer» en 1 conversación"),
        ("j'ai demandé quoi sur le servicer ?", "Vous avez parlé de « le servicer » dans 1 autre"),
    ],
)
def test_what_was_asked_about_is_looked_for_in_all_conversations(
    sessions: list[Session], consenting: User, question: str, begins: str
) -> None:
    run_due()
    turn = said(create_session(consenting), question)
    assert turn.response.startswith(begins)
    assert "Who is the Servicer?" in turn.response
    assert [each.turn.query for each in turn.earlier_used.all()] == ["Who is the Servicer?"]


@pytest.mark.django_db
def test_what_was_asked_here_and_elsewhere_is_told_together_and_goes_with_either(
    sessions: list[Session], consenting: User
) -> None:
    run_due()
    session = create_session(consenting)
    here = said(session, "Where does the Servicer sit?")
    run_due()
    both = said(session, "what did i ask about the servicer")
    assert both.response.startswith("In turn 1 you asked: “Where does the Servicer sit?”")
    assert "Who is the Servicer?" in both.response
    assert list(recounts_of_turns(Turn.objects.filter(pk=here.pk))) == [both]
    assert list(made_of_turns(sessions[2].turns.all())) == [both]
    alone = said(session, "what did i ask about the servicer in this conversation")
    assert "Who is the Servicer?" not in alone.response
    consent.decide(consenting, {Purpose.RECALL: False}, source=Consent.Source.API)
    refused = said(session, "what did i ask about tp53")
    assert refused.response.startswith("You have asked nothing about “tp53”, neither")


@pytest.mark.django_db
def test_what_an_answer_said_in_another_conversation_is_told(
    sessions: list[Session], consenting: User
) -> None:
    run_due()
    answer = told(consenting, "remind me what you told me about the Determination Date")
    assert "“What is the Determination Date?”" in answer
    assert answer.startswith("In your conversation of ")


@pytest.mark.django_db
def test_what_only_tells_of_this_conversation_shows_no_other(
    sessions: list[Session], consenting: User
) -> None:
    run_due()
    session = create_session(consenting)
    said(session, "Which day is the Determination Date?")
    run_due()
    told_here = said(session, "how often did I ask about the Determination Date?")
    assert "“Which day is the Determination Date?”" in told_here.response
    assert not told_here.earlier_used.exists()


@pytest.mark.django_db
def test_what_keeps_to_itself_is_archived_or_not_allowed_is_not_told(
    sessions: list[Session], consenting: User, stranger: User
) -> None:
    last_week = "what did we talk about last week?"
    Session.objects.filter(pk=sessions[1].pk).update(reach=Reach.SESSION)
    assert "TP53" not in told(consenting, last_week)
    Session.objects.filter(pk=sessions[1].pk).update(reach=Reach.EVERYTHING, archived=True)
    assert "TP53" not in told(consenting, last_week)
    Session.objects.filter(pk=sessions[1].pk).update(archived=False)
    assert "TP53" in told(consenting, last_week)
    consent.decide(consenting, {Purpose.RECALL: False}, source=Consent.Source.API)
    assert "TP53" not in told(consenting, last_week)
    assert "TP53" not in told(stranger, last_week)
