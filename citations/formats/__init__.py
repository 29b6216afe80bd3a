"""Formats: one module for each kind of file, with `read`, and `inspect` if a glance is slow.

They parse untrusted files, so they run in a child process with limits (citations.readers.apart)
that has neither Django nor the product's settings. They return codes and numbers, never text for
people. Nothing is fetched, and no file or program that a document names is opened.

    inspect(data, limits, progress) -> Reading  its metadata; quick; no sections
    read(data, limits, progress) -> Reading     all of its text

Before a page is parsed, progress gets its number, counted from 0, and the number of pages. Pages in
`limits.skipped` are left out.

Both raise BadFile. Any other exception that a broken file causes ends the child, which counts as
broken.
"""
