"""Questions about a document as a whole, answered from its profile: what it is about, who wrote it,
when, how it is divided.

Which document is meant must be plain: the question names it by words of its title, or it is the
only one that the conversation is limited to. Whatever else is asked of one is searched for in it.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from enum import StrEnum

from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from chat.quoting.parts import DocumentPart, parts_of, top_headings
from chat.quoting.writing import quotable
from citations.index import Scope
from citations.models import Document, Passage
from citations.retrieval import Found
from memory.recall.rewriting.about import apart
from memory.text.words import sentences, stem, terms, words

# Where the words of a profile stand: at the beginning, or near it.
BEGINNING = 12
MOST_HEADINGS = 24
# The heading of the section that names the authors, and how much of it is told.
ON_AUTHORS = re.compile(
    r"(?:^|› )(?:the )?(?:authors?|autor(?:es|en)?|auteurs?|verfasser|maintainers?|credits)\s*$",
    re.IGNORECASE,
)
MOST_SENTENCES = 2
# Where a document says to whom it belongs, and how many such lines are told.
TOP, LONGEST_TOP, MOST_OWNERS = 3, 3000, 4
COPYRIGHT = re.compile(
    r"(?:©|\(c\)|copyright)(?=[^\n]{0,40}\b(?:1[5-9]|20)\d\d\b)[^\n]{0,200}[^\W\d_]{3}",
    re.IGNORECASE,
)


class ProfileQuestion(StrEnum):
    """What can be asked of a document as a whole."""

    OUTLINE = "outline"
    AUTHORS = "authors"
    DATE = "date"
    PAGES = "pages"
    SUBJECT = "subject"


def profile_pattern(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern, re.IGNORECASE)


# What such questions say beside the document's name.
ASKED = {
    ProfileQuestion.OUTLINE: profile_pattern(
        r"\b(?:list|show|what are|which are|give me|name)\b.{0,20}"
        r"\b(?:sections?|chapters?|headings?)\b"
        r"|\b(?:table of contents|outline|structure)\b|\bwhat (?:sections|chapters)\b"
        r"|\b(?:qué|cuáles|lista\w*)\b.{0,20}\b(?:secciones|capítulos|apartados)\b|\bíndice\b"
        r"|\b(?:welche|liste?)\b.{0,20}\b(?:kapitel|abschnitte)\b"
        r"|\binhaltsverzeichnis\b|\bgliederung\b"
        r"|\b(?:quels|quelles|liste)\b.{0,20}\b(?:chapitres|sections)\b|\btable des matières\b"
    ),
    ProfileQuestion.AUTHORS: profile_pattern(
        r"\bwho\b.{0,12}\b(?:wrote|written|authors?|authored|edited)\b|\bauthors? of\b"
        r"|\bwritten by who|\bwer hat\b.{3,90}\b(?:geschrieben|verfasst|erstellt)\b"
        r"|\bqui[eé]n(?:es)?\b.{0,12}\b(?:escribi\w+|autor\w*)|\bwer\b.{0,12}\b(?:schrieb|geschrieben"
        r"|autor\w*|verfass\w*)|\bqui\b.{0,12}\b(?:écrit|auteurs?)\b"
    ),
    ProfileQuestion.DATE: profile_pattern(
        r"\b(?:when|what year|which year|what date)\b.{0,40}\b(?:written|published|released"
        r"|ratified|updated|changed|revised|from|dated|issued|adopted)\b"
        r"|\bhow (?:old|recent)\b|\bdate of\b"
        r"|\bcuándo\b.{0,40}\b(?:escribi\w+|public\w+|actualiz\w+)|\bwann\b.{0,40}\b(?:geschrieben"
        r"|veröffentlicht|aktualisiert)|\bquand\b.{0,40}\b(?:écrit|publié|mis à jour)"
    ),
    ProfileQuestion.PAGES: profile_pattern(
        r"\bhow (?:many pages|long)\b|\bnumber of pages\b|\bcuántas páginas\b|\bwie ?viele seiten\b"
        r"|\bcombien de pages\b"
    ),
    ProfileQuestion.SUBJECT: profile_pattern(
        r"\bwhat(?:['’]?s| is| does| are)\b.{0,60}\b(?:about|cover|contain|deal with|say overall)\b"
        r"|\b(?:summari[sz]e|summary|overview|sum up|tl;?dr|gist|abstract)\b"
        r"|\bde qué (?:trata|va|habla)\b|\bresum\w+|\bworum geht\b|\bwovon handelt\b"
        r"|\bzusammenfass\w*|\bfass\b.{0,40}\bzusammen\b|\bde quoi (?:parle|traite)\b|\brésum\w+"
    ),
}
IN_SHORT = profile_pattern(
    r"\b(?:in (?:short|brief|a nutshell|(?:one|a)(?: single)? sentence|(?:a )?few words)|briefly"
    r"|brevemente|en (?:breve|resumen|pocas palabras|una(?: sola)? frase)|kurz|in einem satz"
    r"|in wenigen worten|brièvement|en (?:bref|quelques mots|une(?: seule)? phrase))\b"
)
# Words that such a question may have beside what it asks and the document's name.
BESIDE_WORDS = """
    whats whos hows
    document paper file book text article manual guide report page pdf thing content please main
    whole entire last first latest version brief briefly short quick quickly give tell show make
    can you me its all list section chapter heading summary summarize summarise overview about
    sentence nutshell brevemente frase palabras pocas kurz satz einem bref brièvement phrase
    author write written wrote publish published update updated change changed revise revised
    release released ratify ratified date year long many old recent cover contain deal outline
    structure table number name gist abstract sum up tl dr tldr documento libro artículo texto
    archivo informe guía resumen resume resumir resúmeme trata tratan habla secciones capítulos
    apartados índice páginas lista escribió autor autores publicó publicado cuándo quién qué
    cuáles cuántas de del la el los las este esta un una en dokument buch artikel datei bericht
    handbuch leitfaden worum geht es handelt wovon kapitel abschnitte inhaltsverzeichnis
    gliederung seiten wer schrieb geschrieben verfasst wann veröffentlicht zusammen
    zusammenfassung fasse fass der die das dem den dies diese dieses livre fichier rapport quoi
    parle traite résumé résume résumer chapitres sections matières pages qui écrit auteur quand
    publié le les ce cette du des se tiene tienen son fue está por para im ist sind wurde wurden
    wird hat haben gibt welche welches dieser quels quelles quel quelle sont est été il elle dans
    zu sobre sur mail email e message letter mensaje carta nachricht schreiben courriel lettre
    slides presentation presentación präsentation spreadsheet sheet tabla tabelle tableau
