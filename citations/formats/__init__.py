"""Formats: one module for each kind of file, with `read`, and `inspect` if a glance is slow.

They parse what strangers made, so they run in a child process with limits (citations.readers.apart)
that has neither Django nor the product's settings: they know codes and numbers, never words for
people. Nothing is ever fetched, and no file or program that a document names is opened.

    inspect(data, limits, progress) -> Reading  what it says about itself; quick; no sections
    read(data, limits, progress) -> Reading     all of its text

Before a page is parsed, progress tells its number, counted from 0, and how many there are. Pages in
`limits.skipped` are left out.

Both raise BadFile; anything else that a broken file makes a parser raise ends the child, which
counts as broken.
"""
