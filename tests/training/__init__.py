"""Code that fits the weights of the product."""
