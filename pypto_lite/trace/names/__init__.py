"""Names: what they are bound to in a kernel, in its surroundings, and in the language itself."""
