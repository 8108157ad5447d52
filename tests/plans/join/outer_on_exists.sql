SELECT
  l.k,
  l.a,
  r.k AS k2,
  r.b
FROM l
FULL JOIN r
  ON l.k = r.k AND EXISTS(
    SELECT
      1
    FROM emp
    WHERE
      emp.dept = r.b
  )
