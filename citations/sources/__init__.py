"""Sources: the bibliographic data of a document, as CSL-JSON.

`Document.csl` holds what the columns title, authors, year and url don't; the columns win.
"""
