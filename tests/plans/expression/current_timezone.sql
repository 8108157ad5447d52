SELECT
  'UTC' AS zone
