SELECT
  (
    SELECT
      count(*)
    FROM kv AS kv_2
    WHERE
      kv_2.v > kv.v
  ) AS n,
  k
FROM kv
