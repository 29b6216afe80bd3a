"""How a file becomes passages: added, read, cut, profiled, embedded; and done again when due."""
