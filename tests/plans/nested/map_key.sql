SELECT
  id,
  prices['EUR'] AS eur,
  prices['USD'] AS usd
FROM people
