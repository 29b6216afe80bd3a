"""Representations of rows outside the application: JSON, HTML, files and wording."""
