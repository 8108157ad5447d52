SELECT
  l.k,
  l.a,
  r.k AS k2,
  r.b
FROM l, r
WHERE
  EXISTS(
    SELECT
      1
    FROM emp
    WHERE
      emp.id = l.k AND emp.id = r.k
  )
