"""Passes from what people write to single assignment, normalised and flat."""
