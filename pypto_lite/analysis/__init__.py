"""What is true of a function: pure functions of IR to immutable results. Changes nothing."""
