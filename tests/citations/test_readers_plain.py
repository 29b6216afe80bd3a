"""Plain text: what lines are, told by how they are typed."""

import pytest

from citations.formats import plain
from citations.formats.kinds import PLAIN, kind_of
from citations.formats.reading import BadFile, FileReading, ReadingLimits, silent

LIMITS = ReadingLimits(pages=10)
WRAPPED = """\
The committee may appoint a member of the public to serve until the
next general meeting, which elects a successor by a simple majority."""


def read(text: str) -> FileReading:
    return plain.read(text.encode(), LIMITS, silent)


def blocks(text: str) -> list[tuple[str, str]]:
    return [(block.kind, block.text) for part in read(text).sections for block in part.blocks]


def headings(text: str) -> list[list[str]]:
    return [section.headings for section in read(text).sections]


def test_wrapped_lines_are_joined_and_long_ones_are_paragraphs_of_their_own():
    assert blocks(WRAPPED) == [("paragraph", WRAPPED.replace("\n", " "))]
    long = "A sentence that goes on and on. " * 8
    assert blocks(f"{long}\n{long}") == [("paragraph", long.strip())] * 2


def test_lines_that_end_in_a_share_are_one_each():
    lines = [
        f"{where} region of the country has a share of 1{at}%" for at, where in enumerate("NS")
    ]
    assert blocks("\n".join(lines)) == [("paragraph", "\n".join(lines))]


def test_numbered_headings_of_a_constitution_are_told_from_its_numbered_items():
    text = f"""              Rules of the Society

5. The Leader

  5.1. Powers

   The Leader may
    1. appoint
       delegates;
    2. lend authority.

  5.2. Appointment

{WRAPPED}

SECTION 6

{WRAPPED}
"""
    assert read(text).title == "Rules of the Society"
    assert headings(text) == [
        ["5. The Leader", "5.1. Powers"],
        ["5. The Leader", "5.2. Appointment"],
        ["SECTION 6"],
    ]
    assert blocks(text)[:3] == [
        ("paragraph", "The Leader may"),
        ("item", "1. appoint delegates;"),
        ("item", "2. lend authority."),
    ]


@pytest.mark.parametrize(
    "line",
    [
        "Title\n=====",
        "ALL IN CAPITALS",
        "2.3 How to Vote",
        "How is it done?",
        "Chapter IV Of Votes",
    ],
)
def test_a_line_that_stands_alone_as_headings_do_is_one(line):
    assert headings(f"{WRAPPED}\n\n{line}\n\n{WRAPPED}")[1:] == [[line.split("\n")[0]]]


@pytest.mark.parametrize(
    "line", ["1. one\n\n2. two", "Only this.", "Dear all,", "as said:", '"MARTA!"', "“You May Go.”"]
)
def test_a_line_that_stands_alone_otherwise_is_none(line):
    assert headings(f"{WRAPPED}\n\n{line}\n\n{WRAPPED}") == [[]]


def test_what_somebody_says_behind_a_colon_is_nothing_to_type():
    assert blocks('Then she said:\n\n"no--not much."')[1:] == [("paragraph", '"no--not much."')]


def test_indented_commands_and_fenced_lines_are_code_and_indented_sentences_are_not():
    text = f"""{WRAPPED} Type:

    $ git stash
    $ git  pull --rebase

        The note is set farther in, but it is made of words all the same.

----
#  x
   y
----
"""
    assert blocks(text)[1:] == [
        ("code", "$ git stash\n$ git  pull --rebase"),
        ("paragraph", "The note is set farther in, but it is made of words all the same."),
        ("code", "#  x\n   y"),
    ]


def test_sentences_between_two_rules_are_no_code_and_a_note_with_its_number_is_an_item():
    for rule in ("-" * 60, "-----"):
        text = f"""{WRAPPED}

{rule}

{WRAPPED}

    ^[2] The note is set farther in, and says <all> of | what it says.

{rule}

    Get it from https://docs.example/the/page_1, or from
    https://mirror.example/the/page_1
"""
        kinds = [kind for kind, _ in blocks(text)]
        assert kinds == ["paragraph", "paragraph", "item", "paragraph"]


MANUAL = """\
ROTATE(8)            System Administrator's Manual            ROTATE(8)

NAME
       rotate - removes  the  files  of  yesterday,  and keeps those of
       today  where  they  are,  with  all that is in them, as they were
       left by whoever was there last.

OPTIONS
       -f, --force
              Remove what is still in use, even if it was only be‐
              gun a moment ago.

   Telling what is done
       -d
       --debug
              Say what would be done.

       /var/log/messages {
           rotate 5
       }
"""


