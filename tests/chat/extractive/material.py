"""Small documents to be asked about, and how they are added and asked through the product."""

from chat.turns.pipeline import answer_now, take_turn
from citations.ingestion.adding import add_document
from citations.models import Document
from memory.conversations.asking import Question, create_session
from memory.models import Turn, User
from tests.citations import documents

HANDBOOK = """---
title: Harbour Handbook
authors: Ines Calder; Tom Okafor
year: 2024
---
# Harbour Handbook

This handbook describes how boats enter, stay in and leave the harbour of Brightsea.

## Berths

A berth is a place where one boat is moored. Every berth has water and electricity.

Boats longer than 18 metres may not use the inner basin. They moor at the outer pier instead.

How many berths does the harbour have?

The harbour has 240 berths. Forty of them are kept free for visitors.

## Fees

Table 1: Fees of a night, by the length of the boat.

| Length | Summer | Winter |
| --- | --- | --- |
| up to 8 m | 22 euros | 11 euros |
| 8 to 12 m | 31 euros | 16 euros |
| more than 12 m | 47 euros | 25 euros |

Fees are due before noon on the day of departure.

## People

The harbour master is Marta Lindqvist. Her deputy is Henrik Aas.

## History

The breakwater was finished on 14 May 1931. It was built because winter storms had destroyed the
wooden pier twice.

## Crane

To book the crane, these steps are needed:

1. Open the booking page of the harbour.
2. Choose a day and an hour.
3. Pay the deposit of 50 euros.

Run the following command to print the crane's timetable:

```
harbour crane --timetable --week 23
```

## Safety

The following equipment must be on board of every boat:

- a life jacket for each person
- a fire extinguisher
- a horn
"""

OTHER = """# Marina Guide

## Tides

The tide at Coldwater marina rises by 4 metres in spring.

## Coldwater and its marina

Coldwater marina closes its gates at 10 pm, while visitors with a key may enter at any time.
"""


def add(text: str, *, name: str = "note.md", owner: User | None = None) -> Document:
    """Add a file to the library and read it."""
    document = add_document(text.encode(), file_name=name, owner=owner)
    return documents.embed_units(documents.read(document))


def asked(owner: User, *questions: str, documents: list[Document] | None = None) -> Turn:
    """Ask the questions in one conversation; return the last turn, which is answered."""
    session = create_session(owner)
    for question in questions:
        begun = take_turn(session, Question(question))
        assert begun.attempt
        turn = answer_now(begun.attempt)
    assert turn.status == "complete", turn.failure
    return turn
