"""A session's memory of the entities that its turns name."""

from uuid import uuid4

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from memory.conversations.asking import create_session
from memory.errors import NotFound
from memory.forgetting.answers import delete_answers
from memory.forgetting.deletion import erase_session
from memory.jobs import queue
from memory.models import AuditEvent, Entity, Job, Session, Turn, User
from memory.recall import entities, entity_corrections
from memory.recall.entities import list_known_entities, list_remembered_entities, remember
from memory.recall.entity_corrections import EntityExists, MemoryFull
from memory.recall.naming import Named, Place, find_named_entities

pytestmark = pytest.mark.django_db

DEFINITION = "“Determination Date” means the fifteenth day of each month."


def turn_of(session: Session, query: str, response: str = "", **fields: object) -> Turn:
    """Store a finished turn, and remember what it names."""
    turn = Turn.objects.create(
        session=session,
        owner=session.owner,
        position=session.last_position + 1,
        query=query,
        query_tokens=5,
        response=response,
        status="complete",
        **fields,
    )
    session.last_position += 1
    session.save()
    entities.remember(turn, find_named_entities(query, response))
    return turn


def names(session: Session) -> list[str]:
    return [each.entity.name for each in list_remembered_entities(session)]


def test_a_term_is_kept_with_the_sentence_that_resolved_it(session: Session) -> None:
    turn = turn_of(session, "What is the Determination Date?", DEFINITION)
    (entity,) = Entity.objects.all()
    assert (entity.name, entity.kind, entity.snippet) == ("Determination Date", "term", DEFINITION)
    assert (entity.turn, entity.position, entity.mentions) == (turn, 1, 1)
    assert list_known_entities(session, 2)[0].name == "Determination Date"


def test_what_it_holds_is_sealed(session: Session) -> None:
    turn_of(session, "What is the Determination Date?", DEFINITION)
    with connection.cursor() as cursor:
        cursor.execute("SELECT * FROM memory_entity")
        stored = repr(
            [
                bytes(each) if isinstance(each, memoryview) else each
                for row in cursor.fetchall()
                for each in row
            ]
        )
    assert "etermination" not in stored
    assert "fifteenth" not in stored


def test_a_better_sentence_takes_the_place_of_none(session: Session) -> None:
    turn_of(session, "What of the Determination Date?", "The library holds nothing on this.")
    second = turn_of(session, "the Determination Date?", DEFINITION)
    (entity,) = Entity.objects.filter(kind="term")
    assert (entity.snippet, entity.turn, entity.mentions) == (DEFINITION, second, 2)


def test_the_same_turn_is_counted_once_however_often_its_job_runs(session: Session) -> None:
    turn = turn_of(session, "What is the Determination Date?", DEFINITION)
    for _ in range(3):
        remember(turn, find_named_entities(turn.query, turn.response))
    assert Entity.objects.get().mentions == 1


def test_what_is_mentioned_fades_unless_it_is_mentioned_again(session: Session) -> None:
    turn_of(session, "Who is Maria Garcia?")
    turn_of(session, "Who is Tomasz Nowak?")
    assert names(session) == ["Tomasz Nowak", "Maria Garcia"]
    turn_of(session, "Back to Maria Garcia?")
    assert names(session) == ["Maria Garcia", "Tomasz Nowak"]
    weights = []
    for _ in range(3):
        turn_of(session, "and then?")
        weights.append(list_remembered_entities(session)[0].weight)
    assert weights == sorted(weights, reverse=True)
    assert len(set(weights)) == 3


def test_a_new_topic_lets_what_was_before_fade_faster(session: Session) -> None:
    turn_of(session, "Who is Maria Garcia?")
    for _ in range(3):
        turn_of(session, "and then?")
    (slow,) = list_remembered_entities(session)
    Turn.objects.filter(position=3).update(new_topic=True)
    (fast,) = list_remembered_entities(session)
    assert fast.weight < slow.weight / 2
    assert [each.name for each in list_known_entities(session, 3)] == ["Maria Garcia"]
    assert list_known_entities(session, 5) == []
    entity_corrections.change(fast.entity, snippet="A person.")
    assert [each.name for each in list_known_entities(session, 5)] == ["Maria Garcia"]


