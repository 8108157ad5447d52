SELECT
  l.a,
  r_agg.n
FROM l
JOIN (
  SELECT
    k,
    count(*) AS n
  FROM r
  GROUP BY
    k
) AS r_agg
  ON l.k = r_agg.k AND l.k >= r_agg.n
WHERE
  l.k IN (
    SELECT
      r.k
    FROM r
    WHERE
      r.b > 20
  );

SELECT
  l.a,
  r_agg.n
FROM l
JOIN (
  SELECT
    k,
    count(*) AS n
  FROM r
  GROUP BY
    k
) AS r_agg
  ON l.k = r_agg.k AND l.k >= r_agg.n
WHERE
  l.k IN (
    SELECT
      r.k
    FROM r
  );

SELECT
  l.a,
  r_agg.n
FROM l
JOIN (
  SELECT
    k,
    count(*) AS n
  FROM r
  GROUP BY
    k
) AS r_agg
  ON l.k = r_agg.k AND l.k >= r_agg.n
WHERE
  l.k IN (
    SELECT
      r.k
    FROM r
    WHERE
      r.b > 99
  );

SELECT
  l.a,
  r_agg.n
FROM l
LEFT SEMI JOIN (
  SELECT
    CAST(NULL AS BIGINT) AS k
  WHERE
    FALSE
) AS rows_part
  ON l.k = rows_part.k
JOIN (
  SELECT
    k,
    count(*) AS n
  FROM r
  GROUP BY
    k
) AS r_agg
  ON l.k = r_agg.k AND l.k >= r_agg.n
