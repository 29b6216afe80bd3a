"""A parsed question: its words, its form and its references to earlier turns."""

import re
from collections.abc import Sequence
from functools import cached_property
from itertools import pairwise

from memory.text.reading import ReadText, Token, compute_rarity

IT = frozenset("it itself".split())
ITS = frozenset("its".split())
THEY = frozenset("they them themselves".split())
THEIR = frozenset("their theirs".split())
HE = frozenset("he him himself his".split())
SHE = frozenset("she her hers herself".split())
POINTING = frozenset("this that these those".split())
ONE = frozenset("one ones".split())
PRONOUNS = IT | ITS | THEY | THEIR | HE | SHE | POINTING | ONE
# In order of priority for a replacement.
REPLACED = (IT | ITS | THEY | THEIR | HE | SHE, POINTING)
_CLAUSES = frozenset(["and", "but", "if", "when", "because", "while", ",", ";"])
# A question with this many content words and without a reference stands alone.
STANDALONE_WORDS = 4

_REFERENCES = PRONOUNS | frozenset(
    "same both either neither former latter else other another".split()
)
# Words that continue a conversation in Spanish, German and French.
_AND_ELSEWHERE = "y|pero|entonces|und|aber|oder|also|et|mais|alors|sinon"
_CONTINUES = re.compile(
    r"^\W*(and|but|so|then|also|or|what about|how about|what if|tell me more|show me more|why|"
    rf"how so|explain further|more|compare|qué tal|{_AND_ELSEWHERE})\b",
    re.IGNORECASE,
)
# For topics, whose model was trained with these as well.
_REFERENCES_ANYHOW = _REFERENCES | {"there", "such"}
_ANSWERS = re.compile(r"^\W*(ok|okay|hmm|yes|no)\b", re.IGNORECASE)
# "What is X", "tell me about X": X becomes the topic.
_INTRODUCES = re.compile(
    r"\b(what|who)(['’]s| is| are| was| were)\b|\btell (me )?(more )?about\b|\bdescribe\b"
    r"|\b(what|how) about\b|\bmore about\b|\bmeant\b|\bknow about\b",
    re.IGNORECASE,
)
_SIGNS = {
    "ordinal": r"\b(first|second|third|last|latter|former|both|#\d|two|three|options?)\b",
    "other": r"\b(other|another|else|more|similar|same|different|difference|compare|instead"
    r"|besides|too|also|additional)\b",
    "such": r"\bsuch\b",
    "about": r"\b(what|how) about\b|^\W*(and|but|or|so|then)\b",
    "tell_more": r"\b(tell|know|learn) (me )?(more|about)|more about|describe\b",
    "what_is": r"\b(what|who)(['’]s| is| are| was| were) ",
    "how": r"\bhow\b",
    "which": r"\bwhich\b",
    "answers": r"^\W*(yes|no|yeah|ok|okay|sure|thanks|thank|great)\b",
    "mine": r"\b(i|my|me)\b",
    "empty_it": r"\b(is|was|does|did|how|s) it (possible|legal|true|better|best|good|ok|okay|safe"
    r"|necessary|common|important|worth|feel|take|like|that)\b"
    r"|\bit (takes|took|sounds|seems|is possible|is important|was like)\b",
    "relates": r"\b(between|difference|relationship|compare|versus|vs|differ)\b",
}
_SIGN = {name: re.compile(pattern, re.IGNORECASE) for name, pattern in _SIGNS.items()}
# "The capital", but not "the capital of France", nor "the Closing Date".
_POINTS_AT = re.compile(r"\b[Tt]he (?!\w+ of [A-Z])[a-z]")
_RARE = 8.6  # of rarity(): beyond the 5,400 most frequent words
_NAMES = 9.7  # a rare word is a name, however it is typed: "tasksel"
NO_PRONOUN = 20
# "That's" includes its verb.
CONTRACTED = re.compile(r"['’](s|re|ll|d|ve)$", re.IGNORECASE)
LONGEST = 2_000  # characters examined of an earlier question


