"""The macros of mdoc within a line: what they print around their words."""

from collections.abc import Sequence

from citations.formats.roff.escapes import printed

CLOSING, OPENING = frozenset(".,:;)]?!"), frozenset("([")
# What encloses the rest of its line, and what is opened and closed by macros of their own.
AROUND = {
    "Op": "[]",
    "Pq": "()",
    "Bq": "[]",
    "Brq": "{}",
    "Aq": "<>",
    "Sq": "‘’",
    "Dq": "“”",
    "Qq": '""',
    "Ql": "‘’",
}
OPENS = {
    "Oo": "[",
    "Po": "(",
    "Bo": "[",
    "Bro": "{",
    "Ao": "<",
    "So": "‘",
    "Do": "“",
    "Qo": '"',
}
CLOSES = {
    "Oc": "]",
    "Pc": ")",
    "Bc": "]",
    "Brc": "}",
    "Ac": ">",
    "Sc": "’",
    "Dc": "”",
    "Qc": '"',
}
SYSTEMS = {
    "Ux": "UNIX",
    "Bx": "BSD",
    "Nx": "NetBSD",
    "Fx": "FreeBSD",
    "Ox": "OpenBSD",
    "Dx": "DragonFly",
    "At": "AT&T UNIX",
    "Bsx": "BSD/OS",
}
# What mostly says how its words look only.
WORDS = frozenset(
    "Ad An Ar Cd Cm Dv Em Er Ev Fa Fd Ft Ic In Li Lb Ms No Pa Sx Sy Tn Va Vt St Nm Nd Mt Lk Xr Fl"
    " Fn Ns Ap Pf Ta Rv Ex %A %B %D %I %J %N %O %P %Q %R %T %U %V".split()
)
MACROS = frozenset((*AROUND, *OPENS, *CLOSES, *SYSTEMS, *WORDS))
STANDING = {
    "Ex": "The {name} utility exits 0 on success, and >0 if an error occurs.",
    "Rv": "The {name} function returns the value 0 if successful; otherwise it returns -1.",
}


class MacroLine:
    """One line of macros, as it is printed."""

    def __init__(self, name: str) -> None:
        self.name = name
        self._parts: list[str] = []
        self._is_joined = True

    def of(self, tokens: Sequence[str]) -> str:
        """Return the text of macros and their words."""
        end = len(tokens)
        while end and tokens[end - 1] in CLOSING:
            end -= 1
        closers: list[str] = []
        macro, count = "", 0
        for token in tokens[:end]:
            if token in MACROS:
                self._end(macro, count)
                macro, count = token, 0
                self._begin(macro, closers)
            elif token in CLOSING:
                self._close(token)
            elif token in OPENING:
                self._open(token)
            else:
                count += 1
                self._word(macro, printed(token), count)
        self._end(macro, count)
        for mark in (*reversed(closers), *tokens[end:]):
            self._close(mark)
        return "".join(self._parts)

    def _begin(self, macro: str, closers: list[str]) -> None:
        if macro in AROUND:
            self._open(AROUND[macro][0])
            closers.append(AROUND[macro][1])
        elif macro in OPENS:
            self._open(OPENS[macro])
        elif macro in CLOSES:
            self._close(CLOSES[macro])
        elif macro in SYSTEMS:
            self._add(SYSTEMS[macro])
        elif macro in STANDING:
            self._add(STANDING[macro].format(name=self.name))
        elif macro == "Nd":
            self._add("—")
        elif macro == "Ap":
            self._close("'")
        self._is_joined = self._is_joined or macro in ("Ns", "Ap")

    def _word(self, macro: str, text: str, count: int) -> None:
        if macro in STANDING or (macro == "An" and text.startswith("-")):
            return
        if macro == "Fl":
            self._add(f"-{text}")
        elif macro == "Xr" and count == 2:
            self._close(f"({text})")
        elif macro == "Fn":
            self._close(", ") if count > 2 else None
            self._add(f"{text}(" if count == 1 else text)
            self._is_joined = True
        else:
            self._add(text)
            self._is_joined = macro == "Pf" and count == 1
        if macro == "Nm" and not self.name:
            self.name = text

    def _end(self, macro: str, count: int) -> None:
        """Print what a macro without words stands for."""
        if macro == "Fn" and count:
            self._is_joined = False
            self._close(")")
        elif macro == "Fl" and not count:
            self._open("-")
        elif macro == "Ar" and not count:
            self._add("file ...")
        elif macro == "Nm" and not count and self.name:
            self._add(self.name)

    def _add(self, text: str) -> None:
        if text:
            self._parts.append(text if self._is_joined else f" {text}")
            self._is_joined = False

    def _open(self, mark: str) -> None:
        self._add(mark)
        self._is_joined = True

    def _close(self, mark: str) -> None:
        self._parts.append(mark)
        self._is_joined = False
