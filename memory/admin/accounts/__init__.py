"""Accounts in the admin."""
