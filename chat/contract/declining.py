"""How models say that the documents don't answer, and how they refuse: two different things.

Only short texts are looked at, so that a long answer that begins with either is an answer.
"""

import re

from memory.recall.talk.refusals import LONGEST, is_refusal
from memory.text.citation_markers import MARKER, without_markers
from memory.text.words import sentences

MOST_SENTENCES = 3
# What may stand between two words of a pattern.
GAP = r"[^.!?。]{0,60}?"
NOTHING = [
    # English
    rf"\b(?:documents?|passages?|texts?|sources?|library|context|excerpts?|materials?){GAP}"
    r"(?:do|does|did)(?: not|n['’]t)(?: \w+){0,2} "
    r"(?:say|mention|contain|provide|specify|state|answer|include|address|cover|give|discuss|"
    r"describe|offer|have|hold|tell|indicate|explain)\b",
    rf"\b(?:not|n['’]t) (?:\w+ ){{0,2}}(?:mentioned|specified|stated|provided|covered|addressed|"
    rf"contained|found|included|given|answered|described){GAP}"
    r"\b(?:documents?|passages?|texts?|sources?|library|context|excerpts?)\b",
    r"\b(?:there (?:is|are|was)|contains?|ha(?:s|ve)|holds?|provides?) (?:no|nothing|not any) ?"
    r"(?:\w+ ){0,2}(?:information|mention|answers?|passages?|details?|evidence|data|on|about)\b",
    r"\bno (?:relevant |specific )?(?:information|mention|answer) (?:about|on|of|is|was|can|for)\b",
    rf"\bI (?:could|can|did|do)(?:not|n['’]t| not) (?:find|see|have){GAP}"
    r"\b(?:information|answers?|mention|passages?|documents?|anything|details?)\b",
    rf"\b(?:cannot|can['’]t|can not|unable to|not possible to) (?:be )?(?:answer|determine|tell|"
    rf"say){GAP}\b(?:passages?|documents?|texts?|context|information|sources?)\b",
    # Spanish, Portuguese, Italian
    r"\b(?:documentos?|pasajes?|textos?|fragmentos?|fuentes?|biblioteca|contexto)(?: \w+){0,2} no "
    r"(?:dicen?|mencionan?|contienen?|indican?|especifican?|responden?|proporcionan?|incluyen?|"
    r"ofrecen?|tienen?|hablan?)\b",
    r"\bno (?:hay|se encuentra|se encontró|encontré|encuentro|se menciona|se especifica|se indica|"
    rf"contienen?){GAP}\b(?:información|mención|respuesta|documentos?|pasajes?|textos?)\b",
    r"\b(?:documentos?|trechos?|textos?|passagens?|fontes?|biblioteca|contexto)(?: \w+){0,2} não "
    r"(?:dizem|diz|mencionam?|contêm|contém|indicam?|especificam?|respondem?|fornecem?|incluem?)\b",
    rf"\bnão (?:há|se encontra|encontrei|é mencionad[oa]){GAP}\b(?:informaç\w+|menção|resposta|"
    r"documentos?|trechos?|textos?)\b",
    r"\b(?:documenti|documento|passaggi|passaggio|testi|testo|brani|fonti|biblioteca|contesto)"
    r"(?: \w+){0,2} non (?:dicono|dice|menzionano?|contengono|contiene|indicano?|specificano?|"
    r"rispondono|risponde|forniscono|fornisce|riportano?)\b",
    rf"\bnon (?:ci sono|c['’]è|ho trovato|è menzionat[oa]){GAP}\b(?:informazion\w|menzione|"
    r"risposta|documenti|passaggi|testi)\b",
    # German, Dutch
    r"\b(?:dokumente?n?|passagen?|texte?n?|abschnitte?n?|textstellen?|quellen?|unterlagen|"
    rf"bibliothek|auszüge?n?)\b{GAP}\b(?:nichts?|keine[nrs]?)\b",
    rf"\b(?:keine|nicht) {GAP}(?:informationen|angaben|hinweise|auskunft|antwort)\b",
    r"\b(?:documenten|document|passages?|teksten|tekst|bronnen|fragmenten|bibliotheek)"
    rf"(?: \w+){{0,2}} (?:zeggen|zegt|vermelden|vermeldt|bevatten|bevat|noemen|noemt|geven|"
    rf"geeft){GAP}\b(?:niets|niet|geen)\b",
    # French
    r"\b(?:documents?|passages?|textes?|extraits?|sources?|bibliothèque|contexte)(?: \w+){0,2} "
    r"(?:ne |n['’])(?:disent|dit|mentionnent?|contien(?:nen)?t|précisent?|répond(?:ent)?|"
    r"donnent?|fourni(?:ssen)?t|indiquent?|évoquent?)\b",
    rf"\b(?:aucune?|pas d['’e]){GAP}\b(?:informations?|mention|réponse)\b",
    # Russian, Chinese, Japanese
    rf"\b(?:документ|отрыв|текст|источник|библиотек)\w*{GAP}"
    r"\bне \w*(?:содерж|упомин|говор|указ|отвеч)",
    r"(?:文档|文件|段落|资料|文本|文献|图书馆)[^。]{0,20}(?:没有|未|不)(?:提到|提及|说明|包含|提供|涉及|回答)",
    r"(?:文書|文章|資料|段落|文献)[^。]{0,30}(?:ありません|されていません|述べていません|見つかりません)",
]  # fmt: skip
REFUSED = [
    r"\b(?:I|we)(?: am|['’]m| are|['’]re)? ?(?:really |afraid I )?(?:can['’]t|cannot|can not|"
    r"unable to|won['’]t|not able to|must decline to|will not|not allowed to) (?:\w+ ){0,2}"
    r"(?:help|assist|comply|fulfil|fulfill|provide|answer|discuss|engage|continue|respond|create|"
    r"share|support|participate|do that)\b",
    r"\bas an AI\b[^.!?]{0,80}\b(?:can['’]t|cannot|unable|not able|don['’]t)\b",
    r"\b(?:against|violates?) (?:my|our|the) (?:guidelines|polic(?:y|ies)|programming)\b",
    r"\bno puedo (?:\w+ ){0,2}(?:ayudar|asistir|cumplir|responder|proporcionar|contestar)\w*",
    r"\bnão posso (?:\w+ ){0,2}(?:ajudar|atender|responder|fornecer)\w*",
    r"\bnon posso (?:\w+ ){0,2}(?:aiutar|assister|risponder|fornir)\w*",
    r"\b(?:(?:kann|darf|werde) ich|ich (?:kann|darf|werde))\b[^.!?]{0,60}\bnicht (?:\w+ ){0,2}"
    r"(?:helfen|beantworten|behilflich)\b",
    r"\bje ne (?:peux|puis) pas (?:\w+ ){0,2}(?:aider|répondre|fournir|satisfaire)\b",
    r"\bik kan\b[^.!?]{0,40}\bniet (?:\w+ ){0,2}(?:helpen|beantwoorden)\b",
    r"我(?:无法|不能)[^。]{0,10}(?:帮助|协助|提供|回答|满足)",
    r"(?:お手伝い|お答え|ご協力)[^。]{0,6}できません",
]  # fmt: skip
SAYS_NOTHING = re.compile("|".join(NOTHING), re.IGNORECASE)
REFUSES = re.compile("|".join(REFUSED), re.IGNORECASE)
# What says more than that there is nothing.
AND_YET = re.compile(
    r";|\b(?:but|however|although|though|aber|jedoch|pero|sin embargo|mais|cependant|mas|ma|però|"
    r"maar|only|except)\b",
    re.IGNORECASE,
)


def declines(said: str) -> bool:
    """Return whether the text says that the documents don't answer the question, and no more."""
    if len(said) > LONGEST:
        return False
    if is_refusal(said):
        return True
    text = without_markers(said).strip()
    spans = sentences(text)
    if not spans or len(spans) > MOST_SENTENCES or not SAYS_NOTHING.search(text[: spans[0][1]]):
        return False
    cites = MARKER.search(said) is not None
    return not cites or (len(spans) == 1 and not AND_YET.search(text))


def refuses(said: str) -> bool:
    """Return whether the text is a model's refusal to do what was asked."""
    return len(said) <= LONGEST and not MARKER.search(said) and bool(REFUSES.search(said))
