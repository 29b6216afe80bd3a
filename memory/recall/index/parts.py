"""The first sentences of a long message: its whole is about many things, so each has a vector too.

They stand in blocks of their own beside those of the whole messages, under their engine's name with
a mark, so what doesn't know of them never reads them. Code that was pasted has no sentences.
"""

import re

from memory.recall.index.messages import LONGEST
from memory.text.words import sentences

MARK = "/parts"
# A message of fewer sentences is short enough to be found as a whole; of a longer one, the first.
FEWEST, MOST = 4, 4
# Words: a shorter sentence is one with the next, of a longer one the beginning counts.
SHORTEST, LONGEST_PART = 6, 80
CODE = re.compile(r"```.*?(?:```|\Z)", re.DOTALL)
WORD = re.compile(r"\w")


def model_of_parts(model: str) -> str:
    """Return the name under which the engine's vectors of parts are stored."""
    return model + MARK


def split_parts(said: str) -> list[str]:
    """Return the parts of a message that is long enough to have some."""
    plain = CODE.sub("\n", said[:LONGEST])
    merged: list[str] = []
    for start, end in sentences(plain):
        sentence = plain[start:end]
        if merged and len(merged[-1].split()) < SHORTEST:
            merged[-1] += " " + sentence
        else:
            merged.append(sentence)
    parts = [" ".join(part.split()[:LONGEST_PART]) for part in merged if WORD.search(part)]
    return parts[:MOST] if len(parts) >= FEWEST else []
