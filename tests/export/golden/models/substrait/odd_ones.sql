{# Made by substrait-sql of odd_ones. Changes here are written over. #}
SELECT
  `a {{ '{' }}{ b }}`,
  `c``d`,
  '{{ '{' }}{ x }} {{ '{' }}% y %} {{ '{' }}# z #} it\'s \\ ; \n' AS `l'{{ '{' }}%`
FROM {{ source('default', 'odd') }} AS odd
WHERE
  `a {{ '{' }}{ b }}` > 1
