"""Integrity of the audit log: anchors, checks, pruning and changes made outside."""
