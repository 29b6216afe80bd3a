"""What a person says of themselves, in German; as `statements` does in English."""

from memory.recall.facts.extraction.statements import NUMBER, Row, named, rivals, tool, valued

# "Ich wohne jetzt in", "seit Mai wohne ich in": what stands before the verb, and behind it.
_NOW = r"jetzt|nun|inzwischen|mittlerweile|gerade|aktuell|derzeit|zurzeit|momentan"
_HOW = rf"(?: (?:{_NOW}|noch|auch|seit \w+))?"
_BEFORE = rf"(?:{_NOW}|seit [\w ]{{2,20}}?) "


def _do(verbs: str, of_us: str) -> str:
    """Return what "I" or "we" do, in both orders of words."""
    both = rf"(?:ich )?(?:{verbs})|(?:wir )(?:{of_us})"
    return rf"(?:(?:{both}){_HOW}|{_BEFORE}(?:(?:{verbs}) ich|(?:{of_us}) wir))"


_LIVE, _WORK = _do("wohne|lebe", "wohnen|leben"), _do("arbeite|jobbe", "arbeiten")
_USE = _do("benutze|nutze|verwende", "benutzen|nutzen|verwenden")
_AM, _HAVE = _do("bin", "sind"), _do("habe|hab", "haben")
_NUMBER = rf"(?:{NUMBER}|ein|eine|einen|zwei|drei|vier|fünf|sechs|kein|keine)"
_RAISED = (
    r"(?:erhöht|angehoben|aufgestockt|gesenkt|gekürzt|reduziert|gesetzt|festgelegt|geändert"
    r"|gestiegen|gesunken|gewachsen)(?: worden)?"
)
_DIET = r"(?:Vegetarier(?:in)?|Veganer(?:in)?|vegetarisch|vegan|Pescetarier(?:in)?)"
# A job is a noun, and those have a capital; as names have that end like one.
_NAMES = (
    r"(?:Peter|Dieter|Walter|Werner|R[ae]iner|Günth?er|Gunther|Oliver|Alexander|Holger|Volker|Roger"
    r"|Rüdiger|Roland|Ferdinand|[VH][ie][kc]tor|Theodor|Gregor|Igor|Vincent|Esther|Jennifer|Xaver)"
)
_JOB = (
    rf"(?!(?:Anfänger|Fan|Freund|Partner|Verlierer|Gewinner)(?:in)?\b|{_NAMES}\b)"
    r"(?-i:[A-ZÄÖÜ])[\w-]*(?:er|or|ist"
    r"|ent|eur|and|ant|oge|iker|tiker|euer|rat)(?:in)?\b"
    r"|\w*(?:ärztin|arzt|anwalt|anwältin|kauffrau|kaufmann|schwester|koch|köchin|frisör|friseur"
    r"|pilot|architekt|rentner|hebamme|azubi|bäcker|lehrer|pfleger|student)(?:in)?\b"
)
_OWNED = (
    r"(?:chef(?:in)?|frau|mann|partner(?:in)?|freund(?:in)?|sohn|tochter|hund|katze|auto|firma|team"
    r"|adresse|telefonnummer|geburtstag|stadt|land|arzt|ärztin|vermieter(?:in)?|universität|uni"
    r"|projekt|kund(?:e|in)|nachname|gehalt|miete|einkommen|ziel)"
)
KEPT: list[Row] = [
    ("home", rf"{_LIVE} (?:in|bei|nahe) (?P<v>.+)"),
    (
        "home",
        r"(?:ich |wir )?(?:bin|sind)(?: wir| ich)?(?: [\w.]+){0,3}? nach (?P<v>\w[\w-]*(?: \w+)?)"
        r" (?:um)?gezogen",
    ),
    ("origin", r"(?:ich )?komme(?: ursprünglich)? aus (?P<v>(?-i:[A-ZÄÖÜ]).+)"),
    ("employer", rf"{_WORK} (?:bei|für) (?P<v>.+)"),
    ("job", rf"{_WORK} als (?P<v>.+)"),
    ("work:place", rf"{_WORK} in (?P<v>.+)"),
    ("diet", rf"(?:{_AM}|(?:ich )?(?:esse|lebe|ernähre mich)) (?:ein |eine )?(?P<v>{_DIET})\b"),
    ("age", r"(?:ich )?bin (?P<v>\d{1,3})(?: Jahre(?: alt)?\b|\W*$)"),
    ("job", rf"{_AM} (?:ein |eine )?(?P<v>{_JOB})"),
    ("job", rf"{_AM} (?P<v>in Rente|arbeitslos|selbstständig|selbständig|freiberuflich)\b"),
    ("name", r"(?:ich )?heiße (?P<v>[^\W\d_]+(?: [^\W\d_]+){0,2})$"),
    ("name", r"mein Name ist (?P<v>[^\W\d_]+(?: [^\W\d_]+){0,2})$"),
    ("name", r"(?:bitte )?nenn mich (?P<v>[^\W\d_]+)$"),
    (valued("allergy"), rf"{_AM} (?:sehr |stark )?allergisch (?:gegen|auf) (?P<v>.+)"),
    (valued("allergy"), rf"{_HAVE} eine (?P<v>\w+)allergie\b"),
    (valued("health"), rf"{_HAVE} (?P<v>Diabetes|Asthma|Zöliakie|Epilepsie|Bluthochdruck)\b"),
    ("marital", rf"{_AM} (?P<v>verheiratet|ledig|single|geschieden|verwitwet|verlobt)\b"),
    ("kids", rf"{_HAVE} (?P<v>{_NUMBER} (?:kleine )?(?:Kind(?:er)?|Söhne?|Töchter))\b"),
    (
        "budget",
        rf"(?:mein|unser|das) Budget (?:ist|beträgt|liegt bei)(?: jetzt)? (?P<v>{_NUMBER}.*)",
    ),
    (
        "budget",
        rf"(?:mein|unser|das) Budget (?:ist|wurde|liegt|beträgt)(?: {_NOW})?"
        rf"(?: (?:von|auf|bei|um) [\w., ]{{1,30}}?)? (?:auf|bei)(?: etwa| rund)?"
        rf" (?P<v>{_NUMBER}.*?)(?: {_RAISED})?$",
    ),
    (
        "budget",
        r"(?:ich habe|wir haben) (?:mein|unser|das) Budget(?: jetzt| nun)?"
        rf"(?: von [\w., ]{{1,30}}?)? auf (?P<v>{_NUMBER}.*?)(?: {_RAISED})$",
    ),
    ("budget", rf"{_HAVE} ein (?:neues )?Budget von(?: etwa| rund)? (?P<v>.+)"),
    ("budget", rf"(?:neues )?Budget:? (?P<v>{_NUMBER}.*)"),
    (
        "deadline",
        r"(?:meine|unsere|die) (?:Frist|Deadline) (?:ist|endet|läuft)(?: am| bis)? (?P<v>\d.+)",
    ),
    (valued("uses", tool), rf"{_USE} (?!die\b|das\b|den\b|der\b|ein|es\b|sie\b|dies)(?P<v>.+)"),
    (valued("speaks"), r"(?:ich )?spreche (?!mit\b|von\b|über\b|für\b)(?P<v>[^\W\d_]+)"),
    (rivals, r"(?:ich )?(?:mag|trinke|esse) (?:lieber )(?P<v>[\w ]+?) als (?P<w>.+)"),
    (
        valued("likes"),
        r"(?:ich )?(?:mag|liebe|hasse|esse gern|trinke gern)(?: (?:kein|keine|keinen|sehr|gern|am"
        r" liebsten))?(?! (?:nicht|es|das|dies\w*)\b) (?P<v>.+)",
    ),
    (named("favourite"), r"mein\w* Lieblings-?(?P<s>\w+) ist (?P<v>.+)"),
    (
        named("my"),
        rf"(?:mein|meine|unser|unsere) (?P<s>{_OWNED}) (?:ist|heißt) (?!aus\b|nicht\b"
        rf"|ein Problem|sehr\b|\d+\W*$)(?P<v>.+)",
    ),
]
ENDED: list[Row] = [
    ("home", r"(?:ich )?(?:wohne|lebe) nicht(?: mehr)? in (?P<v>.+)"),
    ("employer", r"(?:ich )?arbeite nicht(?: mehr)? (?:bei|für) (?P<v>.+)"),
    ("diet", rf"(?:ich )?bin (?:nicht mehr|kein(?:e)?) (?P<v>{_DIET})\b"),
    ("work:place", r"(?:ich )?arbeite nicht(?: mehr)? in (?P<v>.+)"),
    ("budget", r"(?:mein|unser|das) Budget (?:ist|beträgt) nicht mehr (?P<v>.+)"),
    (valued("uses", tool), r"(?:ich|wir) (?:be)?nutzen? (?P<v>.+?) nicht mehr"),
]
