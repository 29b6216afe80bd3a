"""Settings, data for programs and logs: their lines stay as they are, their comments are read."""

import json

import pytest

from citations.formats.kinds import JSON, PLAIN, SETTINGS, XML, detect_kind
from citations.formats.plain import elements, settings
from citations.formats.reading import ReadingLimits, ignore_progress
from citations.readers import inspect_file, read_file

CONF = """\
# How often the server is asked,
# in seconds.
#
# 300 unless it is set.
#set daemon 300
set syslog\t\t# where the log goes:
\t\t\t# to the machine's

##############
[mail server]
port = 25
"""


def told(text: str) -> list[tuple[list[str], str, str]]:
    found = settings.read(text.encode(), ReadingLimits(pages=1), ignore_progress)
    return [
        (part.headings, block.kind.value, block.text)
        for part in found.sections
        for block in part.blocks
    ]


def test_comments_are_sentences_and_settings_keep_their_lines():
    code = "#set daemon 300\nset syslog              # where the log goes:"
    assert told(CONF) == [
        ([], "paragraph", "How often the server is asked, in seconds."),
        ([], "paragraph", "300 unless it is set."),
        ([], "code", f"{code}\n{' ' * 24}# to the machine's"),
        (["mail server"], "code", "port = 25"),
    ]


def test_data_in_one_line_gets_a_line_for_each_value():
    data = json.dumps({f"key {at}": {"value": at} for at in range(40)})
    first, *others = read_file(data.encode(), JSON).sections[0].blocks
    assert (first.kind, len(others)) == ("code", 4)
    assert first.text.startswith('{\n  "key 0": {\n    "value": 0\n  },\n')


@pytest.mark.parametrize(
    ("text", "name", "kind"),
    [
        (CONF, "daemon.conf", SETTINGS),
        ('{"a": 1}', "a", JSON),
        ("a: 1\n", "a.yml", SETTINGS),
        ("[1] A note.\n", "a", PLAIN),
    ],
)
def test_such_files_are_known_by_their_lines_or_their_names(text: str, name: str, kind: str):
    assert detect_kind(text.encode(), name) == kind


@pytest.mark.parametrize(
    ("written", "line"),
    [
        ("NOTE:Knows the ke\n y of hall 3", "NOTE:Knows the key of hall 3"),
        ("LOCATION:Hall 3\\, below\\nRing twice", "LOCATION:Hall 3, below Ring twice"),
        ("DTSTART;TZID=Europe/Oslo:20260514T093000", "DTSTART;TZID=Europe/Oslo:2026-05-14 09:30"),
        ("DTEND:20260514T093000Z\nBDAY:19840302", "DTEND:2026-05-14 09:30Z\nBDAY:1984-03-02"),
        (
            "N;ENCODING=QUOTED-PRINTABLE;CHARSET=UTF-8:M=C3=BCller;=\nJ=C3=B6rg",
            "N;ENCODING=QUOTED-PRINTABLE;CHARSET=UTF-8:Müller;Jörg",
        ),
        ("PHOTO;ENCODING=b;TYPE=JPEG:/9j/4AAQ\n SkZJRg==\nTEL:4471", "FN:Hedda\nTEL:4471"),
    ],
)
def test_lines_of_a_calendar_and_of_a_card_are_readable(written: str, line: str):
    text = f"BEGIN:VCARD\nFN:Hedda\n{written}\nEND:VCARD\n".replace("\n", "\r\n")
    assert detect_kind(text.encode(), "a.vcf") == SETTINGS
    assert f"\n{line}\n" in told(text)[0][2]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (
            "<?xml version='1.0'?><letter><to>Siri</to><title>Dock</title>"
            "<p>The <b>crate</b> arrives.</p><!-- no --></letter>",
            [([], "paragraph", "to: Siri"), (["Dock"], "paragraph", "The crate arrives.")],
        ),
        (
            '<o no="88" xml:lang="en"><item kind="oar">2</item><item no="7"/></o>',
            [
                ([], "paragraph", "o (no 88)"),
                ([], "paragraph", "item (kind oar): 2"),
                ([], "paragraph", "item (no 7)"),
            ],
        ),
        ("<!DOCTYPE a [<!ENTITY e 'x'>]><a><p>Of &e;.</p></a>", [([], "paragraph", "Of &e;.")]),
        ("<a>not closed", [([], "paragraph", "<a>not closed")]),
    ],
)
def test_elements_of_xml_are_read_without_their_tags(text, said):
    assert detect_kind(text.encode(), "a.xml") == XML
    found = elements.read(text.encode(), ReadingLimits(pages=1), ignore_progress)
    assert [(part.headings, *block) for part in found.sections for block in part.blocks] == said


@pytest.mark.parametrize(
    "data",
    [
        '[{"Name": "Ada", "Age": 36, "Born": {"in": "London"}}, {"Name": "Bo", "Tags": ["x", 1]}]',
        '{"Name": "Ada", "Age": 36, "Born": {"in": "London"}}\n{"Name": "Bo", "Tags": ["x", 1]}\n',
    ],
)
def test_a_list_of_things_with_the_same_names_is_a_table(data: str) -> None:
    found = inspect_file(data.encode(), "people.json")
    ((section),) = read_file(data.encode(), found.media_type).sections
    assert [(block.kind, block.text) for block in section.blocks] == [
        ("header", "Name | Age | Born.in | Tags"),
        ("row", "Ada | 36 | London"),
        ("row", "Bo |  |  | x, 1"),
    ]


def test_lists_that_a_file_names_are_tables_under_their_names_and_other_data_stays_as_it_is():
    rows = '[{"a": "x", "b": 1}, {"a": "y", "b": 2}]'
    named = f'{{"boats": {rows}, "sails": {rows}}}'.encode()
    found = read_file(named, inspect_file(named, "a.json").media_type)
    assert [each.headings for each in found.sections] == [["boats"], ["sails"]]
    other = f'{{"version": 2, "boats": {rows}}}'.encode()
    (section,) = read_file(other, inspect_file(other, "a.json").media_type).sections
    assert [block.kind for block in section.blocks] == ["code"]


@pytest.mark.parametrize("thing", ['{"a": 1, "a": 2}', '{"a.b": 1, "a": {"b": 2}}'])
@pytest.mark.parametrize("count", [2, 99])
def test_of_two_values_of_one_name_none_is_lost(thing, count):
    data = f"[{', '.join([thing] * count)}]".encode()
    text = "".join(each.text for each in read_file(data, JSON).sections)
    assert (text.count("1"), text.count("2")) == (count, count)


def test_a_long_name_is_not_repeated_for_all_that_stands_within_it():
    thing = {"a" * 100_000: {f"k{at}": at for at in range(20_000)}}
    assert "k19999" in read_file(json.dumps([thing, thing]).encode(), JSON).sections[0].text


def test_numbers_of_json_stay_as_they_are_written():
    table = read_file(b'[{"item": "tent", "price": 12.50}, {"item": "pole", "price": 1E3}]', JSON)
    assert table.sections[0].text == "item | price\ntent | 12.50\npole | 1E3"
    line = f'{{"a": [1.50, {"9" * 5000}], "b": "{"x" * 600}"}}'
    assert "1.50,\n" in read_file(line.encode(), JSON).sections[0].text
