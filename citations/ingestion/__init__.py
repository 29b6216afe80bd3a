"""Ingestion: reads, cuts, profiles and embeds a file, and renews the result when it is outdated."""
