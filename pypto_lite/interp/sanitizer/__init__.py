"""Checks while a kernel runs what the verifier promises before it does: ``run(..., sanitize=True)``.

The verifier looks at what is written next to each value; the sanitizer follows the data. A tile is where the operator
that made it puts its results, wherever its type says it is, and from there its readers, the moves and the joins are
judged.

- ``spaces``: operands in spaces that their operator reads, results in spaces that it writes (the accumulator only by
  the cube unit), moves that the target can make, joins and aliases in one space (PL511 to PL515)
- ``memory``: the bytes that are in use at once in each space (PL516)
- ``regions``: what lies outside the valid region of an operand has no value where it is put elsewhere, so that using it
  is PL504; a scalar that is read from there is PL517
- ``iterations``: iterations of ``pl.parallel`` that depend on each other (PL518) or write the same place (PL519)
- ``contents``: which buffer a tile is in and what was written there last; notes of operands that were overwritten
  (PL520) and of accumulators that nothing was written to (PL521)

Outputs that are not written in full when the run ends are noted, too (PL522).

Elements without a value (PL504) and windows that leave their tensor (PL505) end every run.

Spaces and memories are judged in programs that placement has left its ``decisions`` in, or that a ``Sanitizer`` is told
are placed: before, a tile may well be where its reader can't get at it. Which chip's spaces and capacities count is
said by ``sanitize="Ascend910B"``, or else by the target that the program was lowered for; without either no capacity is
too small. Notes do not end the run: they are Python warnings at the line of the kernel, or, for who passes a
``Sanitizer``, diagnostics in its ``notes``.
"""

from pypto_lite.interp.sanitizer.report import Sanitizer, SanitizerNote
from pypto_lite.interp.sanitizer.watch import checks_for

__all__ = ["Sanitizer", "SanitizerNote", "checks_for"]
