"""Backups of a running installation and restoring from them: one sealed file a store."""
