"""Bibliographies in eight citation formats: `format_item(item, style, language)`.

Items are CSL-JSON that `clean_item` has validated; the styles are those of citationstyles.org,
unchanged (NOTICE).
"""
