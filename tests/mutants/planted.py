"""One fault in each pass of the default pipeline, two where there are two that are found in different ways.

Random programs have to find each on their own. What tracing runs itself, ``structure_control_flow`` and
``convert_to_ssa``, has faults of its own: programs come to the properties with these already in them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.mutants.pattern import named

if TYPE_CHECKING:
    from tests.mutants.mutant import Mutant


def planted() -> dict[str, list[Mutant]]:
    """The faults of each pass, by the name of the pass."""
    return {
        "inline_functions": [
            named(
                "inlines-without-the-end",
                "The last statement of an inlined body is lost.",
                "Inliner._inlined",
                "body.statements",
                "body.statements[:-1]",
            ),
        ],
        "unroll_loops": [
            named(
                "unrolls-every-index",
                "The step of an unrolled loop is ignored.",
                "_Unroller._indices",
                "range(start, stop, step)",
                "range(start, stop)",
            ),
        ],
        "structure_control_flow": [
            named(
                "breaks-only-if-it-continues",
                "A loop is left only where it was both broken and continued.",
                "Leaving.left",
                '"or"',
                '"and"',
            ),
            named(
                "keeps-continued",
                "A flag stays set in further iterations.",
                "Leaving.enclose",
                "start.append(set_flag(self.continued, False, span))",
                "()",
            ),
        ],
        "convert_to_ssa": [
            named(
                "carries-what-is-read-later",
                "What the next iteration reads is not carried.",
                "find_joins",
                "v in live or v in exposed[extent]",
                "v in live",
            ),
            named(
                "swaps-arms",
                "A branch result has the value of the other arm.",
                "Renamer.copy_if",
                "[then.values[var] for var in more]",
                "[otherwise.values[var] for var in more]",
            ),
        ],
        "simplify": [
            named(
                "drops-divisors",
                "A remainder is simplified to what was divided.",
                "_Simplifier._simplify_binary",
                "arithmetic.simplify_binary(node)",
                'node.lhs if node.operator == "%" else arithmetic.simplify_binary(node)',
            ),
        ],
        "normalize_statements": [
            named(
                "drops-what-is-evaluated",
                "An evaluated call is dropped.",
                "_normalize_evaluate",
                "ir.calls_something(statement.value)",
                "not ir.calls_something(statement.value)",
            ),
        ],
        "flatten_calls": [
            named(
                "or-is-decided-by-false",
                "What stands behind `or` is evaluated in the wrong case.",
                "_Hoisted._close_logical",
                'node.operator == "and"',
                'node.operator == "or"',
            ),
            named(
                "asks-before-the-body",
                "A condition with a call is evaluated before the body of the loop.",
                "_flatten_while",
                "(*statements, *again.statements, last)",
                "(*again.statements, *statements, last)",
            ),
        ],
        "infer_tile_memory_space": [
            named(
                "writes-are-to-another-tile",
                "Writes make no copies stale.",
                "Writes.__init__",
                "self._by_statement.setdefault(stmt, {})[root] = stmt",
                "pass",
            ),
        ],
        "check_memory_capacity": [
            named(
                "measures-in-vain",
                "What was measured is lost where nothing is refused.",
                "CheckMemoryCapacity.run",
                "usages == program.record(USAGE) and not findings",
                "not findings",
            ),
            named(
                "counts-the-last-use-only",
                "A buffer is counted while its last value is needed.",
                "_live_buffers",
                "needed[root] += ranges.of(value)",
                "needed[root] = ranges.of(value)",
            ),
        ],
    }
