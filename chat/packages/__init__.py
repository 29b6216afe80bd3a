"""The content of a personal data package: data files and pages to read."""
