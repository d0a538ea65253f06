"""The operators that make, move, view and index tiles, tensors and arrays."""
