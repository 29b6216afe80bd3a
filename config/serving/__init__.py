"""Limits around Django: request bodies, concurrent questions and the time of an answer."""
