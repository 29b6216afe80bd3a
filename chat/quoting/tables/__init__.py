"""What is reckoned over a table: counts, sums, means, extremes, and the rows under conditions."""
