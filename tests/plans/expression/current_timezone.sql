SELECT
  date_format(current_timestamp(), 'VV') AS zone