def test_a_manual_page_has_its_title_its_headings_and_its_options_with_what_they_mean():
    assert read(MANUAL).title == "rotate(8)"
    assert headings(MANUAL) == [
        ["NAME"],
        ["OPTIONS"],
        ["OPTIONS", "Telling what is done"],
    ]
    found = blocks(MANUAL)
    assert found[0][0] == "paragraph"
    assert found[1:3] == [
        (
            "item",
            "- -f, --force: Remove what is still in use, even if it was only begun a moment ago.",
        ),
        ("item", "- -d, --debug: Say what would be done."),
    ]
    assert "item" not in {kind for kind, _ in found[3:]}


OPTIONS = """\
FETCHALL(1)                      User Commands                     FETCHALL(1)

NAME
       fetchall - bring every file of a list

DESCRIPTION
       -a     take all of them, whatever they are called, wherever they are and
              whoever put them there

       -b     begin anew

       --cautious <level>
              Stop at the first file that can't be had. The level says how many
              more are tried before that.

              If --cautious is given several times, the last one counts.

              Example:
               fetchall --cautious 3 list.txt

       --dry  Only say what would be done.

              Nothing is written. Files that are there already stay where they
              are.

       --even Bring only every second one.

              The first one is brought, the second one is not.

EXIT STATUS
       0      Everything was brought.
       1      Something was left out.

       2
           The list can't be read.

fetchall 1.0                       May 2026                        FETCHALL(1)
"""


def test_what_a_manual_says_of_an_option_stays_with_it_down_to_its_last_paragraph():
    found = {tuple(part.headings): part.blocks for part in read(OPTIONS).sections}
    assert found["DESCRIPTION", "--cautious <level>"] == [
        (
            "item",
            "- --cautious <level>: Stop at the first file that can't be had. The level says how"
            " many more are tried before that.",
        ),
        ("paragraph", "If --cautious is given several times, the last one counts."),
        ("paragraph", "Example:"),
        ("code", "fetchall --cautious 3 list.txt"),
    ]
    assert found["DESCRIPTION", "-b"] == [("item", "- -b: begin anew")]
    assert found["DESCRIPTION", "--dry"][1].text.startswith("Nothing is written.")


def test_of_a_manual_a_bullet_may_stand_before_a_term_and_a_synopsis_before_sentences():
    page = """COOL(1)                     Kitchen Manual                     COOL(1)

SYNOPSIS
       cool [options] food

       It keeps whatever is put into it as fresh as it was before.

OPTIONS
       ○   --egg / -e:

           Keep the egg.

       ○   --milk:

           Keep the milk.

       ○   Shut the door.

Kitchen                         May 2020                        COOL(1)
"""
    assert blocks(page) == [
        ("code", "cool [options] food"),
        ("paragraph", "It keeps whatever is put into it as fresh as it was before."),
        ("item", "- --egg / -e: Keep the egg."),
        ("item", "- --milk: Keep the milk."),
        ("item", "- Shut the door."),
    ]


def test_of_a_manual_what_a_number_means_is_an_item_and_its_last_line_is_left_out():
    assert blocks(OPTIONS)[-3:] == [
        ("item", "- 0: Everything was brought."),
        ("item", "- 1: Something was left out."),
        ("item", "- 2: The list can't be read."),
    ]


@pytest.mark.parametrize("encoding", ["utf-16-le", "utf-16-be"])
@pytest.mark.parametrize(
    "text", [WRAPPED, "Мы — члены общества.\nИ будем ими.\n" * 9, "日本語の文。\n" * 9]
)
def test_utf_16_without_a_mark_is_read_and_bytes_that_are_no_text_are_not(encoding: str, text: str):
    assert blocks(text) == [
        (block.kind, block.text)
        for part in plain.read(text.encode(encoding), LIMITS, silent).sections
        for block in part.blocks
    ]
    assert kind_of(text.encode(encoding), "a.txt") == PLAIN
    for data in (b"text\x00mores", bytes(range(256)) * 8, b"\x01\x00\x00\x00" * 99):
        with pytest.raises(BadFile, match="binary"):
            kind_of(data, "a.txt")


def test_what_a_list_of_questions_marks_as_asked_is_a_heading():
    asked = "Why are there so many of them, and who has\n   ever asked for one?"
    text = f"Q: {asked}\n\nA: {WRAPPED}\n\nQ2. Who are they?\nA2. Nobody knows.\n"
    assert headings(text) == [[" ".join(asked.split())], ["Who are they?"]]
    assert [said for _, said in blocks(text)] == [" ".join(WRAPPED.split()), "Nobody knows."]


