"""What a package of a person's data holds as files, and as pages to read."""
