SELECT
  concat(
    upper(left(concat(upper(left(capitalize_a, 1)), substring(capitalize_a, 2)), 1)),
    substring(concat(upper(left(capitalize_a, 1)), substring(capitalize_a, 2)), 2)
  ) AS a
FROM (
  SELECT
    concat(
      upper(left(concat(upper(left(capitalize_a, 1)), substring(capitalize_a, 2)), 1)),
      substring(concat(upper(left(capitalize_a, 1)), substring(capitalize_a, 2)), 2)
    ) AS capitalize_a
  FROM (
    SELECT
      concat(
        upper(left(concat(upper(left(capitalize_a, 1)), substring(capitalize_a, 2)), 1)),
        substring(concat(upper(left(capitalize_a, 1)), substring(capitalize_a, 2)), 2)
      ) AS capitalize_a
    FROM (
      SELECT
        concat(
          upper(left(concat(upper(left(capitalize_a, 1)), substring(capitalize_a, 2)), 1)),
          substring(concat(upper(left(capitalize_a, 1)), substring(capitalize_a, 2)), 2)
        ) AS capitalize_a
      FROM (
        SELECT
          concat(
            upper(left(concat(upper(left(concat(a, a), 1)), substring(concat(a, a), 2)), 1)),
            substring(concat(upper(left(concat(a, a), 1)), substring(concat(a, a), 2)), 2)
          ) AS capitalize_a
        FROM l
      ) AS l_computed
    ) AS l_computed
  ) AS l_computed
) AS l_computed