def test_what_the_text_before_says_to_type_is_code():
    hold, release = (
        "Hold it with:\n\napt-mark hold foo",
        "and let it go with\n\napt-mark unhold foo",
    )
    assert blocks(f"{WRAPPED} {hold}\n\n{release}\n")[1:] == [
        ("code", "apt-mark hold foo"),
        ("paragraph", "and let it go with"),
        ("code", "apt-mark unhold foo"),
    ]
    assert [kind for kind, _ in blocks(f"{WRAPPED} Thus:\n\nor\n\nso it is said.\n")[1:]] == [
        "paragraph",
        "paragraph",
    ]


def test_a_heading_with_a_number_may_go_over_two_lines():
    question = "3.1. Which of the distributions that there are is\nthe better one for me?"
    assert headings(f"3. Choosing\n\n{question}\n\n{WRAPPED}") == [
        ["3. Choosing", question.replace("\n", " ")]
    ]


def test_contents_are_left_out_and_numbers_may_end_in_a_colon():
    entries = ["1.1. What is it?", "1.2. Who wrote it, and\n     when was that?", "1.3. Where?"]
    asked = ["1.1: What is it?", "1.2: Who wrote it?", "1.3: Where?", "1.4: Why?"]
    body = "\n\n".join(f"{question}\n\n{WRAPPED}" for question in asked)
    text = "\n".join([*entries, "1.4. Why?"]) + f"\n\n{body}\n"
    assert headings(text) == [[question] for question in asked]
    assert {text for _, text in blocks(text)} == {WRAPPED.replace("\n", " ")}


def test_items_marked_by_a_letter_are_no_table():
    text = f"{WRAPPED}\n\no  the first one\no  the second one\no  the third one\n"
    assert [kind for kind, _ in blocks(text)[1:]] == ["item", "item", "item"]


def test_options_that_a_program_lists_are_items_under_what_they_are_for():
    text = """Usage: kettle [OPTIONS] CUP...

Water:
  -t,  --heat=DEGREES       stop at so many DEGREES
       --softer             filter lime
                              before it is heated
  -nq, --no-quiet           whistle
Cups:
  -c, --colour[=WHEN],
      --color[=WHEN]        paint them
      --write-the-names-of=LIST
                            each gets one of the LIST
      --rows-and-columns=NUMBER how they stand

Report faults to the smith."""
    assert blocks(text) == [
        ("paragraph", "Usage: kettle [OPTIONS] CUP..."),
        ("item", "- -t, --heat=DEGREES: stop at so many DEGREES"),
        ("item", "- --softer: filter lime before it is heated"),
        ("item", "- -nq, --no-quiet: whistle"),
        ("item", "- -c, --colour[=WHEN], --color[=WHEN]: paint them"),
        ("item", "- --write-the-names-of=LIST: each gets one of the LIST"),
        ("item", "- --rows-and-columns=NUMBER: how they stand"),
        ("paragraph", "Report faults to the smith."),
    ]
    assert headings(text) == [[], ["Water"], ["Cups"], []]


def test_an_option_stands_alone_and_what_is_typed_with_options_is_no_list_of_them():
    alone = (
        "Options:\n\n      --dry\n          Pour nothing\n\n  -q, --quiet\n          Say nothing"
    )
    assert blocks(alone) == [
        ("item", "- --dry: Pour nothing"),
        ("item", "- -q, --quiet: Say nothing"),
    ]
    assert headings(alone) == [["Options"]]
    typed = "Type this:\n\n    brew \\\n      -t 90  \\\n      -q  cup"
    assert [kind for kind, _ in blocks(typed)] == ["paragraph", "code"]


def test_columns_of_cells_and_bars_are_tables():
    typed = (
        "Name      Share   Rank\nalpha     12.5    1\nbeta      3.0     2\ngamma     1.5     3\n"
    )
    barred = "+---+---+\n| k | v |\n+---+---+\n| 1 |   |\n+---+---+"
    assert blocks(typed) == [
        ("header", "Name | Share | Rank"),
        ("row", "alpha | 12.5 | 1"),
        ("row", "beta | 3.0 | 2"),
        ("row", "gamma | 1.5 | 3"),
    ]
    assert blocks(barred) == [("header", "k | v"), ("row", "1")]


