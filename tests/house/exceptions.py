"""What the glossary does not allow and the code has all the same, by reason. Only ever shorter."""

# Public classes with several homes.
CLASSES = {
    "What the API takes or answers, named after the thing": "Found Message Part Query Usage",
    "Each in a pure room that knows nothing of the other: weights, curves, lines to learn from": """
        Curve Example Token Weights
    """,
    "Of a file that is read, and of what is stored": "Block Table",
    "A token's scope, and a search's; to be DocumentScope": "Scope",
}

# Public functions and modules whose name has a word that the glossary keeps from its act.
NAMES = {
    "The room of everything that goes away, whichever way it does": "memory.forgetting",
    "The index lets go of passages; their rows are deleted elsewhere": """
        citations.index.remove citations.index.postgres.remove citations.index.sqlite.remove
        memory.recall.index.indexing.forget
    """,
    "A consent is withdrawn: the law's word, and no deletion": """
        memory.sealing.ledger.note_withdrawals
    """,
    "A command of operators, and its address in their scripts": """
        memory.management.commands.create_token
    """,
    "Said of an answer, not of rows": "chat.contract.is_empty",
    "Tokens are counted there, and nothing lets anyone in": """
        memory.text.token_counting
    """,
    "A page's or a library's own word in its address": """
        chat.views.account.own_data.discard_package
    """,
}


def excepted(reasons: dict[str, str]) -> set[str]:
    """All names of the exceptions."""
    return {name for names in reasons.values() for name in names.split()}