class ReadQuestion(ReadText):
    """A parsed question, current or earlier."""

    @cached_property
    def has_pronoun(self) -> bool:
        """Whether it has a pronoun."""
        return any(token.word in PRONOUNS for token in self.tokens)

    @property
    def continues(self) -> bool:
        """Whether it begins as the continuation of a conversation."""
        return bool(_CONTINUES.match(self.text))

    @cached_property
    def leans_back(self) -> bool:
        """Whether it may refer to something said before."""
        refers = any(token.word in _REFERENCES for token in self.tokens)
        return self.continues or refers or len(self.content_words) < STANDALONE_WORDS

    @property
    def points_back(self) -> bool:
        """Whether it has a word that may refer to something before it."""
        is_continued = self.continues or bool(_ANSWERS.match(self.text))
        return is_continued or not _REFERENCES_ANYHOW.isdisjoint(self.words)

    @cached_property
    def introduces(self) -> bool:
        """Whether its form introduces a topic."""
        return bool(_INTRODUCES.search(self.text[:LONGEST]))

    @property
    def names_its_topic(self) -> bool:
        """Whether it contains a name and refers to nothing before."""
        named = any(token.stem and token.capitals >= 2 for token in self.tokens)
        leans = self.continues or self.has_pronoun or _POINTS_AT.search(self.text)
        return named and not leans

    @property
    def has_own_subject(self) -> bool:
        """Whether it only asks for a definition, or names its subject before its pronoun."""
        pronoun = self.pronoun
        if pronoun is None:
            said = [token for token in self.tokens if token.stem]
            named = all(each.capitals >= 2 or compute_rarity(each.word) > _NAMES for each in said)
            return bool(said) and named and self.introduces and not self.has_pronoun
        before = self.text[: pronoun.start].rpartition(". ")[0] or self.text.partition(": ")[0]
        return pronoun.start > len(before) > 0 and ReadQuestion(before).names_its_topic

    @cached_property
    def pronoun(self) -> Token | None:
        """The pronoun that something earlier can replace: "it" in "why did they paint it"."""
        if _SIGN["empty_it"].search(self.text):
            return None
        found = [
            token
            for replaced in REPLACED
            for index, token in enumerate(self.tokens)
            if token.word in replaced and _reaches_back(self.tokens, index)
        ]
        done_to = (token for token in found if token.word in IT)
        by_them = bool(found) and found[0].word == "they"
        return next(done_to, found[0]) if by_them else next(iter(found), None)

    @cached_property
    def shape(self) -> dict[str, float]:
        """Features of its form, by name."""
        tokens = self.tokens
        content = [token for token in tokens if token.kind == "content"]
        rarities = [compute_rarity(token.word) for token in content]
        signs = {name: float(bool(sign.search(self.text))) for name, sign in _SIGN.items()}
        return {
            **_compute_pronoun_features(tokens),
            **signs,
            **_compute_definite_features(tokens),
            "words": len([token for token in tokens if token.kind != "punctuation"]),
            "content": len(content),
            "prepositions": sum(token.kind == "preposition" for token in tokens),
            "sentences": tokens[-1].sentence if tokens else 0,
            "rare": sum(each > _RARE for each in rarities),
            "rare_names": sum(
                token.capitals >= 2 and each > _RARE
                for token, each in zip(content, rarities, strict=True)
            ),
            "names": sum(token.capitals >= 2 for token in content),
            "rarest": max(rarities, default=0.0),
            "plainest": min(rarities, default=0.0),
        }


def _reaches_back(tokens: Sequence[Token], index: int) -> bool:
    """Return whether the word, as "these" but not "these methods", refers to something before."""
    has_verb = CONTRACTED.search(tokens[index].text) is not None
    opens = index == 0 or tokens[index - 1].sentence != tokens[index].sentence
    if has_verb and opens and tokens[index].word in POINTING:
        return False  # "That's interesting" is a comment on the answer
    if tokens[index].word in POINTING and not has_verb:
        following = [token.kind for token in tokens[index + 1 : index + 2]]
        if not {"punctuation", "auxiliary", "preposition"}.issuperset(following):
            return False
    before = [token for token in tokens[:index] if token.sentence == tokens[index].sentence]
    breaks = [at for at, token in enumerate(before) if token.word in _CLAUSES]
    if not breaks:
        return True
    clause = before[: breaks[-1]]
    named = any(token.capitals >= 2 and token.stem for token in clause)
    return not named and sum(bool(token.stem) for token in clause) < 2


def _compute_pronoun_features(tokens: Sequence[Token]) -> dict[str, float]:
    at = [index for index, token in enumerate(tokens) if token.word in PRONOUNS]
    first = at[0] if at else len(tokens)
    content = [token.kind == "content" for token in tokens]
    same = [
        token.kind == "content" and token.sentence == tokens[first].sentence
        for token in tokens[:first]
        if at
    ]
    following = [*tokens, None][1:]
    with_noun = [
        token.word in POINTING and after is not None and after.kind == "content"
        for token, after in zip(tokens, following, strict=True)
    ]
    pointing = sum(token.word in POINTING for token in tokens)
    return {
        "it": sum(token.word in IT | ITS for token in tokens),
        "they": sum(token.word in THEY | THEIR for token in tokens),
        "he": sum(token.word in HE for token in tokens),
        "she": sum(token.word in SHE for token in tokens),
        "one": sum(token.word in ONE for token in tokens),
        "this": pointing - sum(with_noun),
        "this_thing": sum(with_noun),
        "content_before": sum(content[:first]) if at else NO_PRONOUN,
        "content_after": sum(content[first:]) if at else NO_PRONOUN,
        "opens_sentence": float(bool(at) and not any(same)),
    }


def _compute_definite_features(tokens: Sequence[Token]) -> dict[str, float]:
    spoken = [token for token in tokens if token.kind != "punctuation"]
    definite = sum(
        token.word == "the" and after.kind == "content" for token, after in pairwise(tokens)
    )
    end = spoken[-4:-1]
    closes = bool(spoken) and spoken[-1].kind == "content" and any(t.word == "the" for t in end)
    qualified = any(token.kind == "preposition" for token in spoken[-3:])
    return {"definite": definite, "ends_definite": float(closes and not qualified)}