def test_pages_of_an_rfc_are_joined_and_its_contents_left_out():
    lines = "   The entity that sends it must know the\n".splitlines()
    page = [*lines, "", "", "Doe & Roe          Informational        [Page {}]", ""]
    head = "RFC 9999            On Notes            May 2022"
    text = "Table of Contents\n\n   1. Notes ............ 2\n   2. More ............ 3\n\n"
    for number in range(1, 5):
        text += "\n".join(page).format(number) + f"\n\f\n{head}\n\n"
    text += "   end of it all."
    said = " ".join(["The entity that sends it must know the"] * 4)
    assert ("paragraph", f"{said} end of it all.") in blocks(text)
    assert not any(sign in part for _, part in blocks(text) for sign in ("Page", "9999", "..."))


BODY = "The pump of the {} engine is looked at once a month by whoever has the watch\n"


@pytest.mark.parametrize("feed", ["\f", "\n"])
def test_heads_and_feet_of_pages_are_told_by_repetition(feed):
    text = "Rules for Engines\n\n"
    for page in range(1, 8):
        body = "".join(BODY.format(f"{page * 40 + line}th") for line in range(40))
        foot = f"{page}      Rec. T.81 (1992 E)" if page % 2 else f"Rec. T.81 (1992 E)      {page}"
        head = "Engines and Pumps v2.1\n\n" if page > 1 else ""
        text += f"{head}{body}\n\n{foot}\n{feed}"
    found = read(text)
    assert found.title == "Rules for Engines"
    assert headings(text) == [[]]
    assert not [sign for sign in ("T.81", "v2.1", "Pumps") if sign in found.sections[0].text]


def test_a_head_with_the_number_of_its_page_is_none_of_the_text_however_rare_it_is():
    names = ("Pumps", "Valves", "Seals", "Pumps")
    pages = [
        f"{name}          {page}\n\nHow {name.lower()} of deck {page * 10}\nare kept, and by whom,"
        for page, name in enumerate(names, 3)
    ]
    pages.append("2 The Watch\n\nNobody")
    text = "\f".join(pages)
    assert headings(text) == [[], ["2 The Watch"]]
    assert not any(f"{name} " in f"{part} " for _, part in blocks(text) for name in names)


def test_chapters_that_begin_on_pages_are_kept():
    pages = [f"Chapter {number}\n\n{WRAPPED}\n\n{WRAPPED}" for number in (1, 3, 4, 9)]
    pages[0] = f"On Notes\n\n{pages[0]}"
    text = "\n\f".join(f"{page}\n\n{number}" for number, page in enumerate(pages, 5))
    assert headings(text) == [["Chapter 1"], ["Chapter 3"], ["Chapter 4"], ["Chapter 9"]]
    assert not any(part.endswith(" 5") for _, part in blocks(text))


@pytest.mark.parametrize(
    ("text", "title"),
    [
        ("On Notes\n\nText.", "On Notes"),
        ("On Notes\n========\nText.", "On Notes"),
        ("From: me\nTitle: On Notes\n\nText.", "On Notes"),
        ("A sentence.\n\nText.", ""),
        ("Only a line", ""),
        ("First line\nsecond line\n\nText.", ""),
        ("- item\n\nText.", ""),
        (f"{' ' * 20}Open Terms\n{' ' * 22}Version 2.0\n\n   1. Text.", "Open Terms"),
        (f"{' ' * 20}one\n{' ' * 20}two", ""),
        ("Copyright (c) 2020 Ada Calder\n\nText.", ""),
    ],
)
def test_the_title_is_a_first_line_that_stands_alone(text, title):
    assert plain.inspect(text.encode(), LIMITS).title == title


JUSTIFIED = """
NAME
       rotate - turns the files of yesterday into those of last week

OPTIONS
       --exclude-dir=GLOB
              Leaves   out  each   directory  of  the  command  line  whose
              name fits the pattern. Where directories are searched through,
              this    leaves    out    each    directory    below    them,    too.

       Token        Meaning
       {start}      The first window
       {end}        The last window
       {next}       The next window by number
"""


def test_words_that_are_spread_evenly_are_no_cells():
    found = blocks(JUSTIFIED)
    assert found[1] == (
        "item",
        "- --exclude-dir=GLOB: Leaves out each directory of the command line whose name fits the"
        " pattern. Where directories are searched through, this leaves out each directory below"
        " them, too.",
    )
    assert [kind for kind, _ in found[2:]] == ["row"] * 4


