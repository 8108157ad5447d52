-- Coordinates are kilometres on the plan of the site.
CREATE TEMPORARY FUNCTION acme_distance(a STRUCT<x: DOUBLE, y: DOUBLE>, b STRUCT<x: DOUBLE, y: DOUBLE>)
RETURNS DOUBLE
RETURN sqrt(power(a.x - b.x, 2) + power(a.y - b.y, 2));
