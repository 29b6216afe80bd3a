"""SQLite as Django's database, with a busy time-out that the caller can choose."""
