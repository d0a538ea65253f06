"""How fast pypto_lite is: ``python -m benchmarks`` prints a table of microseconds a statement, and writes it as JSON.

``families`` makes programs that grow in one respect, ``steps`` says what is done with them, ``measure`` takes times.
"""
