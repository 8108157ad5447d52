"""The commands, one file each: its name is the file's, `command` is what click runs."""
