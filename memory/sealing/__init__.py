"""Sealing, and everything that stands in the keys database, away from the content."""

from memory.sealing.cipher import (
    MasterKeyError,
    UnsealError,
    add_master_key,
    blind,
    destroy_data_keys,
    has_key,
    load_data_key,
    master_keys,
    rewrap_data_keys,
    seal,
    shred,
    shred_old_master_keys,
    stale_data_keys,
    unseal,
)

__all__ = [
    "MasterKeyError",
    "UnsealError",
    "add_master_key",
    "blind",
    "destroy_data_keys",
    "has_key",
    "load_data_key",
    "master_keys",
    "rewrap_data_keys",
    "seal",
    "shred",
    "shred_old_master_keys",
    "stale_data_keys",
    "unseal",
]
