"""What ICU finds, in a file: `cases.json`, a list of [pattern, text, texts found]; see `draw.py`."""
