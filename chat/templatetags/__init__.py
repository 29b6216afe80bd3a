"""What templates ask of rows."""
