"""The operators that order work, pass tiles between cores, and print."""
