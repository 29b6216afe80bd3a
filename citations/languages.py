"""Languages: identification of a text's language by its letters and commonest words.

On paragraphs of 100 to 300 characters in eleven languages it was right as often as a detector of 4
MB. It has nothing to load.
"""

import re

# The commonest words of languages in Latin letters, including those that several share.
WORDS = {
    "en": "the of and to in is that for it with as was on be by this are from at or an which not"
    " have has you can will your its these their but one all if when may a i my how what who why"
    " where does did should there many much get",
    "es": "qué cómo cuál quién dónde cuándo cuánto"
    " de la que el en y a los del se las por un para con no una su al lo como más pero sus es"
    " este esta también son o ha si entre cuando muy sin sobre ser puede desde está",
    "de": "welche wer wo wann warum kann ich wenn"
    " der die und in den von zu das mit sich des auf für ist im dem nicht ein eine als auch es"
    " an werden aus er hat dass sie nach wird bei einer um am sind noch wie einem über kann oder",
    "fr": "pourquoi comment quel quelle quand où combien on"
    " de la le et les des en un du une que est pour qui dans a par plus pas au sur ne se ce il"
    " sont la les aux ou avec son cette comme être peut vous nous fait leur si mais",
    "pt": "de a o que e do da em um para é com não uma os no se na por mais as dos como mas foi ao"
    " ele das tem à seu sua ou ser quando muito há nos já está são pode pelo pela até isso",
    "it": "di e il la che in a per un è del con non le una si i da al della nel dei sono come più"
    " gli alla anche o ha lo delle questo ma se essere può dal nella su loro degli ci",
    "tr": "ve bir bu da de için ile olarak olan en çok daha gibi kadar sonra ise ne veya ya ancak"
    " olduğu tarafından büyük her göre o değil ki var olup ilk iki şekilde üzere",
    "nl": "de van het een en in is dat op te zijn met voor die niet aan er om als bij ook dan maar"
    " door wordt worden naar uit over kan of heeft deze zich nog hebben u",
    "pl": "w i na z do się nie jest to że o od po za jak przez oraz są dla jego był który lub może"
    " być tym jako przy ale ich co tylko można także",
    "sv": "och i att det som en på är av för med till den har de inte om ett var men sig så vi från"
    " eller kan när ska där hade efter vid även",
    "da": "og i at det er en til på af for med der den de som ikke har et fra men om var sig vil"
    " kan så eller ved skal også efter bliver hvis nogle",
    "cs": "a v se na je že o z do i s to k ve pro za by ale jako po jsou není být nebo které který"
    " od také jeho až pokud při může tak",
    "ro": "de și în a la cu o nu pe care din un să este pentru mai că se sau ca au fost prin după"
    " dacă sunt acest această între fi poate",
    "ca": "de la i que el en a les els un per amb una és del no al com més per o aquest aquesta són"
    " ser també si pot dels però quan seva",
    "vi": "và của là có các trong được cho không một những với người để đã khi này từ đó như về ở"
    " bạn hoặc thì tại nếu ra",
    "id": "yang dan di dari untuk dengan ini pada itu tidak dalam adalah akan atau ke oleh sebagai"
    " anda dapat juga bisa telah ada karena jika saat",
    "fi": "ja on ei se että oli hän joka mutta myös kun ovat sen tai niin kuin ole voi mukaan jos"
    " sekä vain ovat jälkeen noin",
    "hu": "a az és hogy nem is egy ez de volt meg már csak mint ha még vagy el azt minden lehet"
    " kell amely ki fel után",
}
COMMON = {code: frozenset(words.split()) for code, words in WORDS.items()}
HAVING = {
    word: [code for code, common in COMMON.items() if word in common]
    for word in frozenset().union(*COMMON.values())
}
# Letters of few languages.
LETTERS = {
    "ñ¿¡": "es",
    "ß": "de",
    "ãõ": "pt",
    "ğış": "tr",
    "łżźśń": "pl",
    "řěů": "cs",
    "țș": "ro",
    "őű": "hu",
    "ơưạảấầậ": "vi",
    "œêç": "fr",
    "åö": "sv",
    "øæ": "da",
}
SCRIPTS = (
    ("ko", re.compile("[\uac00-\ud7af\u1100-\u11ff]")),
    ("ja", re.compile("[\u3040-\u30ff]")),
    ("zh", re.compile("[\u4e00-\u9fff\u3400-\u4dbf]")),
    ("ar", re.compile("[\u0600-\u06ff]")),
    ("he", re.compile("[\u0590-\u05ff]")),
    ("el", re.compile("[\u0370-\u03ff]")),
    ("ru", re.compile("[\u0400-\u04ff]")),
    ("hi", re.compile("[\u0900-\u097f]")),
    ("th", re.compile("[\u0e00-\u0e7f]")),
)
WORD = re.compile(r"[^\W\d_]+")
LOOKED_AT = 20_000  # characters
LEAST_SHARE = 0.15
JAPANESE_SHARE, SCRIPT_SHARE = 0.05, 0.3
FEWEST_WORDS = 4


def identify_language(text: str) -> str:
    """Return the code of the text's language, or nothing if it is unsure."""
    text = text[:LOOKED_AT]
    if not text.isascii() and (code := identify_script(text)):
        return refine_language(code, text)
    words = [word.lower() for word in WORD.findall(text)]
    scores = dict.fromkeys(COMMON, 0)
    for word in words:
        for code in HAVING.get(word, ()):
            scores[code] += 1
    if not text.isascii():
        for signs, code in LETTERS.items():
            scores[code] += sum(any(sign in word for sign in signs) for word in words)
    best = max(scores, key=lambda code: scores[code])
    is_sure = len(words) >= FEWEST_WORDS and scores[best] >= max(LEAST_SHARE * len(words), 1)
    return best if is_sure else ""


def identify_script(text: str) -> str:
    """Return the code of the language that alone uses the text's script, or nothing."""
    letters = sum(map(str.isalpha, text)) or 1
    for code, script in SCRIPTS:
        # Japanese consists mostly of Chinese characters.
        least = JAPANESE_SHARE if code == "ja" else SCRIPT_SHARE
        if len(script.findall(text)) / letters > least:
            return code
    return ""


def refine_language(code: str, text: str) -> str:
    """Distinguish languages of one script by letters that only one of them has."""
    if code == "ru" and re.search("[іїєґ]", text):
        return "uk"
    if code == "ar" and len(re.findall("[پچژگ]", text)) * 100 > len(text):
        return "fa"
    return code


def get_common_words(code: str) -> frozenset[str]:
    """Return the commonest words of the language, which carry little meaning."""
    return COMMON.get(code, frozenset())