DRAWN = """
What the flags say:

┌────┬──────────────────────────┐
│Flag│       Description        │
├────┼──────────────────────────┤
│R   │The key has been revoked  │
│    │and can't be used.        │
├────┼──────────────────────────┤
│X   │The key is expired.       │
└────┴──────────────────────────┘

━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━

The end of it all.
"""


def test_a_table_with_drawn_borders_is_read_by_its_rows():
    assert [each for each in blocks(DRAWN) if each[0] in ("header", "row")] == [
        ("header", "Flag | Description"),
        ("row", "R | The key has been revoked and can't be used."),
        ("row", "X | The key is expired."),
    ]


def test_what_a_terminal_prints_over_is_read_once():
    text = "A\bAB\bBC\bC(1)\n\nThe _\bm_\ba_\bn page says \x1b[1mNO\x1b[0m to b\bbo\bold.\n\nEnd.\n"
    found = plain.read(text.encode(), LIMITS, silent)
    assert found.title == plain.inspect(text.encode(), LIMITS).title == "ABC(1)"
    assert blocks(text)[0] == ("paragraph", "The man page says NO to bold.")


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "windows-1252"])
def test_the_encodings_of_western_europe_are_read(encoding: str):
    said = "Die Kündigung ist binnen 14 Tagen möglich – „schriftlich“ und für 5 € je Café."
    assert blocks_of(said.encode(encoding)) == [("paragraph", said)]


@pytest.mark.parametrize(
    ("said", "encoding"),
    [
        ("Wszyscy pracownicy mają prawo do urlopu, który jest płatny.", "windows-1250"),
        ("Каждый работник имеет право на отпуск.", "windows-1251"),
        ("Κάθε εργαζόμενος έχει δικαίωμα άδειας.", "windows-1253"),
    ],
)
def test_what_would_read_as_other_letters_is_refused(said: str, encoding: str):
    with pytest.raises(BadFile, match="not_utf8"):
        blocks_of(said.encode(encoding))


def blocks_of(data: bytes) -> list[tuple[str, str]]:
    found = plain.read(data, LIMITS, silent)
    return [(block.kind, block.text) for part in found.sections for block in part.blocks]


LAW = """\
          The Charter of the League

Preamble

We, the members, make this charter for as long as the League stands.

Article I

Section 1

All powers are vested in a Council, which consists of a chair and of members.

Article II

The Chair

Section 1.

The chair is elected for two years, and may be elected once more after that.

Amendment XVI

The Council may collect dues on what is earned, from whatever source derived.

Amendment XX
Section 1
The terms of the chair end at noon on the 20th day of January.
"""


def test_articles_hold_sections_and_amendments_stand_beside_articles():
    assert headings(LAW) == [
        ["Preamble"],
        ["Article I", "Section 1"],
        ["Article II The Chair", "Section 1."],
        ["Amendment XVI"],
        ["Amendment XX", "Section 1"],
    ]


def test_sections_hold_articles_where_they_come_first():
    said = "Jedes Mitglied hat das Recht, binnen eines Monats Auskunft zu erhalten."
    text = f"Abschnitt 2\n\nPflichten\n\nArtikel 15\n\nAuskunft für alle\n\n{said}\n\n"
    assert headings(f"{text}§ 16 Fristen\n\n{said}\n") == [
        ["Abschnitt 2 Pflichten", "Artikel 15 Auskunft für alle"],
        ["Abschnitt 2 Pflichten", "§ 16 Fristen"],
    ]
    assert read(f"Artikel 1\n\n{said}\n").title == ""


def test_a_list_of_all_headings_is_left_out_however_its_entries_stand():
    names = [
        f"{chapter}.{at}. Rule {chapter} about /etc{at}" for chapter in (1, 2) for at in range(1, 7)
    ]
    body = "".join(f"{name}\n\n{WRAPPED}\n\n" for name in names)
    bare = "Table of Contents\n\n" + "".join(f"   {name}\n" for name in names)
    parted = "Contents\n\n" + "".join(f"  * {name}\n\n" for name in names)
    for contents in (bare, parted):
        text = f"The Rules of the House\n\n{contents}\n{body}"
        assert [heading for (heading,) in headings(text)] == names
        assert {kind for kind, _ in blocks(text)} == {"paragraph"}


def test_numbered_lines_that_are_said_nowhere_else_stay():
    steps = "".join(f"{at}. Turn the key number {at} to the left.\n" for at in range(1, 13))
    assert len(blocks(f"What is to be done\n\n{steps}")) == 12


