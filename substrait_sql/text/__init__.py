"""Trees to text: queries, and the statements around them."""
