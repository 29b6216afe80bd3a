"""What may be kept and for how long, who decided it, and what was done: data governance."""
