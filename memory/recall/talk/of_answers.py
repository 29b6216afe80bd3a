"""What is said of the last answer: "where does it say that?", "shorter", "in simple words".

Whole wordings, in English, Spanish, German and French, as `conversation` reads them: in lower case,
without marks, and without what is polite about them.
"""

_THAT = r"(?: (?:it|that|this|(?:the|your|that|this) (?:last |previous )?answer))?"
_PLEASE = r"(?:(?:can|could|would) you (?:please )?|please |just |now |even )*"
_SAYS = "say|make|put|give|write|tell|answer|explain|rephrase|repeat"
_SAY = rf"{_PLEASE}(?:(?:{_SAYS})(?: (?:me|us))?{_THAT}(?: to me)? )?"
_SIMPLE = r"(?:simple|simpler|plain|easy|easier|normal|other|your own|layman s)"
_GERMAN_SAYS = r"(?:erklär|sag|schreib|formulier|mach|fass)(?:e)?"
_AGAIN_IN_GERMAN = r"(?:(?:bitte|noch ?mal|nochmals|das|es|mir|etwas|bisschen|ein|mal|kurz) )*"
_PAGE = r"(?:page|section|chapter|line|paragraph)"

# What it stands on; and that it can't be so, to which that is all there is to say.
GROUNDS = [
    r"(?:are you|you) (?:really |quite |absolutely |100 )?(?:sure|certain)(?: (?:about"
    r"|of) (?:that|this|it))?|(?:really )?sure|really|for real",
    r"(?:is|was) (?:that|this|it) (?:really )?(?:right|true|correct)|how do you know(?: that"
    r"| this)?",
    r"(?:where|in (?:which|what) (?:document|section|part|file)) (?:does|do|did) (?:it|they"
    r"|you) (?:say|state|read|find|get)(?: (?:that|this|it))?(?: from)?",
    r"where (?:is|s|does|did) (?:that|this|it) (?:said|written|stated|from|come from|stand)",
    r"who (?:says|said|states|claims)(?: (?:that|this|so))?|says who|according to whom",
    r"(?:what (?:is|s) )?(?:the|your)? ?source(?: (?:for|of) (?:that|this|it))?",
    rf"(?:on |in )?(?:which|what) {_PAGE}(?: (?:is|was|does) (?:that|this|it)(?: (?:on|in|say"
    r"|stand))?| of (?:it|that|the document))?|page(?: number)?",
    r"(?:no )?(?:but )?(?:(?:that|this|it|you)(?: is| s| are| re) )?(?:all |just |completely "
    r"|totally |simply )?(?:wrong|incorrect|not (?:right|true|correct|so|it))"
    r"|(?:that|this|it) (?:isn|can|doesn) t (?:be )?(?:right|true|correct|so)"
    r"|i don t (?:believe|think) (?:that|this|it|so|you)(?: is (?:right|true|correct))?",
    r"est[aá]s segur[oa](?: de eso)?|de verdad|es (?:eso )?(?:cierto|verdad)|(?:d[oó]nde"
    r"|en qu[eé] (?:documento|sección|parte)) (?:dice|pone|está)(?: eso| escrito)?"
    r"|qui[eé]n (?:dice|lo dice)(?: eso)?|(?:en )?qu[eé] p[aá]gina(?: está)?"
    r"|(?:eso |esto )?(?:no es (?:cierto|verdad|así|correcto)|es falso|está mal|es incorrecto)",
    r"bist du (?:dir )?(?:da )?(?:ganz |wirklich )?sicher|sicher|wirklich|echt|stimmt das(?: so"
    r"| wirklich)?|ist das (?:wirklich )?(?:so|wahr|richtig)|wo (?:steht|hast du) das(?: denn"
    r"| her| genau)?|wer sagt das|woher (?:weißt|weisst|hast) du das|(?:auf )?welche[rs]? seite"
    r"(?: (?:steht|ist) das)?|(?:auf )?seite|(?:nein )?(?:das (?:ist (?:doch )?(?:falsch"
    r"|nicht (?:wahr|richtig))|stimmt (?:so |doch )?nicht|kann nicht (?:sein|stimmen))|falsch)",
    r"(?:tu es|es tu|vous êtes|t es) (?:bien |vraiment )?sûre?|vraiment|c est (?:bien )?(?:vrai"
    r"|sûr)|où est ce(?: que c est)? (?:écrit|dit)|où (?:c est|est) écrit|qui (?:le )?dit(?: ça"
    r"| cela)?|(?:à )?quelle page|d où ça vient|(?:non )?(?:c est|ce n est) (?:pas (?:vrai|juste"
    r"|ça)|faux)",
]
# The same in few words.
SHORTER = [
    _SAY + r"(?:a (?:bit|little) |much |even )?(?:shorter|more briefly|briefer|more concise(?:ly)?"
    r"|concisely|brief(?:ly)?|in short|in brief)(?: (?:answer|version))?",
    _SAY + r"(?:in|as|with) (?:one|a single|1|a|two|2|few|a few"
    r"|fewer) (?:short )?(?:sentences?|words?|lines?)",
    _PLEASE + r"(?:shorten|summari[sz]e|condense|sum up)(?: (?:it|that|this|(?:the|your"
    r"|that) (?:last "
    r"|previous )?answer))?(?: up)?(?: (?:for me|in (?:one|a|two) (?:short )?sentences?))?",
    rf"{_PLEASE}(?:(?:give me )?(?:a|the) )?(?:short |quick |brief )?summary(?: of (?:it|that|this"
    r"|(?:the|your) answer))?|tl ?dr|(?:that s |that is |this is )?(?:way |much )?too long"
    r"|(?:the )?short(?: version)?",
    r"(?:m[aá]s (?:corto|breve)|en una (?:sola )?frase|en pocas palabras|(?:puedes )?resumirlo"
    r"|res[uú]m(?:e|elo|emelo|eme)(?: (?:eso|esto))?|resumen|acórtalo|en resumen"
    r"|demasiado largo)(?: por favor)?",
    rf"{_AGAIN_IN_GERMAN}(?:fasse? {_AGAIN_IN_GERMAN}zusammen|zusammenfassen"
    r"|(?:kannst du das )?zusammenfassen|zusammenfassung|kürzer|kuerzer"
    r"|(?:in|mit) (?:einem (?:kurzen )?satz|zwei sätzen|wenigen worten|kurzen worten)|kurz"
    r"|kurz gefasst|knapper|zu lang|kurzfassung|mach(?:e)? (?:das|es) kürzer)(?: bitte)?",
    r"(?:plus (?:court|bref)|en une (?:seule )?phrase|en bref|en résumé|en quelques mots"
    r"|(?:tu peux )?(?:résume[rsz]?|resume)(?: (?:ça|le|cela|moi ça|ca))?|résumé|raccourcis"
    r"|trop long)(?: s il (?:te|vous) plaît)?",
]
# The same as only a language model can say it.
OTHERWISE = [
    _PLEASE + rf"translate{_THAT}(?: (?:in)?to)? [^\W\d_]{{4,12}}",
    _SAY + r"(?:in|into) (?:english|german|spanish|french|italian|portuguese|dutch|polish"
    r"|russian|chinese|japanese|arabic|turkish)",
    _SAY + r"(?:a (?:bit|little) |more |much |even )?(?:simpler|simply|simple|plainly|clearly"
    r"|clearer|easier|formally|differently|another way"
    rf"|in (?:more )?{_SIMPLE} (?:words?|terms?|english|language)"
    r"|like i (?:am|m) (?:five|5|a (?:child|kid)|ten)|(?:for|to) (?:a child|a kid|kids|dummies"
    r"|a beginner|beginners)|eli5)(?: (?:words?|terms?))?",
    _PLEASE + r"(?:simplify|rephrase|reword|paraphrase|rewrite)(?: (?:it|that|this|(?:the"
    r"|your|that) (?:last |previous )?answer))?|i (?:don t|do not|dont) (?:understand|get)"
    r"(?: (?:it|that|this))?",
    _SAY + r"(?:as|in) (?:an? )?(?:e ?mail|poem|tweet|letter|story)",
    r"(?:por favor )?(?:traduce(?:lo)?|tradúcelo|dilo|expl[ií]ca(?:melo|lo)?)(?: eso)? (?:al"
    r"|en) (?:inglés|alemán|español|francés)"
    r"|(?:dilo|explícalo|explicalo|explícamelo|otra vez|de nuevo) (?:más )?(?:simple|sencillo"
    r"|fácil)|más (?:simple|sencillo|fácil|claro)|(?:en|con) (?:otras palabras|palabras (?:más )?"
    r"(?:sencillas|simples))|(?:no )?(?:lo )?entiendo|en (?:inglés|alemán|español|francés)",
    r"(?:bitte )?(?:übersetz(?:e)?(?: (?:das|es))? (?:ins|auf|nach) [^\W\d_]{5,12}"
    r"|auf (?:deutsch|englisch|spanisch|französisch))(?: bitte)?",
    rf"{_AGAIN_IN_GERMAN}(?:{_GERMAN_SAYS} )?{_AGAIN_IN_GERMAN}(?:einfacher|verständlicher|anders"
    r"|deutlicher|einfach|in (?:einfachen|einfacheren|anderen) (?:worten|wörtern)"
    r"|für (?:kinder|anfänger|dummies))(?: (?:erklärt|gesagt|bitte|ausgedrückt))*"
    r"|(?:das )?(?:versteh(?:e)?|kapier(?:e)?) ich nicht|ich versteh(?:e)? (?:das |es )?nicht",
    r"(?:traduis(?: (?:ça|le|cela))? )?en (?:anglais|allemand|espagnol|français)"
    r"|(?:(?:explique|dis)(?: (?:moi|le|ça))* )?(?:encore )?(?:plus (?:simple(?:ment)?"
    r"|clair(?:ement)?)|autrement|en (?:termes|mots) (?:plus )?simples|avec d autres mots)"
    r"|je (?:ne )?comprends pas",
]
