SELECT
  7L AS seven
