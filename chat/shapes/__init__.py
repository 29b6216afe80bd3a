"""The shapes in which rows leave the house: JSON, HTML, files and words."""
