"""Definitions: signatures, bodies and annotations of functions, and the programs they make."""
