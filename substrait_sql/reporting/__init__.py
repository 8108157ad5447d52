"""`substrait-sql report`: plans on one page, the SQL beside the tree, for people who review them."""
