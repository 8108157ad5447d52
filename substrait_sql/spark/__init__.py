"""What Spark gets wrong, or refuses, with the evidence, and the forms of the same rows that it takes."""
