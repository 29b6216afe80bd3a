"""Structures by a real model: how many of two questions each parse, and are cited rightly.

`make test-model` prints the count; the words of a small model are not looked at.
"""

from collections import Counter
from collections.abc import Iterator

import pytest

from chat.shapes.resources.turns import load_citations, turn_shape
from chat.turns.pipeline import answer_now, take_turn
from chat.turns.structured import writing
from memory.conversations.asking import Question, create_session
from memory.models import Turn, User

pytestmark = [pytest.mark.django_db, pytest.mark.deep]

# Small, since a small machine reads some 50 tokens of a prompt in a second.
WINDOW = 2048
ASKED = {
    "single_item": ("Tell me about Ana Ribeiro", "Háblame de María García"),
    "risk_assessment": ("What are the risks of hiring Ana Ribeiro?", "¿Qué riesgos tiene Juan?"),
    "comparison": ("Compare Ana Ribeiro and Juan Pérez", "Compara a María García y Tomasz Nowak"),
    "search": ("Which documents mention PostgreSQL?", "¿Qué documentos mencionan React?"),
    "ranking": ("Who is the best for Backend?", "¿Quién es el mejor para Frontend?"),
    "match": (
        "Does Ana Ribeiro match the frontend role?",
        "¿Encaja María en el puesto backend?",
    ),
    "team": ("Build a team for a web project", "Forma un equipo para un proyecto web"),
    "verification": (
        "Is it true that María García works at Banco Meridiano?",
        "¿Es cierto que Ana Ribeiro tiene tres años de experiencia?",
    ),
    "summary": ("Summarise the CV of Ana Ribeiro", "Resume el currículum de Juan Pérez"),
}


@pytest.fixture(scope="module")
def counted() -> Iterator[Counter[str]]:
    counts: Counter[str] = Counter()
    yield counts
    print(f"\n{dict(counts)}")


@pytest.mark.parametrize(
    ("structure", "query"), [(name, query) for name, both in ASKED.items() for query in both]
)
def test_a_structure_ends_as_a_checked_table_or_honestly_as_prose(
    owner: User,
    library: None,
    monkeypatch: pytest.MonkeyPatch,
    counted: Counter[str],
    structure: str,
    query: str,
) -> None:
    amended: list[str] = []
    amend = writing.amend_last
    monkeypatch.setattr(
        writing, "amend_last", lambda told, more: amended.append(more) or amend(told, more)
    )
    session = create_session(owner, context_window=WINDOW)
    asked = take_turn(session, Question(query, structure=structure))
    answer_now(asked.attempt)
    turn = turn_shape(load_citations(Turn.objects.filter(pk=asked.turn.pk)).get())
    content = turn["structured_output"]
    cells = [cell for row in content["rows"] for cell in row if cell["state"]] if content else []
    counted["asked"] += 1
    counted["parsed"] += bool(content)
    counted["parsed at once"] += bool(content) and not amended
    counted["cells"] += len(cells)
    counted["cited"] += sum(bool(cell["numbers"]) for cell in cells)
    counted["supported"] += sum(cell["state"] == "supported" for cell in cells)
    print(structure, turn["outcome"], turn["failure"], bool(content), len(amended), len(cells))

    assert turn["status"] == Turn.Status.COMPLETE
    assert content or turn["failure"] or turn["outcome"] != "answered"
