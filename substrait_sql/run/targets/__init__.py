"""Where rows go that Spark itself writes: tables and folders of files. A target has all of them, or is as it was."""
