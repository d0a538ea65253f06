"""How fast pypto_lite is: ``python -m benchmarks`` prints a table of microseconds a statement, and writes it as JSON.

``families`` makes programs that grow in one respect, ``steps`` says what is done with them, ``measure`` takes times.
``python -m benchmarks.processes`` measures start-up, the command and imports of ``modules``, ``benchmarks.memory``
bytes a statement, ``benchmarks.built`` programs of up to a million statements that are built as IR.
"""
