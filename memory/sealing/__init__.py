"""Sealing, and the contents of the keys database, which is separate from the content."""

from memory.sealing.cipher import (
    MasterKeyError,
    UnsealError,
    add_master_key,
    destroy_data_keys,
    fingerprint_words,
    get_master_keys,
    has_key,
    load_data_key,
    rewrap_data_keys,
    seal,
    select_stale_data_keys,
    shred,
    shred_old_master_keys,
    unseal,
)

__all__ = [
    "MasterKeyError",
    "UnsealError",
    "add_master_key",
    "destroy_data_keys",
    "fingerprint_words",
    "get_master_keys",
    "has_key",
    "load_data_key",
    "rewrap_data_keys",
    "seal",
    "select_stale_data_keys",
    "shred",
    "shred_old_master_keys",
    "unseal",
]
