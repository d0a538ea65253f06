"""Kernels for tests of placement: a body stands in a kernel of fixed parameters, before and after.

The parameters are ``x`` and ``y`` of [64, 64] FP32, ``v`` of [1, 64] FP32, ``h`` of [64, 64] BF16, the scalars ``n``
(INDEX) and ``s`` (FP32), and ``out`` of [64, 64] FP32. A body after placement names a space where the language would
not infer it. Marks in a body that is refused: ``# expect: PL404`` at the line of an error, ``# note`` at the other
lines that it names.
"""

from __future__ import annotations

import re
import textwrap

from pypto_lite import ir, passes
from pypto_lite import language as pl
from pypto_lite.diagnostics import Diagnostic, Severity, UserError
from pypto_lite.targets import ASCEND910B, ASCEND950, Target
from pypto_lite.testing.assertions import assert_pass

ALL_TARGETS = (None, ASCEND910B, ASCEND950)
CHIPS = (ASCEND910B, ASCEND950)

_KERNEL = """\
import pypto_lite.language as pl


@pl.program
class P:
    @pl.function(type=pl.FunctionType.{kind})
    def kernel(
        self,
        x: pl.Tensor[[64, 64], pl.FP32],
        y: pl.Tensor[[64, 64], pl.FP32],
        v: pl.Tensor[[1, 64], pl.FP32],
        h: pl.Tensor[[64, 64], pl.BF16],
        n: pl.Scalar[pl.INDEX],
        s: pl.Scalar[pl.FP32],
        out: pl.Out[pl.Tensor[[64, 64], pl.FP32]],
    ):
{body}
"""

Targets = tuple["Target | None", ...]


def source(body: str, kind: str = "InCore") -> str:
    """The text of the program."""
    return _KERNEL.format(kind=kind, body=textwrap.indent(textwrap.dedent(body).strip("\n"), " " * 8))


def kernel(body: str, kind: str = "InCore") -> ir.Program:
    """The program whose kernel has this body."""
    return pl.parse(source(body, kind))


def place(body: str, target: Target | None = None, kind: str = "InCore") -> ir.Program:
    """The placed program."""
    return passes.InferTileMemorySpace(target)(kernel(body, kind))


def assert_placed(before: str, after: str, *, targets: Targets = ALL_TARGETS, kind: str = "InCore") -> None:
    """The body becomes the other one, on all these targets; and whatever else holds of any pass."""
    expected = kernel(after, kind)
    for target in targets:
        placed = assert_pass(kernel(before, kind), passes.InferTileMemorySpace(target), expected)
        assert [each for each in placed.diagnostics if each.severity is not Severity.NOTE] == [], target


def spaces(program: ir.Program) -> dict[str, str]:
    """Where each tile of the kernel lives, by its name."""
    return {
        node.name: node.type.space.name if node.type.space is not None else "nowhere"
        for node in ir.walk(program.functions["kernel"])
        if isinstance(node, ir.Var) and isinstance(node.type, ir.TileType)
    }


def moves(program: ir.Program) -> list[tuple[str, str]]:
    """The moves in the kernel, in program order: what is moved, and to where."""
    return [
        (repr(node.args[0]), node.keywords["target_memory"].name)
        for node in ir.walk(program.functions["kernel"])
        if isinstance(node, ir.Call) and node.op == "tile.move"
    ]


def refusal(body: str, target: Target | None) -> list[Diagnostic]:
    """The errors of a body that cannot be placed."""
    try:
        place(body, target)
    except UserError as error:
        return [each for each in error.diagnostics if each.severity is Severity.ERROR]
    raise AssertionError("the kernel was placed")


def assert_refused(body: str, *mentioned: str, targets: Targets = ALL_TARGETS) -> None:
    """The body is refused on all these targets, with the errors at the marked lines, and a text that mentions these."""
    text = source(body).splitlines()
    expected = [
        (number, code) for number, line in enumerate(text, 1) for code in re.findall(r"# expect: (PL\d+)", line)
    ]
    noted = {number for number, line in enumerate(text, 1) if line.endswith("# note")}
    for target in targets:
        errors = refusal(body, target)
        told = "\n".join(map(str, errors))
        assert [(error.span.line, error.code) for error in errors] == expected, told
        assert {note.span.line for error in errors for note in error.notes} >= noted, told
        assert [each for each in mentioned if each not in told] == [], told


def assert_warned(body: str, after: str) -> None:
    """Without a target the body becomes the other one, with a warning at each marked line and no other diagnostic."""
    text = source(body).splitlines()
    expected = [
        (number, code) for number, line in enumerate(text, 1) for code in re.findall(r"# expect: (PL\d+)", line)
    ]
    placed = assert_pass(kernel(body), passes.InferTileMemorySpace(), kernel(after))
    assert [(each.span.line, each.code) for each in placed.diagnostics] == expected
    assert {each.severity for each in placed.diagnostics} == {Severity.WARNING}
