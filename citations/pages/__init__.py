"""Pages of documents as pictures, and the cited words marked on them."""
