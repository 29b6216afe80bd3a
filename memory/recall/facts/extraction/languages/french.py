"""What a person says of themselves, in French; as `statements` does in English."""

from memory.recall.facts.extraction.statements import NUMBER, Row, named, rivals, tool, valued

_HOW = r"(?: (?:maintenant|actuellement|désormais|aussi|toujours|encore|surtout|plutôt)){0,2}"
_AM = rf"(?:je suis|j'suis|nous sommes|on est){_HOW}"
_HAVE = rf"(?:j'ai|nous avons|on a){_HOW}"
_LIVE = (
    rf"(?:(?:j'habite|j'vis|je vis|je réside|je loge|nous habitons|nous vivons|on habite){_HOW})"
)
_WORK = rf"(?:(?:je travaille|je bosse|nous travaillons){_HOW})"
_USE = rf"(?:(?:j'utilise|j'emploie|nous utilisons|on utilise){_HOW})"
_IN = r"(?:à|a|en|au|aux|dans|près de|près d'|sur)"
_NUMBER = rf"(?:{NUMBER}|un|une|deux|trois|quatre|cinq|six|sept|huit|neuf|dix)"
_DIET = r"(?:végétarien(?:ne)?|végane?|pescétarien(?:ne)?)"
_JOB = (
    r"(?:(?:infirmi|cuisini|ouvri|banqui|hôteli|serveu|polici|pompi|boulang|pâtissi|charpenti)\w*"
    r"|médecin|avocate?|ingénieure?|enseignante?|professeure?|prof|instit\w*|étudiante?|retraitée?"
    r"|comptable|architecte|journaliste|développeu(?:r|se)|programmeu(?:r|se)|graphiste|notaire"
    r"|juriste|dentiste|pharmacien(?:ne)?|électricien(?:ne)?|plombi(?:er|ère)|secrétaire|vétérinaire"
    r"|coiffeu(?:r|se)|chauffeur|pilote|traduct(?:eur|rice)|chercheu(?:r|se)|analyste|juge|psychologue"
    r"|musicien(?:ne)?|act(?:eur|rice)|écrivaine?|agricult(?:eur|rice)|fonctionnaire|gérante?"
    r"|directeur|directrice|vendeu(?:r|se)|consultante?|indépendante?|sage-femme|aide-soignante?"
    r"|locataire|propriétaire|apprentie?|stagiaire|biologiste|chimiste|économiste)"
)
_OWNED = (
    r"(?:chef(?:fe)?|patronne?|femme|mari|compagne|compagnon|fils|fille|chien|chat|voiture"
    r"|entreprise|société|équipe|adresse|téléphone|anniversaire|ville|pays|médecin|université"
    r"|école|projet|cliente?|salaire|loyer|bailleur|langue maternelle|bureau)"
)
_BUDGET = r"(?:(?:mon|notre|le) )?(?:nouveau )?budget"
_RAISED = r"(?:augmenté|porté|relevé|réduit|baissé|abaissé|diminué|ramené|fixé|changé|passé|revu)"
KEPT: list[Row] = [
    ("home", rf"{_LIVE} {_IN} (?P<v>.+)"),
    (
        "home",
        r"(?:(?:j'ai|nous avons|on a) déménagé|je viens de déménager|je me suis installée?"
        rf"|nous nous sommes installée?s)(?: de [\w ]{{2,30}}?)? {_IN} (?P<v>.+)",
    ),
    ("home", rf"{_AM} (?:basée?s?|installée?s?|domiciliée?s?) {_IN} (?P<v>.+)"),
    ("origin", r"je (?:viens|suis originaire) (?:de |d'|du )(?P<v>(?-i:[A-ZÀ-Ý]).+)"),
    ("employer", rf"{_WORK} (?:chez|pour) (?P<v>.+)"),
    ("job", rf"{_WORK} comme (?P<v>.+)"),
    ("work:place", rf"{_WORK} {_IN} (?P<v>.+)"),
    ("diet", rf"(?:{_AM}|je suis devenue?|je mange) (?:une? )?(?P<v>{_DIET})\b"),
    ("job", rf"{_AM} (?:une? )?(?P<v>{_JOB})\b"),
    ("job", rf"{_AM} (?P<v>à la retraite|au chômage|à mon compte)\b"),
    ("name", r"je m'appelle (?P<v>[^\W\d_][\w'-]*(?: [^\W\d_][\w'-]*){0,2})$"),
    ("name", r"mon (?:pré)?nom est (?P<v>[^\W\d_][\w'-]*(?: [^\W\d_][\w'-]*){0,2})$"),
    ("name", r"appelle[rz]?-moi (?P<v>[^\W\d_][\w'-]*)$"),
    ("age", r"j'ai (?P<v>\d{1,3}) ans\b"),
    (valued("allergy"), rf"{_AM} (?:très )?allergique (?:aux|au|à la|à l'|à) ?(?P<v>.+)"),
    (
        valued("health"),
        rf"(?:{_AM} (?P<v>diabétique|asthmatique|enceinte|épileptique|malvoyante?|sourde?))\b",
    ),
    (
        "marital",
        rf"(?:{_AM}|je me suis) (?P<v>mariée?s?|célibataire|divorcée?|pacsée?s?|fiancée?s?"
        r"|veu(?:f|ve)|séparée?)\b",
    ),
    ("kids", rf"{_HAVE} (?P<v>{_NUMBER} (?:petits? )?(?:enfants?|fils|filles?|bébés?))\b"),
    (
        "budget",
        rf"{_BUDGET}(?: est| était| sera| s'élève|:)?(?: désormais| maintenant)?"
        rf"(?: a été {_RAISED}| est passé| a {_RAISED})?(?: de| à| d'environ| à environ)?"
        rf" (?P<v>[€$£]?{NUMBER}.*)",
    ),
    ("budget", rf"{_HAVE} un (?:nouveau )?budget (?:de |d'environ )(?P<v>.+)"),
    (
        "budget",
        rf"(?:j'ai|nous avons|on a) {_RAISED} (?:mon|notre|le) budget(?: de [\w ]{{2,30}}?)? à"
        rf" (?P<v>.+)",
    ),
    (
        "deadline",
        r"(?:mon|notre|le|ma|la) (?:délai|échéance|date limite) (?:est|expire|se termine"
        r"|a été (?:repoussée?|reportée?|avancée?))(?: le| au)? (?P<v>\d.+)",
    ),
    (
        valued("uses", tool),
        rf"{_USE} (?!(?:le|la|les|un|une|des|ce|cette|ces|mon|ma|mes|cela|ça)\b|l')(?P<v>.+)",
    ),
    (valued("speaks"), r"je parle (?!de\b|à\b|avec\b|du\b|des\b)(?P<v>[^\W\d_]+)"),
    (rivals, r"je préfère (?:le |la |les |l')?(?P<v>[\w ]+?) (?:au|à la|aux|à) (?P<w>.+)"),
    (
        valued("likes"),
        r"(?:j'aime|j'adore|je préfère|je déteste|je n'aime pas|j'apprécie)(?: bien| beaucoup"
        r"| surtout)? (?!(?:ça|cela|ce|cette|ces|que|ta|ton|votre)\b)(?:le |la |les |l'|du |des )?"
        r"(?P<v>.+)",
    ),
    (
        named("favourite"),
        r"m(?:on|a) (?P<s>\w+) (?:préférée?|favorite?) est (?:le |la |l')?(?P<v>.+)",
    ),
    (
        named("my"),
        rf"(?:mon|ma|notre) (?P<s>{_OWNED}) (?:est|s'appelle) (?!un problème|de\b|très\b|trop\b"
        r"|en\b|malade\b|pas\b)(?P<v>.+)",
    ),
]
_NO_MORE = r"(?:je n'|je ne |j'|je |nous ne |nous n')"
ENDED: list[Row] = [
    ("home", rf"{_NO_MORE}(?:habite|vis|réside) plus {_IN} (?P<v>.+)"),
    ("employer", rf"{_NO_MORE}travaille plus (?:chez|pour) (?P<v>.+)"),
    ("work:place", rf"{_NO_MORE}travaille plus {_IN} (?P<v>.+)"),
    ("diet", rf"{_NO_MORE}suis plus (?P<v>{_DIET})\b"),
    ("job", rf"{_NO_MORE}suis plus (?:une? )?(?P<v>{_JOB})\b"),
    (valued("uses", tool), rf"{_NO_MORE}utilis(?:e|ons) plus (?P<v>.+)"),
    ("budget", r"(?:mon|notre|le) budget n'est plus (?:de )?(?P<v>.+)"),
]
