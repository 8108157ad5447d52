SELECT
  x
FROM t1
WHERE
  EXISTS(
    SELECT
      1
    FROM t2
    WHERE
      t1.x > t2.x
  )
