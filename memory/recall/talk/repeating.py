"""What asks for what was just said once more: "repeat that", "what was the last question?".

Whole wordings, in English, Spanish, German and French, as `conversation` reads them: in lower case,
without marks, and without what is polite about them ("again", "please").
"""

_CAN_YOU = r"(?:(?:can|could|would|will) you |please |just )*"
_IT = r"(?:that|it|this|yourself|what you (?:just )?said|(?:your|the) (?:last )?(?:answer|reply))"
_SAID = r"(?:sa(?:y|id)|answer(?:ed)?|repl(?:y|ied)|t(?:ell|old)(?: me)?)"
_DAS = r"(?:das|es|dich|die (?:letzte )?antwort|deine (?:letzte )?antwort)"
_NOCHMAL = r"(?: (?:noch ?ein ?mal|noch ?mal|nochmals|bitte|mir))*"
_ESO = r"(?:eso|esto|lo|la (?:última )?respuesta|tu (?:última )?respuesta)"
_CA = r"(?:ça|ca|cela|le|la (?:dernière )?réponse|ta (?:dernière )?réponse)"

LAST_ANSWER = [
    rf"{_CAN_YOU}(?:repeat|say|tell me)(?: {_IT})(?: (?:one more time|once more|for me|back))*"
    rf"|{_CAN_YOU}repeat",
    rf"what (?:did|have) you (?:just |only just )?{_SAID}(?: just now| last)?"
    r"|what (?:was|is|s) (?:that|your (?:last|previous) (?:answer|response|reply))"
    r"|what was the last (?:answer|reply|thing (?:that )?you (?:said|told me|answered))"
    r"|repeat your (?:last|previous) (?:answer|response|reply)",
    rf"(?:(?:puedes|podrías|puede) )?(?:repite|rep[ií]te(?:lo|melo)?|repet[ií]r(?:lo|melo)?|dilo)"
    rf"(?: {_ESO})?(?: (?:otra vez|de nuevo|una vez más))*"
    r"|qu[eé] (?:me )?(?:acabas de decir(?:me)?|dijiste(?: recién)?|has dicho)"
    r"|cu[aá]l fue (?:tu|la) [uú]ltima respuesta",
    rf"(?:kannst du |könntest du |können sie )?(?:wiederhol(?:e)?|wiederholen sie){_NOCHMAL} {_DAS}"
    rf"{_NOCHMAL}|(?:kannst du|könntest du|können sie) {_DAS}{_NOCHMAL} (?:wiederholen|sagen)"
    rf"|sag(?:e)? (?:mir )?{_DAS}{_NOCHMAL}"
    r"|was hast du (?:gerade|eben|grade|soeben|zuletzt|da)(?: eben)? (?:gesagt|geantwortet)"
    r"|was (?:war|ist) (?:deine|die) letzte antwort|wiederhol(?:e|en|ung)?",
    r"(?:(?:peux|pourrais) tu |tu peux |pouvez vous )?(?:répète[sz]?|répét(?:er|ez)|repete|redis"
    rf"|redire)(?: (?:moi|nous))?(?: {_CA})?(?: (?:encore une fois|une fois de plus))*"
    rf"|(?:peux|pourrais) tu {_CA} (?:répéter|redire)"
    r"|(?:qu est ce que tu|que|qu) viens(?: tu)? de (?:me )?dire|qu as tu (?:dit|répondu)"
    r"|quelle (?:était|a été|est) (?:ta|la) dernière réponse",
]
LAST_QUESTION = [
    r"what (?:was|is|s) the (?:last|previous|latest) question",
    r"cu[aá]l (?:fue|era|es) la (?:[uú]ltima pregunta|pregunta anterior)",
    r"(?:was|wie) (?:war|lautete) die (?:letzte|vorige|vorherige) frage",
    r"quelle (?:était|a été|est) la (?:dernière question|question précédente)",
]
_HERE = (
    r"(?: (?:so far|until now|up to now|to date|already|today|earlier|before|in (?:this|our)"
    r" (?:chat|conversation)|hasta ahora|ya|en esta conversación|bisher|bis jetzt|schon"
    r"|in diesem (?:chat|gespräch)|jusqu ici|jusqu à présent|déjà|dans cette conversation))*"
)
HOW_MANY = [
    rf"how many (?:questions|things) (?:have i|did i|i)(?: already)? ask(?:ed)?(?: you)?{_HERE}"
    rf"|how many questions (?:were|have been) asked{_HERE}",
    rf"cu[aá]ntas (?:preguntas|cosas) (?:ya )?(?:te )?(?:he hecho|hice|he preguntado|pregunté)"
    rf"{_HERE}",
    rf"wie ?viele fragen (?:habe?|hatte) ich(?: (?:dir|dich|ihnen))?{_HERE} (?:gestellt|gefragt)",
    rf"combien de questions (?:est ce que )?(?:j ai|ai je)(?: déjà)? (?:posées?|pose){_HERE}"
    rf"|combien de questions (?:t|te|vous) ai je(?: déjà)? posées?{_HERE}",
]