def test_only_what_was_said_before_is_known_and_the_most_present_come_first(
    session: Session,
) -> None:
    for number in range(25):
        turn_of(session, f"Who is Person{number} Smith?")
    assert [each.name for each in list_known_entities(session, 3)] == [
        "Person1 Smith",
        "Person0 Smith",
    ]
    later = list_known_entities(session, 26)
    assert len(later) == entities.GIVEN
    assert later[0].name == "Person24 Smith"
    weights = [each.weight for each in list_remembered_entities(session)]
    assert weights == sorted(weights, reverse=True)


def test_where_an_answer_comes_from_is_not_what_a_question_means(session: Session) -> None:
    turn = turn_of(session, "Who is Maria Garcia?")
    remember(turn, find_named_entities("", "", [Place("Some Agreement", "Section 2.1 Dates")]))
    assert len(list_remembered_entities(session)) == 3
    assert [each.name for each in list_known_entities(session, 2)] == ["Maria Garcia"]
    entity_corrections.add(session, name="Section 9.9", kind="section")
    assert {each.name for each in list_known_entities(session, 2)} == {
        "Maria Garcia",
        "Section 9.9",
    }


def test_knowing_takes_one_query_however_much_there_is(session: Session) -> None:
    for number in range(12):
        turn_of(session, f"Who is Person{number} Smith?", new_topic=number == 5)
    with CaptureQueriesContext(
        connection,
    ) as queries:
        list_known_entities(session, 12)
    assert len(queries) == 1  # the entities, with the turn at which the topic changed last
    with CaptureQueriesContext(connection) as queries:
        list_remembered_entities(session)
    assert len(queries) == 1  # with their turns


def test_the_faintest_go_when_there_are_too_many(session: Session) -> None:
    mine = entity_corrections.add(session, name="Mine", kind="name")
    turn_of(session, "Who is First Last?")
    for number in range(6):
        listed = [Named(f"Thing{number} {index}x", "name") for index in range(10)]
        remember(turn_of(session, "more?"), listed)
    assert Entity.objects.count() == entities.MOST
    assert "First Last" not in names(session)
    assert Entity.objects.filter(pk=mine.pk).exists()


def test_nothing_survives_the_answer_it_came_from(session: Session) -> None:
    first = turn_of(session, "What is the Determination Date?", DEFINITION)
    second = turn_of(session, "Who is Maria Garcia?", "Maria Garcia knows Python.")
    delete_answers(session.pk, [second.pk])
    assert names(session) == ["Determination Date"]
    waiting = Job.objects.filter(kind=entities.REMEMBER).values_list("subject", flat=True)
    assert list(waiting) == [first.pk]  # to be looked through again; the withdrawn one isn't
    queue.run_due()
    assert names(session) == ["Determination Date"]
    first.delete()
    assert names(session) == []


def test_what_another_turn_mentioned_as_well_falls_back_to_it(session: Session) -> None:
    first = turn_of(session, "Tell me of Maria Garcia.")
    second = turn_of(session, "And Maria Garcia?", "Maria Garcia knows Python.")
    assert Entity.objects.get(snippet__isnull=False, mentions=2).turn == second
    delete_answers(session.pk, [second.pk])
    assert names(session) == []
    queue.run_due()
    entity = Entity.objects.get()
    assert (entity.name, entity.turn, entity.snippet) == ("Maria Garcia", first, "")


def test_an_answer_that_is_withdrawn_before_its_job_leaves_nothing(session: Session) -> None:
    turn = turn_of(session, "and then?")
    delete_answers(session.pk, [turn.pk])
    remember(turn, [Named("Too Late", "name")])
    assert not Entity.objects.exists()


def test_it_goes_with_its_session(session: Session) -> None:
    turn = turn_of(session, "Who is Maria Garcia?")
    erase_session(session, actor=session.owner)
    assert not Entity.objects.exists()
    remember(turn, [Named("Too Late", "name")])
    assert not Entity.objects.exists()


