"""Requests and errors: parsing, credentials, paging and error responses."""
