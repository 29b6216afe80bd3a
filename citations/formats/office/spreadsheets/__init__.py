"""Spreadsheets: rows of cells, from files of Excel and from text, become tables under headings."""