# --- By the person -------------------------------------------------------------------------------


def test_what_is_removed_does_not_come_back_by_itself(session: Session) -> None:
    turn_of(session, "Who is Maria Garcia?", "Maria Garcia knows Python.")
    entity = Entity.objects.get(
        fingerprint=entities.compute_fingerprints(session, ["Maria Garcia"])[0]
    )
    entity_corrections.delete(entity)
    turn_of(session, "Maria Garcia again?", "Maria Garcia it is.")
    assert "Maria Garcia" not in names(session)
    buried = Entity.objects.get(pk=entity.pk)
    assert (buried.name, buried.snippet, buried.turn) == ("", "", None)
    with pytest.raises(NotFound):
        entity_corrections.delete(entity)


def test_what_was_removed_can_be_added_again(session: Session) -> None:
    turn = turn_of(session, "Who is Maria Garcia?")
    entity_corrections.delete(Entity.objects.get())
    entity_corrections.add(
        session, name="Maria Garcia", kind="name", snippet="A person.", turn=turn
    )
    (each,) = list_remembered_entities(session)
    assert each.entity.is_kept
    turn.delete()
    assert names(session) == []


def test_a_correction_stays_whatever_later_answers_say(session: Session) -> None:
    turn_of(session, "Who is Maria?")
    turn_of(session, "Is it Maria Garcia?")
    entity = Entity.objects.get(
        fingerprint=entities.compute_fingerprints(session, ["Maria Garcia"])[0]
    )
    entity_corrections.change(entity, name="María García López", snippet="Backend engineer.")
    turn_of(session, "Maria Garcia?", "Maria Garcia is a name.")
    turn_of(session, "María García López?", "“María García López” means someone else.")
    assert "Maria Garcia" not in names(session)
    entity.refresh_from_db()
    assert (entity.name, entity.snippet) == ("María García López", "Backend engineer.")
    assert entity.mentions == 2


def test_two_things_of_a_session_do_not_share_a_name(session: Session, colleague: User) -> None:
    one = entity_corrections.add(session, name="Maria", kind="name")
    two = entity_corrections.add(session, name="Tomasz", kind="name")
    with pytest.raises(EntityExists):
        entity_corrections.add(session, name="the MARIA", kind="term")
    with pytest.raises(EntityExists):
        entity_corrections.change(two, name="maria")
    entity_corrections.change(one, name="MARIA")
    theirs = entity_corrections.add(create_session(colleague), name="Maria", kind="name")
    assert theirs.fingerprint != one.fingerprint


def test_a_session_remembers_only_so_much(session: Session) -> None:
    for number in range(entities.MOST):
        entity_corrections.add(session, name=f"Person{number}", kind="name")
    with pytest.raises(MemoryFull):
        entity_corrections.add(session, name="One more", kind="name")


def test_each_act_of_the_person_is_in_the_audit_by_id(session: Session) -> None:
    entity = entity_corrections.add(session, name="Maria", kind="name")
    entity_corrections.change(entity, snippet="Someone.")
    entity_corrections.delete(entity)
    events = AuditEvent.objects.filter(subject_id=entity.pk).order_by("id")
    assert [event.action for event in events] == [
        "entity.added",
        "entity.changed",
        "entity.removed",
    ]


def test_nobody_else_sees_it(session: Session, stranger: User) -> None:
    entity_corrections.add(session, name="Maria", kind="name")
    assert Entity.objects.visible(session.owner).count() == 1
    assert not Entity.objects.visible(stranger).exists()


def test_what_is_gone_can_not_be_changed(session: Session) -> None:
    entity = entity_corrections.add(session, name="Maria", kind="name")
    Entity.objects.all().delete()
    with pytest.raises(NotFound):
        entity_corrections.change(entity, name="Anna")
    gone = Session(pk=uuid4(), owner=session.owner)
    with pytest.raises(NotFound):
        entity_corrections.add(gone, name="Maria", kind="name")
