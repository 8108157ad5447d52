SELECT
  current_timestamp() = current_timestamp() AS same,
  current_timestamp() > TIMESTAMP '2020-01-01 00:00:00Z' AS later,
  current_date() = CAST(current_timestamp() AS DATE) AS today
