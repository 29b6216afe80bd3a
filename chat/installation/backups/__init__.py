"""Backups of an installation while it works, and its restore from them: one sealed file a part."""
