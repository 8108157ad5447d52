SELECT
  dept_agg.n,
  dept_agg_2.filtered,
  dept_agg_2.`all`
FROM (
  SELECT
    any_value(count) AS n
  FROM (
    SELECT
      count(*) AS count
    FROM dept
    HAVING
      count(*) > 3
  ) AS dept_agg
) AS dept_agg, (
  SELECT
    any_value(count) FILTER (WHERE count > 3) AS filtered,
    any_value(count) AS `all`
  FROM (
    SELECT
      count(*) AS count
    FROM dept
  ) AS dept_agg
) AS dept_agg_2
