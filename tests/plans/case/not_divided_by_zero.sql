SELECT
  dept AS g,
  count(*) AS n,
  sum(CASE WHEN salary > 100 THEN 1 ELSE 0 END) AS z,
  CASE
    WHEN sum(CASE WHEN salary > 100 THEN 1 ELSE 0 END) > 0
    THEN count(*) / sum(CASE WHEN salary > 100 THEN 1 ELSE 0 END)
  END AS over,
  CASE sum(CASE WHEN salary > 100 THEN 1 ELSE 0 END)
    WHEN 0 THEN -1.0D
    ELSE count(*) / sum(CASE WHEN salary > 100 THEN 1 ELSE 0 END)
  END AS unlike,
  CASE
    WHEN sum(CASE WHEN salary > 100 THEN 1 ELSE 0 END) = 0 THEN 0.0D
    ELSE count(*) / sum(CASE WHEN salary > 100 THEN 1 ELSE 0 END)
  END AS otherwise,
  CASE
    WHEN sum(CASE WHEN salary > 100 THEN 1 ELSE 0 END) >= 0
    /* a quotient by zero is infinite or NaN, where / would fail */
    THEN coalesce(
      try_divide(count(*), sum(CASE WHEN salary > 100 THEN 1 ELSE 0 END)),
      count(*) * power(sum(CASE WHEN salary > 100 THEN 1 ELSE 0 END), -1)
    )
  END AS may,
  CASE WHEN count(*) > 0 THEN sum(CASE WHEN salary > 100 THEN 1 ELSE 0 END) / count(*) END AS of_all
FROM emp
GROUP BY
  dept
