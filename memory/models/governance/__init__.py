"""Data governance: policies, consents, holds, erasures and the audit."""
