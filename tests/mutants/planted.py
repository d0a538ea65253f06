"""One fault in each pass of the default pipeline, two where there are two that are found in different ways.

Random programs have to find each on their own. What tracing runs itself, ``structure_control_flow`` and
``convert_to_ssa``, has faults of its own: programs come to the properties with these already in them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from tests.mutants.mutant import mutants_of

if TYPE_CHECKING:
    from tests.mutants.mutant import Mutant

_PASSES: Final = "pypto_lite.passes"

PLANTED: Final[tuple[Mutant, ...]] = (
    *mutants_of(
        f"{_PASSES}.inlining.inliner",
        (
            "inlines-without-the-end",
            "The last statement of an inlined body is lost.",
            "output.add(body.statements)",
            "output.add(body.statements[:-1])",
        ),
    ),
    *mutants_of(
        f"{_PASSES}.unrolling",
        (
            "unrolls-every-index",
            "The step of an unrolled loop is ignored.",
            "range(start, stop, step)",
            "range(start, stop)",
        ),
    ),
    *mutants_of(
        f"{_PASSES}.structuring.loops",
        (
            "breaks-only-if-it-continues",
            "A loop is left only where it was both broken and continued.",
            'arithmetic.combine("or", first, others[0]',
            'arithmetic.combine("and", first, others[0]',
        ),
        (
            "keeps-continued",
            "A flag stays set in further iterations.",
            "start.append(set_flag(self.continued, False, span))",
            "pass",
        ),
    ),
    *mutants_of(
        "pypto_lite.analysis.liveness",
        (
            "carries-what-is-read-later",
            "What the next iteration reads is not carried.",
            "if v in live or v in exposed[extent]",
            "if v in live",
        ),
    ),
    *mutants_of(
        f"{_PASSES}.ssa_conversion.renamer",
        (
            "swaps-arms",
            "A branch result has the value of the other arm.",
            "[then.values[var] for var in more]",
            "[otherwise.values[var] for var in more]",
        ),
    ),
    *mutants_of(
        f"{_PASSES}.simplification",
        (
            "drops-divisors",
            "A remainder is simplified to what was divided.",
            "simpler = arithmetic.simplify_binary(node)",
            'simpler = node.lhs if node.operator == "%" else arithmetic.simplify_binary(node)',
        ),
    ),
    *mutants_of(
        f"{_PASSES}.normalization",
        (
            "drops-what-is-evaluated",
            "An evaluated call is dropped.",
            "if ir.calls_something(statement.value) else",
            "if not ir.calls_something(statement.value) else",
        ),
    ),
    *mutants_of(
        f"{_PASSES}.flattening",
        (
            "or-is-decided-by-false",
            "What stands behind `or` is evaluated in the wrong case.",
            'if node.operator == "and" else',
            'if node.operator == "or" else',
        ),
        (
            "asks-before-the-body",
            "A condition with a call is evaluated before the body of the loop.",
            "*statements, *again.statements, last",
            "*again.statements, *statements, last",
        ),
    ),
    *mutants_of(
        f"{_PASSES}.placement.writes",
        (
            "writes-are-to-another-tile",
            "Writes make no copies stale.",
            "self._by_statement.setdefault(stmt, {})[root] = stmt",
            "pass",
        ),
    ),
    *mutants_of(
        f"{_PASSES}.capacity",
        (
            "measures-in-vain",
            "What was measured is lost where nothing is refused.",
            "if usages == program.record(USAGE) and not findings:",
            "if not findings:",
        ),
    ),
    *mutants_of(
        "pypto_lite.analysis.memory_usage",
        (
            "counts-the-last-use-only",
            "A buffer is counted while its last value is needed.",
            "needed[root] += ranges.of(value)",
            "needed[root] = ranges.of(value)",
        ),
    ),
)
