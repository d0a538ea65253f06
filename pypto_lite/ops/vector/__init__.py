"""The operators of the vector core, by family."""
