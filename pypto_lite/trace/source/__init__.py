"""Source text: where it comes from, its comments, and what a text says without being run."""
