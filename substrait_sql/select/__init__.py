"""The model of a SELECT under construction. It knows no protobuf."""
