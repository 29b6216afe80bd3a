"""Mail: its headers, the text, what it answers, and the names of what is attached."""

from base64 import b64encode

import pytest

from citations.formats import mail
from citations.formats.kinds import MAIL, PLAIN, detect_kind
from citations.formats.parts import Part, PartKind, Reason
from citations.formats.reading import BadFile, FileReading, ReadingLimits, ignore_progress
from citations.readers import read_file
from tests.citations import files, office_files

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


def parted(kind: bytes, *parts: bytes, mark: bytes = b"part") -> bytes:
    inside = b"".join(b"--%s\n%s\n" % (mark, part) for part in parts)
    return b'Content-Type: multipart/%s; boundary="%s"\n\n%s--%s--\n' % (kind, mark, inside, mark)


def read(data: bytes) -> FileReading:
    return mail.read(data, ReadingLimits(pages=10), ignore_progress)


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
    assert mail.inspect(HEAD + TEXT, ReadingLimits(pages=10), ignore_progress).title == found.title


def test_the_text_is_read_and_what_it_answers_stands_apart_without_its_marks():
    assert said(HEAD + TEXT)[1:] == [
        "Dear Ann,",
        "the keys of the garden are with François.",
        "Where are the keys? I need them soon.",
    ]
    assert [section.headings for section in read(HEAD + TEXT).sections] == [[], ["Ann Poe wrote"]]


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
        for section in read(HEAD + text).sections
    ]
    ann = "Am 5. Mai 2026 um 09:58 schrieb Ann Poe <ann@example.org>"
    assert found == [
        ([], [said(HEAD + text)[0], "No."]),
        ([ann], ["Is she ill? My daughter has exams that week."]),
        ([ann, "On Monday, Jo Roe wrote"], ["Come on Friday:", "- with her", "- with keys"]),
        ([ann], ["She may come."]),
    ]
    bare = read(HEAD + b"Content-Type: text/plain\n\n> Shall we?\n\nYes, we shall.\n")
    assert [section.headings for section in bare.sections] == [[], ["Quoted"], []]


def test_the_page_is_read_where_there_is_no_text_and_what_is_attached_is_named():
    both = HEAD + parted(b"mixed", parted(b"alternative", TEXT, PAGE, mark=b"inner"), PLAN)
    assert "Attached: plan.pdf" in said(both)
    assert "<b>" not in " ".join(said(both))
    assert read(both).parts == [Part(PartKind.ATTACHMENT, 1, Reason.BROKEN)]
    assert said(HEAD + parted(b"mixed", PAGE))[1:] == ["The keys are with François."]


FORWARDED = b"""Content-Type: message/rfc822
Content-Disposition: attachment

From: Olga <olga@example.org>
Subject: Crane
Date: Sun, 01 Mar 2026 10:00:00 +0100
"""


def file_part(name: str, data: bytes) -> bytes:
    head = f'Content-Type: application/octet-stream; name="{name}"\n'
    head += f'Content-Disposition: attachment; filename="{name}"\n'
    return f"{head}Content-Transfer-Encoding: base64\n\n{b64encode(data).decode()}\n".encode()


def test_a_mail_that_is_forwarded_keeps_its_sender_and_date_and_the_files_it_carries():
    inner = FORWARDED + parted(b"mixed", TEXT, file_part("dates.csv", b"Day;Crane\n14;free\n"))
    found = read(HEAD + parted(b"mixed", TEXT, inner, mark=b"outer"))
    crane = [section for section in found.sections if section.headings[:1] == ["Crane"]]
    assert crane[0].blocks[0].text.split("\n") == [
        "From: Olga <olga@example.org>",
        "Date: Sun, 01 Mar 2026 10:00:00 +0100",
        "Subject: Crane",
    ]
    assert found.sections[-1].headings == ["dates.csv"]
    assert "14 | free" in found.sections[-1].text
    assert found.parts == [Part(PartKind.ATTACHMENT, 1)]


@pytest.mark.parametrize(
    ("name", "data", "reason"),
    [
        ("meter.txt", b"Meter 5512 stood at 40,718.", None),
        ("meter.eml", HEAD + TEXT, None),
        ("meter.zip", b"PK\x05\x06" + bytes(18), Reason.UNSUPPORTED),
        ("meter.bin", bytes(range(9)) * 9, Reason.UNSUPPORTED),
        ("meter.txt", b" ", Reason.NO_TEXT),
        ("meter.pdf", b"%PDF-1.7 nothing", Reason.BROKEN),
    ],
)
def test_an_attached_file_is_read_under_its_name_or_counted_with_the_reason(name, data, reason):
    found = read(HEAD + parted(b"mixed", file_part(name, data), mark=b"outer"))
    assert Part(PartKind.ATTACHMENT, 1, reason) in found.parts
    assert any(section.headings[:1] == [name] for section in found.sections) == (reason is None)
    assert f"Attached: {name}" in [text for part in found.sections for _, text in part.blocks]


