"""The installation: its databases, their migrations and backups, and static files."""
