"""The profile of a document: what it says of itself, and questions that it answers."""

import pytest

from citations.ingestion.adding import add_document
from citations.ingestion.chunking import chunk_sections
from citations.ingestion.profiling import DocumentProfile, profile_document
from citations.ingestion.profiling.dates import find_stated_date
from citations.languages import identify_language
from citations.models import Document
from citations.readers import inspect_file, read_file
from memory.jobs import queue
from tests.citations import files

NOTE = b"""# The Harbour Rules

Ratified on March 26th, 2022.

## 1. Introduction

The Harbour Rules say who may moor where. They bind every vessel in the harbour.

## 2. Berths

A berth pass is a permit to moor for one night. The berth pass is sold by the harbour master, and
whoever moors without a berth pass pays the fee twice. It must be shown when asked for.

## How to report a leak

Call the harbour master on channel 9, say where your vessel is, and close the sea cocks at once.

## Who may moor at the pier?

Only those who hold a pass.
"""

MAIL = b"""Message-ID: <1@example.org>
From: Ann Lee <ann@example.org>
To: All <all@example.org>
Subject: Heating off on Thursday

Dear all,

the heating will be switched off on Thursday from 8 to 14 h, because a pump has to be replaced.

Ann
"""


def profiled(data: bytes, name: str = "a.md") -> DocumentProfile:
    found = inspect_file(data, name)
    reading = read_file(data, found.media_type)
    title = reading.title or found.about.title
    return profile_document(title, reading, list(chunk_sections(reading.sections, title=title)))


def test_a_profile_tells_language_date_outline_and_what_it_is_about():
    found = profiled(NOTE)
    assert (found.language, found.date) == ("en", "2022-03-26")
    assert found.about == (
        "The Harbour Rules say who may moor where. They bind every vessel in the harbour."
    )
    assert [(entry.level, entry.heading, entry.position) for entry in found.outline] == [
        (0, "1. Introduction", 1),
        (0, "2. Berths", 2),
        (0, "How to report a leak", 3),
        (0, "Who may moor at the pier?", 4),
    ]


LONG = "The crane lifts what the harbour master says, and the rest waits at the quay. " * 4


def test_its_questions_name_what_they_ask_for():
    assert profiled(NOTE).questions[:1] == ["Who may moor at the pier?"]
    defined = "“Berth Pass” means the paper that lets a vessel moor at the pier. " + LONG
    assert profiled(f"# Rules\n\n{defined}".encode()).questions == ["What does “Berth Pass” mean?"]


def test_a_document_that_defines_nothing_is_asked_for_its_headings_in_its_language():
    text = (
        "# Hafenregeln\n\n## Liegeplätze\n\n"
        + "Wer hier liegt, zahlt die Gebühr und ist froh. " * 9
    )
    assert profiled(text.encode()).questions == ["Was sollte ich über „Liegeplätze“ wissen?"]


def test_nothing_is_asked_that_any_document_could_be_asked():
    long = (
        "The output is a list that a program writes, and the output is read by whoever waits. " * 5
    )
    text = f"# Programs\n\n## Other\n\n{long}\n\n## About this Book\n\n{long}"
    assert profiled(text.encode()).questions == []


def test_a_heading_is_asked_as_people_write_it():
    headings = "G3. It drips/I found a leak. Who mends it?", "Q2: Who may use the crane?", "WHY???"
    text = "# Cranes\n\n" + "".join(f"## {each}\n\n{LONG}\n\n" for each in headings)
    assert profiled(text.encode()).questions == ["Who may use the crane?"]
    german = "Wer den Kran benutzt, zahlt die Gebühr und ist froh. " * 9
    lektion = (
        f"# Kräne\n\n## Lektion 1.1: HEBEN DES HAKENS\n\n{german}\n\n## Zusammenfassung von 1\n"
    )
    told = profiled(f"{lektion}\n{german}".encode()).questions
    assert told == ["Was sollte ich über „Heben des Hakens“ wissen?"]


def test_a_heading_that_points_around_itself_or_says_nothing_is_not_asked() -> None:
    headings = "What is this FAQ about?", "Behaviour", "Misc.", "Cranes and hooks"
    text = "# The harbour\n\n" + "".join(f"## {each}\n\n{LONG}\n\n" for each in headings)
    assert profiled(text.encode()).questions == ["What should I know about cranes and hooks?"]