"""
BESIDE = frozenset(map(stem, words(BESIDE_WORDS)))


@dataclass(frozen=True)
class Profiled:
    """What a document's profile says to a question, and the passage that bears it."""

    text: str
    document: Document
    passage: Passage
    # Told below it, each with the marker of its own passage.
    parts: Sequence[DocumentPart] = ()

    @property
    def passages(self) -> list[Passage]:
        """The passage and those of the parts, as those of any answer that is ready."""
        return list(dict.fromkeys([self.passage, *(part.passage for part in self.parts)]))

    def written(self, labels: Mapping[int, int]) -> str:
        """Return it as an answer, with the marker of its passage behind its first line; `labels`
        are those of the passages offered, by their keys.
        """
        label = labels.get(self.passage.pk)
        first, *rest = self.text.split("\n")
        parts = [
            f"{_part_line(part)} [{labels[part.passage.pk]}]"
            for part in self.parts
            if part.passage.pk in labels
        ]
        listed = ["", *parts] if parts else []
        return "\n".join([f"{first} [{label}]", *rest, *listed]) if label else ""


def _part_line(part: DocumentPart) -> str:
    heading = f"- **{quotable(part.heading)}**"
    return f"{heading}: {quotable(part.sentence)}" if part.sentence else heading


def profiled(
    question: str, found: Sequence[Found], scope: Scope, *, is_brief: bool = False
) -> Profiled | None:
    """Return what a profile says to the question, or None if it isn't one about a document."""
    asked = apart(question)[0]  # "(about the FAQ)" says where, not what is asked
    what = next((about for about, asks in ASKED.items() if asks.search(asked)), None)
    if what is None:
        return None
    document = meant(question, found, scope)
    if document is None:
        return None
    if what == ProfileQuestion.SUBJECT and (parts := parts_of(document)):
        is_brief = is_brief or IN_SHORT.search(asked) is not None
        return as_a_whole(document, parts, is_brief=is_brief)
    if text := told(what, document):
        return Profiled(text, document, bearing(what, document))
    return authorship(document) if what == ProfileQuestion.AUTHORS else None


