"""SQLite as Django's database, whose writers take turns instead of trying again and again."""
