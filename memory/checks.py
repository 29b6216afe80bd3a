"""Wrong settings stop the start, with an id and a hint."""
