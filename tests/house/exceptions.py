"""What the glossary does not allow and the code has all the same, by reason. Only ever shorter."""

# Public classes with several homes.
CLASSES = {
    "Being given names of their own: delete this entry with the last of them": """
        About Bounds Candidate Cited Conversation Document Draft Entry ErasureForm Events Form Found
        Given Held Hit Kind Library Limits Line Marks NotReady Page Patience Placed Profile
        QuestionField Reader Reading Refused Row Search Snippet Style Support TooSlow Turn Unit
        Wanted
    """,
    "What the API takes or answers, named after the thing": "Message Part Query Usage",
    "Each in a pure room that knows nothing of the other: weights, curves, lines to learn from": """
        Curve Example Token Weights
    """,
    "Of a file that is read, and of what is stored": "Block Table",
    "A token's scope, and a search's; to be DocumentScope": "Scope",
    "Still to be told apart": "Asked Counts Named Place Said Standing Step Told",
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
    "Said of answers and tools, not of rows": "chat.contract.is_empty chat.llm.profiles.forget",
    "Tokens are counted there, and nothing lets anyone in": """
        memory.text.token_counting
    """,
    "A page's or a library's own word in its address": """
        chat.views.account.own_data.discard_package
        chat.views.conversations.remembered.remove chat.views.library.limits
    """,
    "Being renamed: delete each with its old name": """
        citations.library.remove citations.removal.remove_document
        citations.removal.remove_document_later
        memory.audit.expiry.forget_audit memory.conversations.asking.forget_idempotency_keys
        memory.recall.entity_corrections.remove
        memory.forgetting.deletion.erase_if_empty
        memory.forgetting.deletion.withdraw_answers
        memory.forgetting.erasure.lineage.drop_session
        memory.forgetting.erasure.lineage.drop_turn memory.forgetting.erasure.lineage.drop_turns
        memory.forgetting.erasure.lineage.drop_unnoted
        memory.forgetting.erasure.lineage.forget_jobs memory.forgetting.erasure.lineage.unlearn
        memory.forgetting.erasure.ratings.forget_ratings
        memory.forgetting.erasure.ratings.forget_ratings_later
        memory.jobs.queue.forget_finished memory.people.api_tokens.forget_expired
        memory.people.devices.forget_ended memory.personal_data.packages.discard
        memory.personal_data.packages.discard_packages
        memory.personal_data.packages.discard_packages_with
        memory.personal_data.packages.forget_expired
        memory.recall.entities.forget
        memory.sealing.cipher.drop_old_master_keys
    """,
}


def excepted(reasons: dict[str, str]) -> set[str]:
    """All names of the exceptions."""
    return {name for names in reasons.values() for name in names.split()}
