"""Conversations as files: one form in between, from which each kind of file is written.

They are read page by page. Before each page the right to read is asked for again: what was erased
or has expired meanwhile breaks the file off.
"""
