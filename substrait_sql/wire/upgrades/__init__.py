"""From the wire form of any version to today's."""
