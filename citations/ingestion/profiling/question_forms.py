"""What sentences and headings look like that answer a question, and how that is asked."""

import re
from dataclasses import dataclass


@dataclass(frozen=True)
class Suggestion:
    """A question, what it is about, how good it is, and how it was made."""

    text: str
    subject: str
    score: float
    way: str


# What a heading is asked by, in the document's language.
ABOUT = {
    "en": "What should I know about {heading}?",
    "es": "¿Qué dice el documento sobre {heading}?",
    "de": "Was sollte ich über „{heading}“ wissen?",
    "fr": "Que faut-il savoir sur « {heading} » ?",
    "pt": "O que devo saber sobre “{heading}”?",
    "it": "Che cosa bisogna sapere su «{heading}»?",
    "nl": "Wat moet ik weten over “{heading}”?",
    "tr": "“{heading}” hakkında ne bilmeliyim?",
    "ru": "Что нужно знать о разделе «{heading}»?",
    "zh": "关于“{heading}”需要了解什么？",
    "ar": "ماذا ينبغي أن أعرف عن «{heading}»؟",
}
# What is asked of a sheet: for the cell of a row, and for the row that has the most of a column.
OF_A_CELL = {
    "en": "What is the {column} of {name}?",
    "es": "¿Cuál es {column} de {name}?",
    "de": "Was ist {column} von {name}?",
    "fr": "Quel est {column} de {name} ?",
}
MOST_OF = {"en": "Which {kind} has the highest {column}?"}
# Columns whose cells together name somebody, who has what another column tells.
FIRST_NAME = re.compile(r"(?:first|given)[ _]?names?|forenames?|vornamen?", re.IGNORECASE)
LAST_NAME = re.compile(
    r"(?:last|family)[ _]?names?|surnames?|(?:nach|familien)namen?", re.IGNORECASE
)
WHO_MOST = "Who has the highest {column}?"
NOBODY = (
    r"(?!(?:it|this|that|these|those|there|which|what|who|he|she|they|we|you|i|one|here|such|each"
    r"|any|all|some|other|another|ello|esto|este|esta|eso|él|ella|lo|así|todo|cada|otro|otra|no)\b)"
)
SUBJECT = r"(?P<subject>[^\W\d_][\w’'\-]*(?: [\w’'\-]+){0,4}?)"
DEFINED = {
    "en": (
        (
            re.compile(
                r"[“\"](?P<subject>[A-Z][^”\"]{2,50})[”\"],? (?:means|shall mean|refers to)\b"
            ),
            "What does “{subject}” mean?",
        ),
        (
            re.compile(
                rf"^(?:The )?{NOBODY}{SUBJECT}(?: \([^)]{{2,20}}\))? means\b(?! that)",
                re.IGNORECASE,
            ),
            "What does “{subject}” mean?",
        ),
        (
            re.compile(
                rf"^(?P<article>(?:The|An?) )?{NOBODY}{SUBJECT}(?: \([^)]{{2,20}}\))? is"
                r" (?:an?|the|one of) (?!same|following|case|way|only|most|main|first|good|few)"
                r"(?P<predicate>[^,.;]{0,60})",
                re.IGNORECASE,
            ),
            "What is {article}{subject}?",
        ),
    ),
    "es": (
        (
            re.compile(
                rf"^(?P<article>(?:El|La|Un|Una) )?{NOBODY}{SUBJECT}(?: \([^)]{{2,20}}\))? es"
                r" (?:una?|el|la) (?!misma?|mism[oa]|siguiente|que|únic[oa]|primer)",
                re.IGNORECASE,
            ),
            "¿Qué es {article}{subject}?",
        ),
        (
            re.compile(rf"^(?P<article>(?:Los|Las) ){SUBJECT} son (?:los|las|unos|unas)\b", re.I),
            "¿Qué son {article}{subject}?",
        ),
    ),
}
DONE = {
    "en": (
        re.compile(
            r"^(?P<subject>The [A-Z][\w ]{2,40}?|[A-Z]\w+(?: [A-Z]\w+){0,3}) (?P<verb>was|were)"
            r" (?:\w+ly )?(?P<done>founded|created|released|published|established|ratified|adopted"
            r"|introduced|signed|born|built|started|launched|discovered|formed|incorporated)\b"
            r"[^.]{0,60}?\b(?:in|on|since) [^.]{0,20}\b(?:1[5-9]|20)\d\d\b"
        ),
        "When {verb} {subject} {done}?",
    ),
    "es": (
        re.compile(
            r"^(?P<subject>(?:El|La) [\w ]{3,40}?|[A-Z]\w+(?: [A-Z]\w+){0,3}) fue"
            r" (?P<done>fundad[oa]|cread[oa]|publicad[oa]|establecid[oa]|aprobad[oa]|adoptad[oa])\b"
            r"[^.]{0,60}?\ben [^.]{0,20}\b(?:1[5-9]|20)\d\d\b"
        ),
        "¿Cuándo fue {done} {subject}?",
    ),
}
HOW_TO = {
    "en": (re.compile(r"^how to (?P<rest>[a-z].{3,80}[^.?!:])$", re.I), "How do you {rest}?"),
    "es": (re.compile(r"^cómo (?P<rest>\w+[aei]r(?:se)?\b.{3,80}[^.?!:])$", re.I), "¿Cómo {rest}?"),
}
# A heading that asks one thing: not what complains first, nor two questions.
ASKED = re.compile(r"^(?:¿[^.!?]{8,120}|[^\W\d_][^.!?]{8,120}(?:\.[^\s.!?][^.!?]{0,60}){0,4})\?$")
NO_HEADING = re.compile(r"\b(?:19|20)\d\d\b|[;@!]|\(continued\)")
# What only stands for something where it stands: "What is this FAQ?"
POINTS_AROUND = re.compile(
    r"\b(?:this|these|here|diese[mnrs]?|hier|cette|cet|ces|ce (?!que?\b|qui\b|qu['’])|est[ae]s?"
    r"|estos|aquí)\b",
    re.IGNORECASE,
)
# "3.2 ", "(a) ", "IV. ", and "Section 1.2 ": what stands before the words of a heading.
NUMBER = re.compile(
    r"^(?:(?:[Ss]ection|[Aa]rticle|[Cc]hapter|[Ii]tem|ITEM|[Pp]art|[Nn]ote|[Cc]apítulo|[Ss]ección"
    r"|[Aa]rtículo|Kapitel|Abschnitt|Teil|Anhang|[Cc]hapitre|[Pp]artie|[Aa]nnexe)\s+[\dIVXLC]+[A-Z]?(?:\.\d+)*[.:]?\s+"
    r"|(?:[Ll]ektion|[Ll]esson|[Ll]ección|[Ll]eçon|[Ss]tep|[Ss]chritt|[Pp]aso)\s+\d+(?:\.\d+)*\s*[.:–-]\s+"
    r"|[A-Z]{1,3}-?\d{1,3}(?:\.\d{1,3})*[.:)]\s+|[QF][.:]\s+"
    r"|\(?(?:\d{1,3}|[A-Z])(?:\.\d{1,3})*[.)]?\s+|[IVXLC]+\.\s+)"
)
NO_TOPIC = re.compile(
    r"^(?:introduction|overview|contents?|references|bibliography|index|notes?|appendix\b.*|abstract"
    r"|summary|conclusions?|sources|profile|procedure|powers|scope|requirements|signatures?|preface"
    r"|foreword|acknowledge?ments|exhibits?|examples?|see also|name|synopsis|introducción|resumen"
    r"|índice|notas?|referencias|bibliografía|anexo\b.*|prefacio|fuentes|einleitung|literatur|quellen"
    r"|added|changed|deprecated|removed|fixed|security|unreleased|(?:bug )?fixes|changelog|history"
    r"|description|options|other terms|miscellaneous|dependencies|documentation|license|author"
    r"|others?|general|misc\.?|total|all|more|about(?: (?:about|the|this|these|our|us)\b.*)?"
    r"|(?:summary|zusammenfassung|resumen|résumé) .{1,40}|zusammenfassung"
    r"|vorwort|chapter \d+|section \d+|part \w+)$",
    re.IGNORECASE,
)
# The subjects of sentences that are no names of anything, and what is too common to ask for.
NOT_IN_NAMES = frozenset(
    "note that following when if as with by for from using name names result results value values"
    " reason purpose goal idea problem example examples difference text rest number way case thing"
    " first second next last main default see above below experience immediately"
    " page table figure chapter provides indicated given should must may can will shall might"
    " nombre resultado valor ejemplo texto resto número forma caso siguiente anterior primer"
    " line lines step lesson línea líneas paso lección zeile zeilen schritt lektion"
    " primera abajo arriba tabla figura página capítulo problema".split()
)
PERSON = re.compile(
    r"\b(?:engineer|designer|developer|author|writer|professor|doctor|lawyer|politician|president"
    r"|chair(?:man|woman|person)|director|artist|musician|scientist|physician|nurse|teacher)\b"
)
OFTEN = 2  # times that the words of a name are said, in the mean
OFTEN_PLAIN = 5  # and of what may be any word: "the type mask", "Transfer"
YEAR = re.compile(r"\b(?:19|20)\d\d\b")
FIGURE = re.compile(r"[$€£]?\s?\(?\d[\d.,]*\)?\s?%?")
PLAIN = re.compile(r"\d[\d,]*(?:\.\d+)?")
CELL_NAME = re.compile(r"[^\W\d_][\w .'’-]{1,40}")
COLUMN = re.compile(r"[a-zA-Z]{3,20}(?:[ _][a-zA-Z]{2,20}){0,2}")
LABEL = re.compile(r"^(?:total |net )?[A-Za-z][a-z]+(?: [a-z]+){1,4}$", re.IGNORECASE)
