SELECT
  id,
  map_filter(prices, (k, v) -> k = 'USD') AS prices
FROM people
