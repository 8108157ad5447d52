SELECT
  k,
  v,
  CAST((
    SELECT
      named_struct('f0', kv.v, 'f1', kv.k)
    FROM tb
  ) AS STRUCT<v: BIGINT, k: BIGINT>) AS `both`
FROM kv
