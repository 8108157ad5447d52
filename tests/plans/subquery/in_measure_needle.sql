SELECT
  dept,
  EXISTS(
    SELECT
      1
    WHERE
      emp_agg.count = 2
  ) AS pair
FROM (
  SELECT
    dept,
    count(*) AS count
  FROM emp
  GROUP BY
    dept
) AS emp_agg
