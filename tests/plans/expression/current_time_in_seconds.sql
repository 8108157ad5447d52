SELECT
  CAST(date_trunc('SECOND', current_timestamp()) AS STRING) LIKE '____-__-__ __:__:__' AS whole
