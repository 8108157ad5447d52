SELECT
  TIMESTAMP_NTZ '2020-01-31 00:00:00' + make_interval(0, 1, 0, 1) AS days,
  TIMESTAMP_NTZ '2020-01-31 00:00:00' + make_interval(0, 1, 0, 1, 1, 0, 4.5) AS `time`,
  TIMESTAMP_NTZ '2020-01-31 00:00:00' + make_interval(0, -1, 0, -1, 0, 0, -1) AS back,
  TIMESTAMP_NTZ '2020-01-31 00:00:00' + INTERVAL '14' MONTH AS months,
  TIMESTAMP_NTZ '2020-01-31 00:00:00' + INTERVAL '1 01:00:00' DAY TO SECOND AS no_months
