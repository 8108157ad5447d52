"""Typed trees into messages: ordinals, anchors, the standard's functions."""
