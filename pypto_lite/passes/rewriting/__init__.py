"""What passes that rewrite share: cloning with other values, building blocks, hoisting calls."""
