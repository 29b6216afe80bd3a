"""Vocabulary: the tokens of RTF, its words of control, and what its names mean."""

import re

TOKEN = re.compile(
    r"\\(?P<word>[a-zA-Z]{1,32})(?P<value>-?\d{1,9})? ?|\\'(?P<byte>[0-9a-fA-F]{2})"
    r"|\\(?P<sign>.)|(?P<brace>[{}])|(?P<text>[^\\{}\r\n]{1,4000})|[\r\n]+|\\",
    re.DOTALL,
)
HEADING = re.compile(
    r"(?:heading|überschrift|título|titre|titolo|kop|заголовок)\s?(\d)", re.IGNORECASE
)
TITLE = re.compile(r"(?:title|titel|título|titre)", re.IGNORECASE)
MOST_LISTED = 1000  # fonts and styles
CHARSETS = {
    77: "mac_roman",
    128: "cp932",
    129: "cp949",
    134: "gbk",
    136: "big5",
    161: "cp1253",
    162: "cp1254",
    163: "cp1258",
    177: "cp1255",
    178: "cp1256",
    186: "cp1257",
    204: "cp1251",
    222: "cp874",
    238: "cp1250",
    254: "cp437",
    255: "cp850",
}
PAGES = re.compile(r"(?:437|708|850|852|866|874|932|936|949|950|10000|125[0-8]|1361|65001)")
SIGNS = {"~": " ", "_": "-", "{": "{", "}": "}", "\\": "\\"}
WRITTEN = {
    "tab": "\t",
    "line": "\n",
    "lbr": "\n",
    "emdash": "—",
    "endash": "–",
    "emspace": " ",
    "enspace": " ",
    "qmspace": " ",
    "bullet": "•",
    "lquote": "‘",
    "rquote": "’",
    "ldblquote": "“",
    "rdblquote": "”",
    "nestcell": " ",
    "nestrow": "\n",
}
ENDS = frozenset(("par", "sect", "page", "column"))
# What a group holds that isn't the text of a paragraph; of the others that aren't text, the names.
KEPT = {
    "fonttbl": "font",
    "stylesheet": "style",
    "title": "title",
    "author": "author",
    "listtext": "mark",
    "pntext": "mark",
    "footnote": "note",
    "fldrslt": "",
    "info": "unread",
}
UNREAD = frozenset(
    "colortbl pict object header headerl headerr headerf footer footerl footerr footerf xe txe"
    " rxe tc ftnsep ftnsepc ftncn aftnsep aftnsepc aftncn filetbl revtbl listtable"
    " listoverridetable themedata datastore private fldinst datafield generator nonshppict creatim"
    " revtim printim buptim operator subject keywords comment doccomm company manager category"
    " hlinkbase annotation atnid atnauthor bkmkstart bkmkend template pntxta pntxtb".split()
)