def test_attached_files_of_other_kinds_are_read_in_the_confined_child():
    carried = {
        "a.pdf": files.pdf(["The crane is free."]),
        "a.docx": files.word_of(files.paragraph("The crane is free.")),
        "a.xlsx": office_files.workbook(office_files.rows(["The crane is free."])),
        "a.epub": office_files.book("<p>The crane is free.</p>"),
    }
    parts = [file_part(name, data) for name, data in carried.items()]
    found = read_file(HEAD + parted(b"mixed", TEXT, *parts), MAIL)
    read_ones = {part.headings[0] for part in found.sections if "crane" in part.text}
    assert read_ones == carried.keys()
    assert Part(PartKind.ATTACHMENT, 4) in found.parts


def test_files_are_read_two_deep_and_those_that_ended_a_child_are_left_out():
    mail_of = lambda inner: HEAD + parted(b"mixed", file_part("inner.eml", inner))  # noqa: E731
    deep = mail_of(mail_of(mail_of(HEAD + TEXT)))
    assert Part(PartKind.ATTACHMENT, 2) in read(deep).parts
    assert Part(PartKind.ATTACHMENT, 1, Reason.BEYOND_LIMIT) in read(deep).parts
    found = mail.read(mail_of(HEAD + TEXT), ReadingLimits(pages=10, skipped=(0,)), ignore_progress)
    assert found.parts == [Part(PartKind.ATTACHMENT, 1, Reason.BEYOND_LIMIT)]


INVITATION = b"""Content-Type: text/calendar; method=REQUEST

BEGIN:VCALENDAR
SUMMARY:Board meeting about the quay
END:VCALENDAR
"""
REPORT = b"""Content-Type: message/delivery-status

Reporting-MTA: dns; mx.example.org

Final-Recipient: rfc822; ann@example.org
Status: 5.1.1
"""
BLANK = b"Content-Type: text/plain\n\n \n"


def test_of_several_forms_of_a_text_one_is_read_and_no_file_of_the_others_is_lost():
    carried = parted(b"mixed", PAGE, file_part("plan.txt", b"Plan of the pier."), mark=b"inner")
    found = read(HEAD + parted(b"alternative", TEXT, carried, INVITATION))
    headings = [section.headings[0] for section in found.sections if section.headings]
    assert headings[-2:] == ["plan.txt", "attachment.ics"]
    assert "Board meeting about the quay" in found.sections[-1].text
    bare = said(HEAD + parted(b"alternative", BLANK, PAGE, INVITATION))
    assert "The keys are with François." in bare
    apology = b"Content-Type: text/plain\n\nThis mail needs another program.\n"
    assert "The keys are with François." in said(HEAD + parted(b"alternative", apology, PAGE))
    assert "Status: 5.1.1" in said(HEAD + parted(b"report", TEXT, REPORT))[-1]


def test_a_mail_that_is_encrypted_says_so():
    sealed = b"Content-Type: application/pkcs7-mime; name=smime.p7m\n\nx\n"
    assert read(HEAD + sealed).parts == [Part(PartKind.ATTACHMENT, 1, Reason.ENCRYPTED)]


def test_pictures_are_counted_and_signatures_are_no_files():
    logo = b"Content-Type: image/png\nContent-ID: <logo>\n\nx\n"
    photo = b"Content-Type: image/png\nContent-Disposition: attachment\n\nx\n"
    signed = b'Content-Type: application/pkcs7-signature; name="smime.p7s"\n\nx\n'
    found = read(HEAD + parted(b"signed", parted(b"related", TEXT, logo, photo), signed, mark=b"s"))
    assert found.parts == [
        Part(PartKind.ATTACHMENT, 1, Reason.NO_TEXT),
        Part(PartKind.IMAGE, 1, Reason.NO_TEXT),
    ]
    assert "keys of the garden" in said(HEAD + parted(b"signed", TEXT, signed))[2]


def test_each_mail_of_a_mailbox_stands_under_its_subject():
    box = b"".join(
        b"From a@b.c Mon Mar  2 10:00:00 2026\nFrom: a@b.c\nSubject: %s\n\nText of %s.\n\n" % (s, s)
        for s in (b"Boiler", b"Roof")
    )
    assert detect_kind(box, "a.mbox") == MAIL
    assert [(part.headings, part.text) for part in read(box).sections] == [
        (["Boiler"], "From: a@b.c\nSubject: Boiler\n\nText of Boiler."),
        (["Roof"], "From: a@b.c\nSubject: Roof\n\nText of Roof."),
    ]


def test_a_mail_is_known_by_its_headers_whatever_it_is_called():
    assert detect_kind(HEAD + TEXT, "keys.txt") == MAIL
    page = b"MIME-Version: 1.0\nContent-Type: multipart/related; boundary=B\n\n"
    assert detect_kind(page, "saved.doc") == MAIL
    assert detect_kind(b"From: us\nTo: you\n\nA letter.\n", "letter.txt") == PLAIN


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

The release has moved to next week, since two bugs [1] were found.

[1] https://bugs.example.org/1
[2]: see the mail of Ann
[wiki] https://wiki.example.org/Release
--\x20
Jo Roe
Release team
"""


def test_notes_at_the_foot_of_a_mail_are_one_each_and_a_signature_is_none_of_them():
    assert said(HEAD + NOTES.encode())[2:] == [
        "[1] https://bugs.example.org/1",
        "[2]: see the mail of Ann",
        "[wiki] https://wiki.example.org/Release",
        "Jo Roe\nRelease team",
    ]
