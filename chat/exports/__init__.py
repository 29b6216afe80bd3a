"""Exports of conversations: one intermediate form, from which each format is written.

Turns are read page by page. The right to read is checked before each page: the file breaks off when
a turn has been erased or has expired.
"""
