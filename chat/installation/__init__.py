"""An installation as a whole: its databases reached, migrated, and what a version needs besides."""
