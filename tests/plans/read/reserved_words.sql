SELECT
  `select` AS `group`,
  `from` AS by,
  `Where` AS `having`
FROM `order`
WHERE
  `Where` IS NULL
