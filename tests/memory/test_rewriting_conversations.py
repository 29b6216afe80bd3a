"""Histories of any shape, as clients and data sets send them."""

from chat.evaluation.conversations import Retold, read_exchanges, read_subjects
from memory.recall.rewriting.exchanges import Exchange, Known, Rewrite
from memory.recall.rewriting.questions import ReadQuestion


def said(*messages: tuple[str, str]) -> list[dict[str, str]]:
    return [{"role": role, "content": content} for role, content in messages]


def test_questions_without_answers_and_answers_without_questions_are_kept() -> None:
    history = said(
        ("assistant", "Hello."),
        ("user", "What is it?"),
        ("user", "Is it big?"),
        ("assistant", "Yes."),
        ("assistant", "Very."),
    )
    assert read_exchanges(history) == [
        Exchange("", "Hello.", 1),
        Exchange("What is it?", "", 2),
        Exchange("Is it big?", "Yes.\nVery.", 3),
    ]


def test_a_system_line_says_what_the_conversation_is_about() -> None:
    history = said(("system", "Harry Wright — Cincinnati"), ("user", "When was he born?"))
    assert read_subjects(history) == [Known("Harry Wright", "document", 0)]
    assert read_exchanges(history) == [Exchange("When was he born?", "", 1)]


def test_earlier_questions_come_with_what_was_searched_for_and_are_rewritten_once() -> None:
    asked: list[str] = []

    def louder(question: ReadQuestion, before: object, known: object) -> Rewrite:
        asked.append(question.text)
        return Rewrite(question.text.upper(), "louder")

    told = Retold(louder)
    history = said(("user", "One?"), ("assistant", "1"), ("user", "Two?"), ("assistant", "2"))
    assert told.rewrite("Three?", history).query == "THREE?"
    assert [each.standalone for each in told.exchanges(history)] == ["ONE?", "TWO?"]
    assert asked == ["One?", "Two?", "Three?"]
