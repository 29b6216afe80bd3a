"""What is made again of a document that can be found: its index, its vectors, its reading."""
