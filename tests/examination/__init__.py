"""Careless questions over real documents, which registries hold by exact version."""
