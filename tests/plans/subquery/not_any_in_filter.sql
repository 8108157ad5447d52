SELECT
  x
FROM t1
WHERE
  NOT EXISTS(
    SELECT
      1
    FROM t2
    WHERE
      t2.x > 1 AND coalesce(t1.x > t2.x, TRUE)
  )
