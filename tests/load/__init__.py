"""make load: what the product does when more people ask than it was made for."""
