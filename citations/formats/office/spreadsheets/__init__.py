"""Spreadsheets: the rows of Excel files and of delimited text as tables under headings."""
