"""Sessions, the window, documents and citations, and the models behind an answer."""

from config.ranges import RANGES as RANGES
from config.settings.machine import context_file, env

# --- Sessions and the window ----------------------------------------------------------------------
SESSION_TTL = env.int("SESSION_TTL", default=86_400)
MAX_TURNS_PER_SESSION = env.int("MAX_TURNS_PER_SESSION", default=100)
TURNS_PER_HOUR = 100
UPLOADS_PER_HOUR = 100
REQUESTS_PER_MINUTE = 120
MAX_TOKENS_PER_CONTEXT = env.int("MAX_TOKENS_PER_CONTEXT", default=4096)
CONTEXT_BUILDING_STRATEGY = env.str("CONTEXT_BUILDING_STRATEGY", default="auto")
MAX_HISTORY_TURNS = env.int("MAX_HISTORY_TURNS", default=10)
MIN_RELEVANCE_SCORE = env.float("MIN_RELEVANCE_SCORE", default=0.3)
# Only in the context file: tokens for each part of a window of 4,096.
SYSTEM_TOKENS = context_file.get("SYSTEM_TOKENS", 500)
HISTORY_TOKENS = context_file.get("HISTORY_TOKENS", 1500)
PASSAGE_TOKENS = context_file.get("PASSAGE_TOKENS", 1500)
QUESTION_TOKENS = context_file.get("QUESTION_TOKENS", 100)
ANSWER_TOKENS = context_file.get("ANSWER_TOKENS", 496)
# Whether tokens that one part leaves unused go to the others.
DYNAMIC_ALLOCATION = context_file.get("DYNAMIC_ALLOCATION", True)
# Whether the prompt states a passage's place and author.
INCLUDE_METADATA = context_file.get("INCLUDE_METADATA", True)
# Whether unselected turns fill the remaining tokens, which a slow model has to read: on or off.
HISTORY_FILL = "on"
ENABLE_COMPRESSION = env.bool("ENABLE_COMPRESSION", default=True)
# The strategy of summaries, the turns from which they begin, and their longest length in words.
COMPRESSION_STRATEGY = context_file.get("COMPRESSION_STRATEGY", "hierarchical")
COMPRESSION_THRESHOLD = env.int("COMPRESSION_THRESHOLD", default=20)
SUMMARY_LENGTH = env.int("SUMMARY_LENGTH", default=200)
# Least confidence from which earlier conversations are used without a reference to them. Of ten
# turns used so, nine are relevant: measured on held-out parts of BEAM and PrefEval.
RECALL_CONFIDENCE = 0.75
MAX_QUESTION_LENGTH = 8000
# Share of the window kept free, because tokenizers differ.
TOKEN_MARGIN = 0.05

# --- Documents and citations ----------------------------------------------------------------------
CITATION_STYLE = env.str("CITATION_STYLE", default="inline")
# The format of bibliographies.
CITATION_FORMAT = context_file.get("CITATION_FORMAT", "apa")
# Tables and lists instead of prose: auto (where a question seems to want one), asked (only on
# request of a person or client), or off.
ANSWER_STRUCTURES = env.str("ANSWER_STRUCTURES", default="auto")
MAX_CITATIONS = env.int("MAX_CITATIONS", default=10)
CITATION_THRESHOLD = env.float("CITATION_THRESHOLD", default=0.5)
# Most words of a quoted passage, and whether citations have quotes.
SNIPPET_LENGTH = context_file.get("SNIPPET_LENGTH", 100)
INCLUDE_SNIPPETS = context_file.get("INCLUDE_SNIPPETS", True)
# Bonus of a document that the latest answers cite.
DOCUMENT_BIAS = 1.15
MAX_DOCUMENT_BYTES = env.int("MAX_DOCUMENT_BYTES", default=20_971_520)
MAX_DOCUMENT_PAGES = 2000
# Whether hidden rows, columns, sheets, slides and text are read, marked as hidden, or left out.
READ_HIDDEN = True
# The program that reads scanned pages: none or tesseract.
OCR = env.str("OCR", default="none")
# One document with its form, held in memory: a file could outlive its request on disk.
MAX_UPLOAD_BYTES = FILE_UPLOAD_MAX_MEMORY_SIZE = MAX_DOCUMENT_BYTES + 65_536
FILE_UPLOAD_HANDLERS = ["django.core.files.uploadhandler.MemoryFileUploadHandler"]

# --- Models ---------------------------------------------------------------------------------------
LLM_BASE_URL = env.str("LLM_BASE_URL", default="")
LLM_MODEL = env.str("LLM_MODEL", default="")
# Hosts that may be contacted under COMPLIANCE=strict, beside this machine.
MODEL_HOSTS = env.list("MODEL_HOSTS", default=[])
LLM_API_KEY = env.str("LLM_API_KEY", default="")
LLM_WINDOW = 0
LLM_MODELS = env.json("LLM_MODELS", default=[])
LLM_FALLBACK_MODEL = env.str("LLM_FALLBACK_MODEL", default="")
LLM_CONNECT_TIMEOUT = 5
LLM_STALL_TIMEOUT = 30
LLM_ASK_TIMEOUT = 15
# Longest wait of an answer for a model's rewrite of its question, in seconds, beside the search.
LLM_REWRITE_TIMEOUT = 2
LLM_TOTAL_TIMEOUT = env.float("LLM_TOTAL_TIMEOUT", default=180)
# To the first token: the rest is for writing.
LLM_FIRST_TOKEN_TIMEOUT = LLM_TOTAL_TIMEOUT * 2 / 3
# Time limit of a model's background work: summaries and extraction of facts.
LLM_BACKGROUND_TIMEOUT = 600
LLM_RETRIES = 2
FALLBACK = "quoting"
EMBEDDING = env.str("EMBEDDING", default="auto")
EMBEDDING_BASE_URL = env.str("EMBEDDING_BASE_URL", default="")
EMBEDDING_MODEL = env.str("EMBEDDING_MODEL", default="")
EMBEDDING_API_KEY = env.str("EMBEDDING_API_KEY", default="")

# In each web process: most answers at work, and most waiting questions.
ANSWERS_AT_WORK = 400
ANSWERS_WAITING = ANSWERS_AT_WORK // 4