def as_a_whole(
    document: Document, parts: Sequence[DocumentPart], *, is_brief: bool = False
) -> Profiled:
    """Return what it says of itself at its beginning, and its parts with their first sentences; in
    brief one of both.
    """
    title, first = quotable(document.title), parts[0]
    bearer = bearing(ProfileQuestion.SUBJECT, document)
    about = document.about if bearer.position <= first.passage.position else ""
    if about and first.sentence and about.startswith(first.sentence.removesuffix(" …")):
        about = ""  # told with the first part
    if about and is_brief:
        start, end = sentences(about)[0]
        return Profiled(f"> {quotable(about[start:end])}", document, bearer)
    if is_brief:
        names = "; ".join(quotable(part.heading) for part in parts)
        said = _("*%(title)s* has these parts: %(names)s.") % {"title": title, "names": names}
        return Profiled(said, document, first.passage)
    lead = _("*%(title)s* begins its parts so:")
    if all(part.heading.endswith("?") for part in parts):
        lead = _("*%(title)s* answers these questions, among others:")
    lead = lead % {"title": title}
    if not about:
        return Profiled(lead, document, first.passage, parts)
    telling = [part for part in parts if part.sentence] or parts
    return Profiled(f"> {quotable(about)}\n\n{lead}", document, bearer, telling)


def meant(question: str, found: Sequence[Found], scope: Scope) -> Document | None:
    """Return the document that the question is about, if that is plain."""
    rest = set(terms(question)) - BESIDE
    for document in dict.fromkeys(each.passage.document for each in found):
        names = {
            *terms(document.title),
            *terms(document.file_name),
            *terms(" ".join(document.authors)),
        }
        if rest and rest <= names:
            return document
    is_only_one = scope.documents is not None and len(scope.documents) == 1
    return found[0].passage.document if is_only_one and found and not rest else None


def told(what: ProfileQuestion, document: Document) -> str:
    """Return what the profile tells, as Markdown; empty if it doesn't know."""
    title = quotable(document.title)
    if what == ProfileQuestion.SUBJECT and document.about:
        return f"> {quotable(document.about)}"
    if what == ProfileQuestion.AUTHORS and document.authors:
        names = ", ".join(quotable(name) for name in document.authors)
        return _("*%(title)s* is by **%(names)s**.") % {"title": title, "names": names}
    if what == ProfileQuestion.DATE and document.date:
        return _("*%(title)s* is dated **%(date)s**.") % {
            "title": title,
            "date": written_out(document.date),
        }
    if what == ProfileQuestion.PAGES and document.page_count:
        said = ngettext(
            "*%(title)s* has **%(count)d page**.",
            "*%(title)s* has **%(count)d pages**.",
            document.page_count,
        )
        return said % {"title": title, "count": document.page_count}
    if what == ProfileQuestion.OUTLINE and (listed := list(heading_items(document))):
        lead = _("*%(title)s* has these sections:") % {"title": title}
        return "\n".join([lead, "", *listed])
    return ""


def authorship(document: Document) -> Profiled | None:
    """Return what a document without an author says: its section on them, or whose it is."""
    if passage := section_on_authors(document):
        return Profiled(f"> {quotable(opening(passage))}", document, passage)
    for passage in document.passages.order_by("position")[:TOP]:
        lines = [line.strip() for line in passage.text[:LONGEST_TOP].split("\n")]
        if owned := [line for line in lines if COPYRIGHT.match(line)]:
            said = "; ".join(quotable(line) for line in owned[:MOST_OWNERS])
            return Profiled(f"> {said}", document, passage)
    return None


def section_on_authors(document: Document) -> Passage | None:
    """Return where the section on the authors begins, which manual pages have at their end."""
    rows = document.passages.order_by("position")
    return next((row for row in rows if ON_AUTHORS.search(row.heading)), None)


def opening(passage: Passage) -> str:
    """Return the first sentences of a passage."""
    spans = sentences(passage.text)[:MOST_SENTENCES]
    return passage.text[spans[0][0] : spans[-1][1]]


def written_out(day: str) -> str:
    """Return a day as people write it; a month or a year as it is."""
    try:
        return date_format(date.fromisoformat(day))
    except ValueError:
        return day


def heading_items(document: Document) -> Iterator[str]:
    """Yield the highest headings as the lines of a list."""
    for each in top_headings(document)[:MOST_HEADINGS]:
        page = _(" · p. %(page)d") % {"page": each.page} if each.page else ""
        yield f"- {quotable(each.heading)}{page}"


def bearing(what: ProfileQuestion, document: Document) -> Passage:
    """Return the passage that the words come from, or the first."""
    rows = list(document.passages.order_by("position")[:BEGINNING])
    told_by = {
        ProfileQuestion.SUBJECT: document.about,
        ProfileQuestion.AUTHORS: " ".join(document.authors),
    }
    wanted = set(terms(told_by.get(what) or document.date))
    return max(rows, key=lambda row: (len(wanted.intersection(terms(row.text))), -row.position))
