"""Plans on the wire.

Bytes, JSON, text and messages of any release in, today's ``Plan`` out, and back.

``read`` is the way in; ``to_bytes``, ``to_json``, ``to_text`` and ``to_message`` are the ways out;
``message`` gives the classes that all other layers build plans of.
"""

from substrait_sql.wire.decode import Decoded, read
from substrait_sql.wire.descriptors import message
from substrait_sql.wire.encode import to_bytes, to_json, to_message, to_text
from substrait_sql.wire.path import Path

__all__ = ["Decoded", "Path", "message", "read", "to_bytes", "to_json", "to_message", "to_text"]
