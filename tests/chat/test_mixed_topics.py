"""Self-contained questions about one document after another stay what they are."""

import pytest

from citations.ingestion.adding import add_document
from memory.jobs.queue import run_due
from memory.models import Session, User
from tests.chat.remembered import said_and_kept

pytestmark = [
    pytest.mark.django_db,
    pytest.mark.usefixtures("library"),
]

# The documents' titles and texts, and a question to each.
DOCUMENTS = [
    (
        "Beekeeping for beginners",
        "A hive is inspected every nine days in spring. The beekeeper looks for queen cells, "
        "because a colony that raises a new queen is about to swarm.",
        "How often is a hive inspected in spring?",
    ),
    (
        "Sourdough handbook",
        "A sourdough starter is fed with equal weights of flour and water. At room temperature it "
        "is fed twice a day, in the refrigerator once a week.",
        "How often is a sourdough starter fed in the refrigerator?",
    ),
    (
        "Lighthouse keepers",
        "The Fresnel lens of Cordouan was lit in 1823. It gathered the light of an oil lamp into a "
        "beam that ships saw from thirty kilometres.",
        "When was the Fresnel lens of Cordouan lit?",
    ),
    (
        "Tax of bicycles",
        "An employee who rides to work may deduct nine cents for each kilometre. The distance is "
        "the shortest way by road between home and office.",
        "How much may an employee deduct for riding a bicycle to work?",
    ),
    (
        "Glaciers of Iceland",
        "Vatnajökull covers eight percent of Iceland. Beneath its ice lie volcanoes, of which "
        "Grímsvötn erupts most often.",
        "Which volcano beneath Vatnajökull erupts most often?",
    ),
]


def test_questions_of_many_documents_in_turn_are_never_rewritten(
    session: Session, owner: User
) -> None:
    for title, text, _question in DOCUMENTS:
        add_document(f"# {title}\n\n{text}\n".encode(), file_name=f"{title}.md", owner=owner)
    run_due()
    for title, _text, question in DOCUMENTS * 2:
        turn = said_and_kept(session, question)
        assert turn.standalone_query == question
        first = turn.citations.order_by("start").select_related("source__document").first()
        assert first
        assert first.source.document
        assert first.source.document.title == title


def test_what_is_left_is_let_go_and_can_be_taken_up_again(session: Session) -> None:
    said_and_kept(session, "What is the Determination Date?")
    left = said_and_kept(session, "Which drugs target PIK3CA?")
    assert (left.new_topic, left.topic) == (True, 2)
    goes_on = said_and_kept(session, "And which of them are approved?")
    assert (goes_on.new_topic, goes_on.topic) == (False, 2)
    back = said_and_kept(session, "When is the Determination Date if it is a holiday?")
    assert (back.new_topic, back.topic) == (False, 1)
