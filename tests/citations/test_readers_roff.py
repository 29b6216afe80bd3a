"""Sources of manual pages: what their macros print, and nothing of the macros."""

import pytest

from citations.formats import roff
from citations.formats.reading import FileReading, ReadingLimits, silent
from citations.readers.kinds import PLAIN, ROFF, kind_of

LIMITS = ReadingLimits(pages=10)
MAN = r"""'\" t
.\" Copyright (c) Nobody
.TH COOL 1 2023-02-05 "Tools 6.03"
.SH NAME
cool \- keep \fIthings\fP fresh
.SH OPTIONS
.TP
.BR \-t ,\  \-\-to =\fIDEGREES\fP
Cool to so many degrees, see
.BR heat (1).
.TP
.B \-q
.TQ
.B \-\-quiet
Say nothing.
.IP
Not even on failure.
.SS "Order of things"
.IP 1. 4
Open the door.
.IP \(bu 2
Shut it\(em\|at once.
.PP
For example:
.EX
cool \-t 4  milk
.EE
.if n .ne 3
.ie n \{\
Never printed.
.\}
.de XX
Nor this.
..
.SH SIGNALS
.TS
l l
_
l l.
Signal	Meaning
SIGHUP	T{
Hang
.B up
T}
.TE
"""
MDOC = r""".Dd May 31, 1993
.Dt COOL 6
.Os
.Sh NAME
.Nm cool
.Nd keep things fresh
.Sh SYNOPSIS
.Nm
.Op Fl aq
.Op Fl t Ar degrees
.Ar
.Sh DESCRIPTION
Use
.Nm
with
.Xr heat 1 ,
never alone
.Pq see Sx BUGS .
.Bl -tag -width Ds
.It Fl a , Fl -all
All of it.
.Bl -bullet
.It
Milk
.It
Bread
.El
.It Ic quit
Leave;
.Sq y
is asked for.
.El
.Bd -literal
cool  -a
.Ed
.Bl -enum
.It
First.
.It
Second.
.El
"""


def read(text: str) -> FileReading:
    return roff.read(text.encode(), LIMITS, silent)


def told(text: str) -> list[tuple[str, list[tuple[str, str]]]]:
    return [
        (" > ".join(part.headings), [(block.kind.value, block.text) for block in part.blocks])
        for part in read(text).sections
    ]


def test_a_manual_page_is_read_as_it_is_printed():
    assert read(MAN).title == roff.inspect(MAN.encode(), LIMITS).title == "cool(1)"
    assert told(MAN) == [
        ("NAME", [("paragraph", "cool - keep things fresh")]),
        (
            "OPTIONS",
            [
                ("item", "- -t, --to=DEGREES: Cool to so many degrees, see heat(1)."),
                ("item", "- -q, --quiet: Say nothing."),
                ("paragraph", "Not even on failure."),
            ],
        ),
        (
            "OPTIONS > Order of things",
            [
                ("item", "1. Open the door."),
                ("item", "- Shut it—at once."),
                ("paragraph", "For example:"),
                ("code", "cool -t 4  milk"),
            ],
        ),
        ("SIGNALS", [("header", "Signal | Meaning"), ("row", "SIGHUP | Hang up")]),
    ]


def test_a_page_in_mdoc_is_read_as_it_is_printed():
    assert read(MDOC).title == "cool(6)"
    assert told(MDOC) == [
        ("NAME", [("paragraph", "cool — keep things fresh")]),
        ("SYNOPSIS", [("paragraph", "cool [-aq] [-t degrees] file ...")]),
        (
            "DESCRIPTION",
            [
                ("paragraph", "Use cool with heat(1), never alone (see BUGS)."),
                ("item", "- -a, --all: All of it."),
                ("item", "  - Milk"),
                ("item", "  - Bread"),
                ("item", "- quit: Leave; ‘y’ is asked for."),
                ("code", "cool  -a"),
                ("item", "1. First."),
                ("item", "2. Second."),
            ],
        ),
    ]


def test_of_a_list_most_of_whose_entries_go_on_each_is_a_heading():
    entry = ".TP\n.B \\-{0}\nKeep {0}.\n.sp\nOr {0} turns.\n.RS\n.nf\ncool \\-{0}\n.fi\n.RE\n"
    entries = "".join(entry.format(name) for name in ("ale", "bun", "egg"))
    page = f".TH COOL 1\n.SH OPTIONS\n{entries}.TP\n.B \\-q\nSay nothing.\n.PP\nMilk turns first.\n"
    said = dict(told(page))
    assert said["OPTIONS > -egg"] == [
        ("item", "- -egg: Keep egg."),
        ("paragraph", "Or egg turns."),
        ("code", "cool -egg"),
    ]
    assert said["OPTIONS > -q"] == [("item", "- -q: Say nothing.")]
    assert said["OPTIONS"] == [("paragraph", "Milk turns first.")]


def test_a_bullet_that_only_names_what_stands_below_is_its_term():
    page = '.TH A 1\n.SH B\n.IP "\\[ci]" 4\n\\fB--egg\\fR / \\fB-e\\fR:\n.IP\nKeep it.\n'
    assert told(f'{page}.IP\nAnd cool.\n.IP "\\(bu" 4\nMilk sours.\n.IP\nSoon.\n') == [
        (
            "B",
            [
                ("item", "- --egg / -e: Keep it."),
                ("paragraph", "And cool."),
                ("item", "- Milk sours."),
                ("paragraph", "Soon."),
            ],
        )
    ]


def test_a_letter_alone_is_a_term_and_with_a_bracket_a_number():
    page = ".TH A 1\n.SH B\n.IP d 4\nShut the door.\n.IP (e) 4\nOpen it.\n.IP 2 4\nWait.\n"
    items = ["- d: Shut the door.", "(e) Open it.", "2 Wait."]
    assert told(page) == [("B", [("item", item) for item in items])]


def test_a_paper_in_ms_has_its_title_and_headings():
    paper = ".TL\nOn Cooling\n.AU\nA. Body\n.NH 1\nWhy\n.PP\nMilk sours.\n.NH 2\nWhen\n.LP\nSoon.\n"
    assert read(paper).title == "On Cooling"
    assert ("Why > When", [("paragraph", "Soon.")]) in told(paper)


@pytest.mark.parametrize(("text", "kind"), [(MAN, ROFF), (MDOC, ROFF), ("Milk.\n.\n.5 l\n", PLAIN)])
def test_a_source_is_known_by_its_macros(text: str, kind: str):
    assert kind_of(text.encode(), "cool.1") == kind


@pytest.mark.parametrize("first", ['.TH COOL 8 "1.2" "Linux"', ".Dd May 4, 2020\n.Dt COOL 8"])
def test_a_page_is_known_by_its_first_line_however_much_prose_is_behind_it(first: str):
    prose = "Milk stays fresh in the cold.\n" * 200
    page = f'.\\" Written by hand.\n\n{first}\n{prose}'
    assert kind_of(page.encode(), "cool.8") == ROFF
    assert kind_of(f"Milk first.\n{page}".encode(), "cool.8") == PLAIN


@pytest.mark.parametrize("text", [".TP\n.B", ".It\n.El\n.Ed\n.TE", ".TS", ".de\n", ".sh 99\n\\"])
def test_what_is_unfinished_is_read_all_the_same(text: str):
    read(f".TH A 1\nText.\n{text}")
