"""Wordings: what answers hold, by which they are told from what is only about the same."""

import re

FLAGS = re.IGNORECASE
FIGURE = re.compile(
    r"(?<![\w.§#^/])[$€£]?\d(?:[\d.,]*\d)?(?:\^[\d/]{1,8}|\s?%)?|\b(?:two|three|four|five|six|seven|eight|nine|ten|dozen|half"
    r"|twice|once|hundred|thousand|million|billion|dos|tres|cuatro|cinco|seis|siete|ocho|nueve|diez"
    r"|zwei|drei|vier|fünf|sechs|sieben|acht|neun|zehn|deux|trois|quatre|cinq|sept|huit|neuf|dix)\b",
    FLAGS,
)
MONTH = (
    r"(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?"
    r"|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?|enero|febrero|marzo|abril|mayo"
    r"|junio|julio|agosto|septiembre|octubre|noviembre|diciembre|januar|februar|märz|mai|juni|juli"
    r"|oktober|dezember|janvier|février|mars|avril|juin|juillet|août|septembre|octobre|décembre)"
)
DATE = re.compile(
    # The longest first: a day is set off with its month and year.
    rf"\b\d{{4}}-\d\d-\d\d\b|\b{MONTH}\.?\s+\d{{1,2}}(?:st|nd|rd|th)?(?:,?\s+\d{{4}})?\b"
    rf"|\b\d{{1,2}}(?:st|nd|rd|th|\.)?\s+(?:day\s+)?(?:(?:de|of)\s+)?{MONTH}"
    r"(?:,?\s+(?:de\s+|of\s+)?\d{4})?\b"
    r"|\b\d{1,2}(?:st|nd|rd|th)\s+(?:(?:calendar|business)\s+)?day(?:\sof\s(?:each|every)\smonth)?\b"
    rf"|\b{MONTH}\s+\d{{4}}\b|\b(?:1[5-9]|20)\d\d\b"
    r"|\b\w+\s(?:day|week|month|year)s?\s(?:before|after|from|of)\b"
    r"|\b(?:\d+|two|three|four|five|six|seven|ten|thirty|sixty|ninety)\s+(?:business\s+)?"
    r"(?:hour|day|week|month|year)s?\b",
    FLAGS,
)
# "one year", "3-5 years", "30 Tage".
DURATION = re.compile(
    r"(?<![\w.,])(?:\d[\d.,]{0,12}|an?|one|two|three|four|five|six|seven|eight|nine|ten|twelve"
    r"|half an?|several|thirty|sixty|ninety|un[ao]?|dos|tres|seis|eine?[mnr]?|zwei|drei|sechs"
    r"|deux|trois)(?:\s?(?:[-–]|to|or|bis|a|à)\s?\d[\d.,]{0,12})?[\s-](?:(?:full|business|calendar|more)\s)?"
    r"(?:(?:milli|micro|nano)?se[cg]\w*|ms|minut\w+|hours?|days?|weeks?|months?|years?|décadas?"
    r"|horas?|días?|semanas?|mes(?:es)?|años?|Sekunden?|Stunden?|Tag\w*|Wochen?|Monat\w*|Jahr\w*"
    r"|heures?|jours?|semaines?|mois|ans?|années?)\b",
    FLAGS,
)
FREQUENCY = re.compile(
    r"\b(?:every|each|per|daily|weekly|monthly|yearly|hourly|nightly|once|twice|times|cada|diari\w+"
    r"|semanal\w*|veces|jede[mnrs]?|täglich\w*|wöchentlich\w*|monatlich\w*|chaque|fois)\b",
    FLAGS,
)
# "Every two hours", where "every 5 minutes" was asked for; and as tables of jobs have it.
RECURRENCE = re.compile(
    r"\bevery (?:\d+|two|three|four|five|six|ten|fifteen|thirty|other|few|[nx])(?:st|nd|rd|th)?"
    r" (?:sec|min|hour|day|week|month)\w*|\*/\d"
    r"|\balle (?:\d+|zwei|drei|vier|fünf|zehn|paar) (?:sekunden|minuten|stunden|tage|wochen)"
    r"|\bcada (?:\d+|dos|tres|cinco|diez) (?:segundos|minutos|horas|días|semanas)"
    r"|\btoutes les (?:\d+|deux|trois|cinq|dix) (?:secondes|minutes|heures)",
    FLAGS,
)
# "The program was first written by …".
MADE_BY = re.compile(
    r"(?P<subject>[^.;:()\n]{1,60}?)(?: (?:was|were|is|are|has been|have been))?"
    r"(?: \w{2,12}(?:ly|st))?"
    r" (?:written|created|developed|designed|invented|founded|made|built|started|authored) by\b",
    FLAGS,
)
# What only begins a sentence is no part of a name: "But I", "If Marta".
NAME = re.compile(
    r"\b(?!(?:But|And|Or|If|When|While|As|Since|So|Then|In|On|At|For|From|That|This|It|He|She|We|They"
    r"|You|I|Every|Aber|Und|Wenn|Als|Im|Am|Ich|Er|Sie|Es|Wir|Pero|Si|Cuando|Yo|Mais|Quand|Je|Il)\s)"
    r"[A-ZÀ-Þ][\w'’.-]+(?:\s(?:(?:de|von|van|der|la|del|of|the)\s)*[A-ZÀ-Þ][\w'’.-]*)+"
)
PROPER = r"(?P<subject>\b[A-ZÀ-Þ][\w'’-]{1,30}(?: [A-ZÀ-Þ][\w'’-]{1,30}){0,3})"
# Who somebody is: "Marta, the harbour master", "Marta was his aunt"; "her younger brother Jon".
WHO_IT_IS = re.compile(
    rf"{PROPER}(?:,? (?:who )?(?:is|was|are|were|became) (?:an?|the|his|her|their|my|our|one)\b"
    r"|, (?:an?|the|his|her|their|my|our) [a-z])"
)
APPOSED = re.compile(
    r"\b(?:[Hh]is|[Hh]er|[Tt]heir|[Mm]y|[Oo]ur|[Tt]he|[Aa]n?|[A-ZÀ-Þ][\w-]{1,30}['’]s)"
    rf" (?:[a-z][\w-]{{1,20}} ){{1,3}}(?:\([^()]{{1,40}}\) )?{PROPER}"
)
# When something holds or happens, where no day is named.
OCCASION = re.compile(
    r"\b(?:if|once|upon|until|unless|as of|as soon as|in the event|whenever|wenn|sobald|falls|bis"
    r"|si|cuando|en cuanto|lorsque|dès que)\b",
    FLAGS,
)
REASON = re.compile(
    r"\b(?:because|since|so that|in order to|due to|therefore|thus|reason|caused? by|as a result"
    r"|prohibit\w*|prevent\w*|which is why|so as to"
    r"|porque|debido|ya que|puesto que|a causa de|por eso|por lo que|weil|damit|wegen|aufgrund"
    r"|deshalb|daher|denn|sodass|parce que|car|afin|puisque|à cause|en raison|grâce à)\b",
    FLAGS,
)
# Why something is called as it is.
NAMED_AFTER = re.compile(
    r"\bnamed (?:after|for|in hono\w+)\b|\b(?:derive[sd]?|taken) from\b|\b(?:stands?|short) for\b"
    r"|\b(?:contraction|combination|abbreviation|acronym|anagram|portmanteau) (?:of|for)\b"
    r"|\bpun on\b"
    r"|\b(?:name|word|term)\b[^.]{0,60}\b(?:com(?:es?|ing)|came|means?|refers?|origin\w*|chosen)\b"
    r"|\b(?:so|thus|therefore) (?:called|named)\b"
    r"|\b(?:called|named)\b[^.]{0,60}\b(?:because|since)\b"
    r"|\b(?:benannt nach|abkürzung|kurz für)\b"
    r"|\bName\b[^.]{0,60}\b(?:kommt|stammt|leitet|bedeutet|steht)"
    r"|\bnombre\b[^.]{0,60}\b(?:viene|deriva|significa)\b"
    r"|\bnom\b[^.]{0,60}\b(?:vient|dérive|signifie)",
    FLAGS,
)
DEFINITION = re.compile(
    r"^(?P<subject>[^.;:!?]{0,90}?)\b(?:means|refers to|is (?:an?|the|one)\b|are (?:an?|the)?\b"
    r"|stands for|is defined|is used (?:to|for)|provides an?|(?:lets|allows) (?:you|users|the)"
    r"|(?:es|son) (?:un|una|el|la|los|las)\b|significan?\b|sirven? para|se (?:usa|utiliza)n? para"
    r"|(?:ist|sind) (?:ein|eine|der|die|das)\b|bedeute[nt]|dient\b|steht für|bezeichnet"
    r"|(?:est|sont) (?:un|une|le|la|les|des)\b|désigne|signifie|sert à|permet de)",
    FLAGS,
)
# A name in full, with its letters in brackets behind it, or the other way round.
EXPANSION = re.compile(
    r"(?P<subject>(?:\b[A-Z][\w-]*\s){1,6}\([A-Z]{2}[\w.]{0,8}\b"
    r"|(?:\b[a-z][\w-]*\s){2,6}\([A-Z]{2}[\w.]{0,8}\)"
    r"|\b[A-Z]{2}[\w.]{0,8}\s\((?:[A-Z][\w-]*[\s)]){2,6})"
)
# "index: A collection of files": an entry of a glossary, or of a list of terms.
ENTRY = re.compile(r"^\s*(?:[-*•]\s+)?(?P<subject>[^.:;!?\n]{1,60}?)(?::| [-–—]| \|)\s+\S", FLAGS)
# What a list stands under.
ANNOUNCEMENT = re.compile(r"[:：]\s*$")
# "To list the files, …": what is told is how to do it.
PURPOSE = re.compile(
    r"^\W*(?:in order )?(?:to|para|um|pour|afin de)\s(?P<subject>[^.,;:!?]{3,120})", FLAGS
)
DUTY = re.compile(
    r"\b(?:must|may|shall|can(?:not)?|not|never|only|required?|allow(?:s|ed)?|permit(?:s|ted)?"
    r"|prohibited|always|no|deben?|pueden?|nunca|siempre|s[oó]lo|permitid[oa]s?|prohibid[oa]s?"
    r"|muss|müssen|darf|dürfen|kann|können|nicht|nur|nie|immer|keine?[nrs]?|erlaubt|verboten"
    r"|doi(?:t|vent)|peu(?:t|vent)|faut|pas|jamais|toujours|obligatoire|interdit)\b",
    FLAGS,
)
# What has to be done, or doesn't have to.
OBLIGATION = re.compile(
    r"\b(?:requir\w+|mandatory|compulsory|obligat\w+|must|need(?:s|ed)? (?:to|not)|needn['’]t"
    r"|(?:do(?:es)?n['’]t|do(?:es)? not) (?:have|need)|ha(?:ve|s) to|(?:un)?necessary|optional\w*"
    r"|recommend\w*|voluntar\w+|muss|müssen|nötig|erforderlich|verpflicht\w+|pflicht|freiwillig"
    r"|obligator\w+|debe[ns]?|necesari\w+|no hace falta|tienen? que|opcional\w*|obligatoire\w*"
    r"|doit|doivent|facultati\w+|nécessaire|il faut)\b",
    FLAGS,
)
CONDITION = re.compile(
    r"\b(?:if|when(?:ever)?|in case|in the event|otherwise|unless|once|wenn|falls|sobald|ansonsten"
    r"|si|cuando|en caso|lorsque|quand)\b",
    FLAGS,
)
# That it costs nothing, or how much.
PRICE = re.compile(
    r"\b(?:free of charge|for free|at no (?:charge|cost)|no[- ](?:charge|cost|fee)|royalty[- ]free"
    r"|(?:is|are) free\b(?! to| of)|without (?:charge|payment|paying|cost)|kostenlos|kostenfrei"
    r"|unentgeltlich|gratis|gratuit\w*|sin coste?)\b"
    r"|[$€£]\s?\d|\d\s?(?:€|(?:EUR|USD|GBP|euros?|dollars?|pounds?)\b)",
    FLAGS,
)
# What holds where nothing else is said.
DEFAULT = re.compile(
    r"\bdefaults? ?(?:to|value|is|are|[:=(])|\bby default\b|[(\[,] ?default\b"
    r"|\b(?:por|par) d[eé]f\w+|\bpredeterminad\w+|\bstandard(?:wert|mäßig)",
    FLAGS,
)
# What goes no farther, upwards and downwards.
UPPER_BOUND = re.compile(
    r"\b(?:up to|at most|no(?:t)? (?:be )?(?:more|longer|larger|higher|greater) than"
    r"|max(?:imum|imal)?|exceed\w*|limit(?:ed|s)?|bis zu|höchstens|maximal\w*|hasta"
    r"|como máximo|máxim[oa]s?|jusqu|au plus|maxim\w+)\b",
    FLAGS,
)
LOWER_BOUND = re.compile(
    r"\b(?:at least|no(?:t)? (?:be )?(?:less|fewer|shorter|smaller|lower) than|min(?:imum|imal)?"
    r"|mindestens|minimal\w*|al menos|como mínimo|mínim[oa]s?|au moins|minim\w+)\b",
    FLAGS,
)
# A figure that may stand before what is counted.
COUNT = (
    r"(?<![\w.,§#])(?:\d[\d.,]{0,12}|two|three|four|five|six|seven|eight|nine|ten|twelve|dos|tres"
    r"|cuatro|cinco|seis|zwei|drei|vier|fünf|sechs|deux|trois|quatre|cinq)"
)
# A path, an address on the web, or a folder that is named.
PLACE = re.compile(
    r"(?<![\w/.])(?:~|\.{1,2}|\$\w{1,40})?/[\w.+-]+|https?://"
    r"|\b(?:in|under|from|into|to|en|im|dans) (?:the |el |la |le )?(?:\w+ ){0,2}"
    r"(?:director(?:y|ies)|folders?|files?|carpeta|directorio|Verzeichnis|Ordner|dossier)\b",
    FLAGS,
)
VERDICT = re.compile(
    r"^\W*(?:a(?:nswer)?: )?(?:(?:and|but|well|oh|aber|pero),? )?"
    r"(?:yes|no|nope|sí|no|ja|nein|jein|oui|non)\b\s*[,.:;!–—-]",
    FLAGS,
)
# What begins with what is to be done, or is an option of a manual page.
STEP = re.compile(
    r"^\W*(?:\d+[.)]\s|(?:use|run|type|click|press|select|choose|open|enter|set|add|install"
    r"|create|go|call|execute|us[ae]|utilice|ejecut\w+|puls[ae]|seleccione|elija|abra|escriba|añada"
    r"|instale|introduzca|verwenden|benutzen|geben sie|klicken|drücken|wählen|öffnen|starten"
    r"|führen sie|rufen sie|utilisez|lancez|cliquez|choisissez|ouvrez|tapez|appuyez|sélectionnez"
    r"|exécutez|ajoutez|installez|créez)\b)"
    r"|^\s*(?:[-*•]\s+)?-{1,2}[^\W_]",
    FLAGS,
)
# What tells a way to do it, or leads to it.
WAY = re.compile(
    r"\b(?:can|may) be used to\b|\byou (?:can|may|need|have|must|should)\b"
    r"|\bse puede\b|\bpuede (?:usar|utilizar|ejecutar)\b|\bbasta con\b|\bhay que\b"
    r"|\bkönnen sie\b|\bman kann\b|\bkann man\b|\bmit (?:dem|der) (?:befehl|option|taste)\b"
    r"|\bvous (?:pouvez|devez)\b|\bil (?:suffit|faut)\b|\bon peut\b"
    r"|\b(?:use|using|run|running|invoke|type|enter|press) (?:the|an?) \b|[:：]\s*$",
    FLAGS,
)
