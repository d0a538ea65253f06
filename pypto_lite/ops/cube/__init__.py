"""The operators of the matrix unit."""