def test_sections_of_a_licence_are_headings_and_a_number_within_a_sentence_begins_no_item():
    text = f"""1. Basic Permissions.

{WRAPPED}

2. Termination.

  a) The work must carry notices that say that it is released under section
  7.  This requirement changes nothing else of what is said above about it.

  b) Nobody may leave them out.
"""
    found = read(text).sections
    assert [part.headings for part in found] == [["1. Basic Permissions."], ["2. Termination."]]
    assert [block.text for block in found[1].blocks] == [
        "a) The work must carry notices that say that it is released under section 7. This"
        " requirement changes nothing else of what is said above about it.",
        "b) Nobody may leave them out.",
    ]


def test_a_list_of_changes_is_read_release_by_release_and_fields_keep_their_lines():
    text = """rotate (1.2-3) unstable; urgency=low

  * Forget what is older than a week.

 -- Jo Roe <jo@example.org>  Thu, 05 Jan 2023 14:20:48 +0100

rotate (1.2-2) unstable; urgency=medium

  * New release.

Files: *
Copyright: 2001 Jo Roe
           2017 Ann Poe
License: GPL-2
"""
    found = read(text)
    assert found.title == "Changes of rotate"
    releases = ["rotate (1.2-3) unstable; urgency=low", "rotate (1.2-2) unstable; urgency=medium"]
    assert [part.headings for part in found.sections] == [[release] for release in releases]
    fields = "Files: *\nCopyright: 2001 Jo Roe; 2017 Ann Poe\nLicense: GPL-2"
    assert found.sections[1].blocks[-1].text == fields


LICENCE = """\
HARBOUR PUBLIC LICENCE v. 2
Harbour licence, as of today

1.Definitions
In this licence the terms below have a meaning of their own, {for} all of it, and
for what goes along with it, as the case may be:
— a berth is where a boat is moored for a night or longer, {for} and electricity for those
who ask for it,
— a pass is what lets one in.

2.Scope
The licensor grants a licence to moor at the pier {for} the boat is not longer than the berth
and its owner pays what is due.

2.1 Limits
No boat may stay for more than a year, unless the harbour {for} in writing, and before
the year is over, which must be shown on demand.

3.Law
The law of the harbour applies.
""".replace("{for}", "(as is said in so many words above, for those who look for it there)")


def test_numbered_titles_right_above_their_text_are_headings_and_wide_lines_are_wrapped() -> None:
    found = read(LICENCE)
    assert found.title == "HARBOUR PUBLIC LICENCE v. 2"
    assert [each.headings for each in found.sections][1:] == [
        ["1. Definitions"],
        ["2. Scope"],
        ["2. Scope", "2.1. Limits"],
        ["3. Law"],
    ]
    items = [block.text for block in found.sections[1].blocks if block.kind == "item"]
    assert items[0].endswith("electricity for those who ask for it,")
    assert len(items) == 2


def test_numbers_that_do_not_go_up_are_no_titles() -> None:
    text = "3.Third\nIt is said here.\n\n1.First\nIt is said there.\n\n2.Second\nIt is said."
    assert headings(text) == [[]]


ENTRY = """  {name}

      Description : Where those meet who {what}
                    from {name}.

                    It began in spring.
      Moderated   : no

"""


def test_the_name_of_an_entry_stands_with_the_fields_below_it() -> None:
    text = "Lists\n\n" + "".join(
        ENTRY.format(name=f"{each}@boats.example", what="sail") for each in ("alba", "bora", "cers")
    )
    assert blocks(f"{WRAPPED}\n\n{text}")[-3:] == [
        (
            "item",
            f"- {each}@boats.example: Description: Where those meet who sail"
            f" from {each}@boats.example. It began in spring. Moderated: no",
        )
        for each in ("alba", "bora", "cers")
    ]


def test_one_name_above_fields_is_no_directory() -> None:
    text = ENTRY.format(name="Alba", what="sail")
    assert not any(said.startswith("- Alba") for _, said in blocks(f"{WRAPPED}\n\n{text}"))


def test_a_few_words_further_out_than_the_text_are_its_heading() -> None:
    text = "\n".join(f"  {line}" for line in WRAPPED.split("\n"))
    assert headings(f"{text}\n\nUser lists\n\n{text}\n\nIt is late,\n\n{text}") == [
        [],
        ["User lists"],
    ]
    assert headings(f"{WRAPPED}\n\nUser lists\n\n{WRAPPED}") == [[]]
    assert headings(f"{text}\n\nAnother is to type\n\n        sail --far\n\n{text}") == [[]]
