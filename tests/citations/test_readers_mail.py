"""Mail: its headers, the text, what it answers, and the names of what is attached."""

import pytest

from citations.formats import mail
from citations.formats.kinds import MAIL, PLAIN, kind_of
from citations.formats.reading import BadFile, FileReading, ReadingLimits, silent

HEAD = b"""Return-Path: <jo@example.org>
Received: from mx.example.org; Tue, 5 May 2026 10:00:00 +0200
From: =?utf-8?q?J=C3=B6rg_Roe?= <jo@example.org>
To: Ann Poe <ann@example.org>
Subject: =?utf-8?b?U2NobMO8c3NlbA==?= of the garden
Date: Tue, 5 May 2026 09:58:11 +0200
MIME-Version: 1.0
"""
TEXT = b"""Content-Type: text/plain; charset=iso-8859-1
Content-Transfer-Encoding: quoted-printable

Dear Ann,

the keys of the gar=
den are with Fran=E7ois.

Ann Poe wrote:
> Where are the keys?
> I need them soon.
"""
PAGE = b"""Content-Type: text/html; charset=utf-8

<p>The keys are with <b>Fran\xc3\xa7ois</b>.</p>
"""
PLAN = b"""Content-Type: application/pdf
Content-Disposition: attachment; filename="plan.pdf"
Content-Transfer-Encoding: base64

JVBERi0xLjQK
"""


def parted(kind: bytes, *parts: bytes) -> bytes:
    inside = b"".join(b"--part\n%s\n" % part for part in parts)
    return b'Content-Type: multipart/%s; boundary="part"\n\n%s--part--\n' % (kind, inside)


def read(data: bytes) -> FileReading:
    return mail.read(data, ReadingLimits(pages=10), silent)


def said(data: bytes) -> list[str]:
    return [block.text for section in read(data).sections for block in section.blocks]


def test_a_mail_says_who_wrote_to_whom_when_and_about_what():
    found = read(HEAD + TEXT)
    assert (found.title, found.authors, found.date) == (
        "Schlüssel of the garden",
        ["Jörg Roe"],
        "2026-05-05",
    )
    assert said(HEAD + TEXT)[0].split("\n") == [
        "From: Jörg Roe <jo@example.org>",
        "To: Ann Poe <ann@example.org>",
        "Date: Tue, 5 May 2026 09:58:11 +0200",
        "Subject: Schlüssel of the garden",
    ]
    assert mail.inspect(HEAD + TEXT, ReadingLimits(pages=10)).title == found.title


def test_the_text_is_read_and_what_it_answers_stands_apart_without_its_marks():
    assert said(HEAD + TEXT)[1:] == [
        "Dear Ann,",
        "the keys of the garden are with François.",
        "Where are the keys? I need them soon.",
    ]
    assert [section.headings for section in read(HEAD + TEXT).sections] == [
        [],
        [],
        ["Ann Poe wrote"],
    ]


def test_what_is_quoted_in_a_quotation_stands_under_the_names_of_both():
    text = b"""Content-Type: text/plain

No.

Am 5. Mai 2026 um 09:58 schrieb Ann Poe
<ann@example.org>:

> Is she ill? My daughter has
> exams that week.
>
> On Monday, Jo Roe wrote:
> > Come
> > on Friday:
> > - with her
> > - with keys
>
> She may come.
"""
    found = [
        (section.headings, [block.text for block in section.blocks])
        for section in read(HEAD + text).sections[1:]
    ]
    ann = "Am 5. Mai 2026 um 09:58 schrieb Ann Poe <ann@example.org>"
    assert found == [
        ([], ["No."]),
        ([ann], ["Is she ill? My daughter has exams that week."]),
        ([ann, "On Monday, Jo Roe wrote"], ["Come on Friday:", "- with her", "- with keys"]),
        ([ann], ["She may come."]),
    ]
    bare = read(HEAD + b"Content-Type: text/plain\n\n> Shall we?\n\nYes, we shall.\n")
    assert [section.headings for section in bare.sections[1:]] == [["Quoted"], []]


def test_the_page_is_read_where_there_is_no_text_and_what_is_attached_is_named():
    both = HEAD + parted(b"mixed", TEXT, PAGE, PLAN)
    assert said(both)[1] == "Attached: plan.pdf"
    assert "<b>" not in " ".join(said(both))
    assert said(HEAD + parted(b"mixed", PAGE))[1:] == ["The keys are with François."]


def test_a_mail_is_known_by_its_headers_whatever_it_is_called():
    assert kind_of(HEAD + TEXT, "keys.txt") == MAIL
    assert kind_of(b"From: us\nTo: you\n\nA letter.\n", "letter.txt") == PLAIN


def test_a_mail_with_parts_in_parts_without_end_is_refused():
    deep = b"".join(
        b'Content-Type: multipart/mixed; boundary="b%d"\n\n--b%d\n' % (at, at) for at in range(300)
    )
    with pytest.raises(BadFile, match="too_complex"):
        read(HEAD + deep)
    assert said(HEAD + b"Content-Type: text/plain; charset=nonsense\n\n\xff\n")


def test_headers_in_plain_utf_8_and_texts_in_other_encodings_are_read():
    data = "From: Jürgen <j@b.c>\nSubject: Ключи\nContent-Type: text/plain; charset=koi8-r\n\n"
    text = data.encode() + "Ключи на столе.\n".encode("koi8-r")
    assert (read(text).title, read(text).authors) == ("Ключи", ["Jürgen"])
    assert said(text)[-1] == "Ключи на столе."


def test_headers_that_cannot_be_decoded_stay_as_they_are():
    broken = b"From: a@b.c\nDate: yesterday\nSubject: =?nonsense?b?AAA?=\n\nText.\n"
    assert read(broken).date == ""
    assert read(broken).title == "=?nonsense?b?AAA?="


NOTES = """Content-Type: text/plain; charset=utf-8

The release has moved to next week, since two bugs [1] were found and one\u00b9 is open still.

[1] https://bugs.example.org/1
[2]: see the mail of Ann
[wiki] https://wiki.example.org/Release
\u00b9 It is in the parser.
3: https://bugs.example.org/3
--\x20
Jo Roe
Release team
"""


def test_notes_at_the_foot_of_a_mail_are_one_each_and_a_signature_is_none_of_them():
    assert said(HEAD + NOTES.encode())[2:] == [
        "[1] https://bugs.example.org/1",
        "[2]: see the mail of Ann",
        "[wiki] https://wiki.example.org/Release",
        "¹ It is in the parser.",
        "3: https://bugs.example.org/3",
        "Jo Roe\nRelease team",
    ]
