"""Bibliographies in eight citation formats: `format_bibliography(items, style, language)`.

The items are CSL-JSON. The styles are those of citationstyles.org, unchanged (NOTICE).
"""
