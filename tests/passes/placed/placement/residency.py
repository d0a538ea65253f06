"""The kernel of the residency tests: a product of a stationary left operand and streamed right operands.

``BODY`` and ``MAIN`` together allow the left operand's load, ``a``, to move out of the loop. A test changes a line, and
sees that it no longer moves, or that it still does.
"""

from __future__ import annotations

import textwrap

from pypto_lite import ir, passes
from pypto_lite import language as pl
from pypto_lite.passes import Decision, InferTileMemorySpace
from pypto_lite.targets import ASCEND910B, Target
from pypto_lite.testing.assertions import assert_pass

MARK = ', attrs={"bridge_load": True}'

A_LOAD = f"a = pl.load(lhs, [0, 0], [16, 128], target_memory=pl.Mem.Mat{MARK})"
B_LOAD = "b = pl.load(rhs, [0, i], [128, 128], target_memory=pl.Mem.Mat)"

LOOP = "for i, (acc,) in pl.range(0, 256, 128, init_values=(out,)):"

BODY = f"""
{LOOP}
    {A_LOAD}
    {B_LOAD}
    c = pl.matmul(a, b)
    stored = pl.store(c, [0, i], acc)
    acc_rv = pl.yield_(stored)
return acc_rv
"""

CALL = "done = self.kernel(fresh, rhs, out, n)"

MAIN = f"""
fresh = pl.create_tensor([16, 128], dtype=pl.BF16)
{CALL}
return done
"""

_PROGRAM = """\
import pypto_lite.language as pl


@pl.program
class P:
    @pl.function(type=pl.FunctionType.InCore)
    def kernel(
        self,
        lhs: {lhs},
        rhs: pl.Tensor[[128, 256], pl.BF16],
        out: pl.Out[pl.Tensor[[16, 256], pl.FP32]],
        n: pl.Scalar[pl.INDEX],
    ) -> pl.Tensor[[16, 256], pl.FP32]:
{body}

    @pl.function(type=pl.FunctionType.Orchestration)
    def main(
        self,
        external: pl.Tensor[[16, 128], pl.BF16],
        rhs: pl.Tensor[[128, 256], pl.BF16],
        out: pl.Out[pl.Tensor[[16, 256], pl.FP32]],
        n: pl.Scalar[pl.INDEX],
    ) -> pl.Tensor[[16, 256], pl.FP32]:
{main}
{more}
"""


def text_of(body: str = BODY, main: str = MAIN, *, more: str = "", lhs: str = "pl.Tensor[[16, 128], pl.BF16]") -> str:
    """The whole program; ``more`` are further functions."""
    inner, outer = (textwrap.indent(each.strip("\n"), " " * 8) for each in (body, main))
    return _PROGRAM.format(body=inner, main=outer, more=textwrap.indent(more, " " * 4), lhs=lhs)


def changed(text: str, before: str, after: str) -> str:
    """The text with one of its lines changed, wherever it stands; further lines are indented as it is."""
    assert before in text, f"{before!r} is not in the text"
    lines: list[str] = []
    for line in text.splitlines():
        indent = line[: len(line) - len(line.lstrip())]
        lines += (
            textwrap.indent(line.lstrip().replace(before, after), indent).splitlines() if before in line else [line]
        )
    return "\n".join(lines)


def run(text: str, target: Target | None = ASCEND910B) -> ir.Program:
    """The placed program, after every check that holds of any pass; none of its loads is marked any more."""
    program = pl.parse(text)
    pass_ = InferTileMemorySpace(target)
    placed = pass_(program)
    assert_pass(program, pass_, placed)
    assert not any("bridge_load" in node.attrs for node in ir.walk(placed) if isinstance(node, ir.Call))
    return placed


def decisions(placed: ir.Program) -> list[tuple[str, str]]:
    """What was decided about marked loads: the rule, and the value."""
    return [(each.rule, each.subject.name) for each in placed.decisions if each.rule.startswith("hoist")]


def without_marks(text: str, target: Target | None = ASCEND910B) -> ir.Program:
    """The same program placed as if no load had been marked."""
    return InferTileMemorySpace(target)(pl.parse(text.replace(MARK, "")))


def assert_declined(text: str, rule: str, at: str | None = None, *, target: Target | None = ASCEND910B) -> Decision:
    """The load stays where it is, by this rule and no other, at the line that holds the text ``at``."""
    placed = run(text, target)
    ir.assert_structural_equal(placed, without_marks(text, target))
    assert decisions(placed) == [(f"hoist-declined:{rule}", "a")]
    (decision,) = (each for each in placed.decisions if each.rule.startswith("hoist"))
    if at is not None:
        line = text.splitlines()[decision.causes[0].span.line - 1]
        assert at in line, f"{rule} is about {line!r}"
    return decision


def assert_hoisted(text: str, *names: str, target: Target | None = ASCEND910B) -> None:
    """These values, and no others, move in front of the loop that they stand in."""
    placed = run(text, target)
    assert decisions(placed) == [("hoisted", name) for name in names]
    before, after = (loop_of(each, names) for each in (without_marks(text, target), placed))
    assert None not in before.values()
    assert after == dict.fromkeys(names)


def loop_of(program: ir.Program, names: tuple[str, ...]) -> dict[str, str | None]:
    """The variable of the innermost loop that each value is assigned in, or None outside loops."""
    found: dict[str, str | None] = {}
    stack: list[tuple[ir.Stmt, str | None]] = [(program.functions["kernel"].body, None)]
    while stack:
        statement, loop = stack.pop()
        if isinstance(statement, ir.Assign) and statement.var.name in names:
            found[statement.var.name] = loop
        inside = statement.var.name if isinstance(statement, ir.For) else loop
        inner = statement.statements if isinstance(statement, ir.Block) else statement.blocks()
        stack += [(each, inside) for each in inner]
    return found


def findings(placed: ir.Program, target: Target | None) -> list[str]:
    """What TileMemoryInferred says of a program."""
    return [each.code for each in passes.verify(placed, {passes.TileMemoryInferred}, target)]
