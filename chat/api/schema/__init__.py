"""What the API takes and gives: fields, shapes, examples and their documentation."""
