"""What the type rules and the meanings of several families share: layouts, regions, windows, rounding."""
