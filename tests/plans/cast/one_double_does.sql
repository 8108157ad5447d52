SELECT
  id,
  /* a quotient by zero is infinite or NaN, where / would fail */
  coalesce(try_divide(salary, dept), salary * power(dept, -1)) AS q,
  salary / 7.0D AS seventh,
  CAST(salary AS DOUBLE) > CAST(dept AS DECIMAL(5, 1)) AS more,
  CAST(id AS DOUBLE) - salary AS less,
  /* the quotient is cut off, where / would round */
  CAST(salary AS DECIMAL(10, 2)) * 1000000 DIV dept * 0.000001 AS cut
FROM emp
