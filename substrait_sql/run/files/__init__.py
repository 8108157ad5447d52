"""The files that a plan reads: formats that Spark has no reader for, or reads differently."""