@pytest.mark.parametrize(
    ("text", "date"),
    [
        ("Version 1.9, ratified on March 26th, 2022", "2022-03-26"),
        ("Actualizado el 3 de mayo de 2021.", "2021-05-03"),
        ("Stand: 26. März 2019", "2019-03-26"),
        ("Due 2020-02-30. Date: 2021-07-01", "2021-07-01"),
        ("June 2018", "2018-06"),
        ("Copyright © 2011-2014 the authors", "2014"),
        ("It has 1999 pages.", ""),
        ("Copyright (C) 1986 - 1993, 1998, 2004 A. Doe\nCopyright (C) 2004-2020 B. Roe", "2020"),
        ("Summer party\n\nCome to the pier on 12 June 2027, and bring a friend.", ""),
        ("Summer party\n\nThe date of the party is 12 June 2027.", ""),
        ("Berth rules\nOffice, 3 May 2021\nThey bind all from 1 July 2023 on.", "2021-05-03"),
        ("Berth rules\n\nLast updated by Ann Doe on 3 May 2021", "2021-05-03"),
        ("All that is new since 3 May 2019 is told here.\n\n© 2022 Harbour office", "2022"),
    ],
)
def test_the_date_is_the_one_that_is_said_to_be_the_work_s(text, date):
    assert find_stated_date(text) == date


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("What does the committee decide in the first year?", "en"),
        ("La comisión decide en el primer año sobre las cuentas.", "es"),
        ("Der Ausschuss entscheidet im ersten Jahr über die Mittel.", "de"),
        ("La commission décide dans la première année sur les comptes.", "fr"),
        ("A comissão não decide no primeiro ano sobre as contas.", "pt"),
        ("La commissione decide nel primo anno sui conti della società.", "it"),
        ("Komisyon ilk yılda hesaplar hakkında karar verir ve bunu için yazar.", "tr"),
        ("Комиссия принимает решение в первый год.", "ru"),
        ("委员会在第一年作出决定。", "zh"),
        ("تتخذ اللجنة القرار في السنة الأولى.", "ar"),
        ("1234 5678", ""),
    ],
)
def test_the_language_is_told_by_letters_and_common_words(text, code):
    assert identify_language(text) == code


@pytest.mark.django_db
def test_the_profile_is_stored_and_a_shown_title_takes_the_place_of_a_file_s_name(owner):
    pieces = [(60, 60, "The Harbour Rules", "large"), (60, 100, "By Jane Doe")]
    pieces += files.column(
        60, 130, ["A berth pass is a permit to moor for one night.", "It costs 5."]
    )
    data = files.pdf([files.placed(*pieces)])
    document = add_document(data, file_name="scan-0012.pdf", owner=owner)
    named = add_document(data, file_name="scan-0012.pdf", title="Mine")
    assert document.title == "Scan 0012"
    queue.run_due()
    document.refresh_from_db()
    named.refresh_from_db()
    assert (document.title, named.title) == ("The Harbour Rules", "Mine")
    assert (document.authors, document.language) == (["Jane Doe"], "en")
    assert Document.objects.get(pk=document.pk).about.startswith("A berth pass is a permit")


def test_what_a_mail_is_about_is_what_it_says_first() -> None:
    assert profiled(MAIL, "a.eml").about.startswith("the heating will be switched off on Thursday")


def test_a_table_has_no_date_of_the_days_that_it_lists() -> None:
    assert (
        profiled(b"date,price\nJan 1 2000,13\nFeb 1 2000,14\nMar 1 2000,12\n", "a.csv").date == ""
    )


def test_who_drew_it_up_is_told_without_where_they_work() -> None:
    terms = (
        "Deutsche Lizenz\n\nErstellt von Ada Meyer und Bo Lund, Institut für Recht (http://a.de)."
    )
    assert profiled(f"{terms}\n\nDie Lizenz gilt.\n".encode(), "a.txt").authors == [
        "Ada Meyer",
        "Bo Lund",
    ]


def test_what_a_licence_is_about_is_what_it_licenses() -> None:
    licence = b"""# Open Terms

Permission is granted to everyone who gets a copy of the program to use it and to pass it on.

Each copy that you pass on must have this licence and the copyright notice with it, unchanged.

The program comes without any warranty, and its owners are not liable for what it does to you.

Put these lines at the top of each of your files, in the way that comments are written there.
"""
    assert profiled(licence).about.startswith("Permission is granted to everyone")


MANUAL = b"""# rope(1)

## NAME

rope - counts ropes

## SYNOPSIS

Use rope with one harbour and no boat, and it lists the ropes of that harbour instead.

## DESCRIPTION

Ropes are counted by their length, and those that are shorter than a boat are left out.
"""


def test_a_manual_page_is_about_its_name_and_not_how_it_is_called() -> None:
    assert profiled(MANUAL).about == "rope - counts ropes"
    unnamed = MANUAL.replace(b"rope - counts ropes", b"rope")
    assert profiled(unnamed).about.startswith("Ropes are counted")
