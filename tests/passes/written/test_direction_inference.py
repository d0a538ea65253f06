"""Tensor parameters that are written though their annotation says no direction: which one they get, and what is said.

Each kernel is told by the directions that its parameters have afterwards. ``p`` is always the parameter in question.
"""

from __future__ import annotations

import numpy as np
import pytest

import pypto_lite.language as pl
from pypto_lite import ir, passes
from pypto_lite.diagnostics import Severity, UserError

TENSOR = "pl.Tensor[[64, 128], pl.FP32]"

PROGRAM = """\
import pypto_lite.language as pl


@pl.program
class P:
    @pl.function(type=pl.FunctionType.{type})
    def kernel(
        self,
        p: {p},
        x: pl.In[pl.Tensor[[64, 128], pl.FP32]],
        n: pl.Scalar[pl.INDEX],
        out: pl.Out[pl.Tensor[[64, 128], pl.FP32]],
    ):
        {body}

    @pl.function(type=pl.FunctionType.InCore)
    def fill(self, target: pl.Tensor[[64, 128], pl.FP32]) -> pl.Tensor[[64, 128], pl.FP32]:
        return pl.store(pl.tile.full([64, 128], pl.FP32, 0.0), [0, 0], target)

    @pl.function(type=pl.FunctionType.InCore)
    def fill_row(self, target: pl.Tensor[[64, 128], pl.FP32]) -> pl.Tensor[[64, 128], pl.FP32]:
        return pl.store(pl.tile.full([1, 128], pl.FP32, 0.0), [0, 0], target)

    @pl.function(type=pl.FunctionType.InCore)
    def double(self, both: pl.Tensor[[64, 128], pl.FP32]):
        t = pl.load(both, [0, 0], [64, 128])
        pl.store(pl.add(t, t), [0, 0], both)

    @pl.function(type=pl.FunctionType.InCore)
    def copy(self, source: pl.Tensor[[64, 128], pl.FP32], target: pl.Out[pl.Tensor[[64, 128], pl.FP32]]):
        pl.store(pl.load(source, [0, 0], [64, 128]), [0, 0], target)

    @pl.function
    def same(self, a: pl.Tensor[[64, 128], pl.FP32]) -> pl.Tensor[[64, 128], pl.FP32]:
        return a

    @pl.function
    def row(self, a: pl.Tensor[[64, 128], pl.FP32]) -> pl.Tensor[[1, 128], pl.FP32]:
        return pl.slice(a, [1, 128], [0, 0])

    @pl.inline
    def zero(self, a: pl.Tensor[[64, 128], pl.FP32]):
        pl.store(pl.tile.full([64, 128], pl.FP32, 0.0), [0, 0], a)

    @pl.inline
    def bump(self, a: pl.Tensor[[64, 128], pl.FP32]):
        pl.store(pl.tile.full([64, 128], pl.FP32, 1.0), [0, 0], a, atomic=pl.AtomicType.Add)
"""


def traced(body: str, *, p: str = TENSOR, type_: str = "InCore") -> ir.Program:
    program = pl.parse(PROGRAM.format(body=body.strip().replace("\n", "\n        "), p=p, type=type_))
    assert isinstance(program, ir.Program)
    return program


def direction(program: ir.Program, function: str = "kernel") -> str:
    """That of the first parameter."""
    return program.functions[function].directions[0].name


NOT_READ = {
    "a store": "pl.store(pl.load(x, [0, 0], [64, 128]), [0, 0], p)",
    "a store into a part": "pl.store(pl.load(x, [0, 0], [16, 128]), [16, 0], p)",
    "an element": "p[0, 0] = 1.0",
    "another name": "q = p\npl.store(pl.load(x, [0, 0], [16, 128]), [0, 0], q)",
    "a view": "q = pl.slice(p, [16, 128], [16, 0])\npl.store(pl.load(x, [0, 0], [16, 128]), [0, 0], q)",
    "an operator in place": "i = pl.tile.full([16, 128], pl.INT32, 0)\n"
    "t = pl.load(x, [0, 0], [16, 128])\np = pl.tile.mscatter(t, i, p)",
    "a loop that carries it": "for i in pl.range(4):\n    p = pl.store(pl.load(x, [0, 0], [16, 128]), [i * 16, 0], p)",
    "a loop that carries it explicitly": "for i, (q,) in pl.range(4, init_values=(p,)):\n"
    "    r = pl.store(pl.load(x, [0, 0], [16, 128]), [i * 16, 0], q)\n    s = pl.yield_(r)",
    "a branch": "if n > 3:\n    p = pl.store(pl.load(x, [0, 0], [16, 128]), [0, 0], p)",
    "either of two": "q = p if n > 3 else out\npl.store(pl.load(x, [0, 0], [16, 128]), [0, 0], q)",
    "a function": "self.fill(p)",
    "a function that writes a part": "self.fill_row(p)",
    "the result of a function": "pl.store(pl.load(x, [0, 0], [16, 128]), [0, 0], self.same(p))",
    "an inline function": "self.zero(p)",
    "its extent": "pl.store(pl.load(x, [0, 0], [16, 128]), [pl.tensor.dim(p, 0) - 16, 0], p)",
    "a read of all that was written": "pl.store(pl.load(x, [0, 0], [64, 128]), [0, 0], p)\n"
    "pl.store(pl.load(p, [16, 0], [16, 128]), [0, 0], out)",
    "a read behind the result of a store": "q = pl.store(pl.load(x, [0, 0], [64, 128]), [0, 0], p)\n"
    "pl.store(pl.load(q, [16, 0], [16, 128]), [0, 0], out)",
    "a view of all that was written": "self.fill(p)\nq = pl.slice(p, [16, 128], [16, 0])\n"
    "pl.store(pl.load(q, [0, 0], [16, 128]), [0, 0], out)",
    "a read of the same part": "for i in pl.range(4):\n"
    "    pl.store(pl.load(x, [0, 0], [16, 128]), [i * 16, 0], p)\n"
    "    pl.store(pl.load(p, [i * 16 + 8, 0], [8, 128]), [i * 16, 0], out)",
    "a read behind a loop that runs": "for i in pl.range(4):\n    pl.store(pl.load(x, [0, 0], [64, 128]), [0, 0], p)\n"
    "pl.store(pl.load(p, [0, 0], [64, 128]), [0, 0], out)",
    "a read behind both arms": "if n > 3:\n    self.fill(p)\nelse:\n    self.zero(p)\nself.copy(p, out)",
    "a read behind the result of a function": "q = self.fill(p)\nself.copy(q, out)",
}

READ = {
    "a load before": "t = pl.load(p, [0, 0], [16, 128])\npl.store(t, [0, 0], p)",
    "an atomic store": "pl.store(pl.load(x, [0, 0], [16, 128]), [0, 0], p, atomic=pl.AtomicType.Add)",
    "a load of another part": "pl.store(pl.load(x, [0, 0], [16, 128]), [0, 0], p)\n"
    "pl.store(pl.load(p, [8, 0], [16, 128]), [0, 0], out)",
    "a view of another part": "pl.store(pl.load(x, [0, 0], [16, 128]), [0, 0], p)\n"
    "pl.store(pl.load(pl.slice(p, [16, 128], [16, 0]), [0, 0], [16, 128]), [0, 0], out)",
    "an element before": "p[0, 0] = pl.read(p, [1, 0])",
    "the next iteration": "for i in pl.range(4):\n    t = pl.load(p, [0, 0], [16, 128])\n"
    "    pl.store(pl.add(t, t), [0, 0], p)",
    "behind a loop that may not run": "for i in pl.range(n):\n    self.fill(p)\nself.copy(p, out)",
    "behind one arm": "if n > 3:\n    self.fill(p)\nself.copy(p, out)",
    "another part in another iteration": "for i in pl.range(4):\n"
    "    pl.store(pl.load(x, [0, 0], [16, 128]), [i * 16, 0], p)\n"
    "    pl.store(pl.load(p, [0, 0], [16, 128]), [i * 16, 0], out)",
    "a function that reads": "self.double(p)",
    "a function that writes a part, then one that reads": "self.fill_row(p)\nself.copy(p, out)",
    "a view that a function returns": "self.fill_row(p)\npl.store(pl.load(self.row(p), [0, 0], [1, 128]), [0, 0], out)",
    "an inline function that adds": "self.bump(p)",
    "a loop that carries it": "for i in pl.range(4):\n    t = pl.load(p, [0, 0], [16, 128])\n"
    "    p = pl.store(t, [i * 16, 0], p)",
}


@pytest.mark.parametrize("body", NOT_READ.values(), ids=NOT_READ)
def test_a_parameter_of_which_nothing_reads_what_it_held_is_an_output(body: str) -> None:
    assert direction(traced(body)) == "Out"


@pytest.mark.parametrize("body", READ.values(), ids=READ)
def test_a_parameter_of_which_something_may_read_what_it_held_is_read_as_well(body: str) -> None:
    assert direction(traced(body)) == "InOut"


def test_an_orchestration_function_takes_what_its_functions_do() -> None:
    assert direction(traced("task = pl.submit(self.fill, p)", type_="Orchestration")) == "Out"
    assert direction(traced("self.double(p)", type_="Orchestration")) == "InOut"
    assert direction(traced("self.copy(p, out)", type_="Orchestration")) == "In"


def test_a_parameter_that_nothing_writes_is_only_read() -> None:
    program = traced("pl.store(pl.load(p, [0, 0], [16, 128]), [0, 0], out)")

    assert direction(program) == direction(program, "copy") == direction(program, "same") == "In"


def test_functions_get_their_directions_whoever_is_defined_first() -> None:
    program = traced("self.fill(p)\nself.double(p)")

    assert [direction(program, name) for name in ("kernel", "fill", "double")] == ["Out", "Out", "InOut"]


def test_a_declared_output_is_taken_as_declared() -> None:
    text = PROGRAM.format(body="self.copy(x, p)", p=TENSOR, type="Orchestration").replace(
        "target: pl.Out[", "target: pl.InOut["
    )
    program = pl.parse(text)

    assert isinstance(program, ir.Program)
    assert direction(program) == "InOut"


def test_the_warning_says_what_to_write() -> None:
    program = traced("t = pl.load(p, [0, 0], [16, 128])\npl.store(t, [0, 0], p)")

    (warning,) = [each for each in program.diagnostics if "'p'" in each.message]
    assert (warning.code, warning.severity) == ("PL212", Severity.WARNING)
    assert warning.span.line == PROGRAM.split("\n").index("        p: {p},") + 1
    assert warning.hint == f"annotate it as p: pl.InOut[{TENSOR}]"
    assert [note.span.column for note in warning.notes] == [9, 13]


def test_a_program_that_is_written_as_the_warning_says_is_the_same_without_it() -> None:
    body = "pl.store(pl.load(x, [0, 0], [16, 128]), [0, 0], p)"
    program, written = traced(body), traced(body, p=f"pl.Out[{TENSOR}]")

    ir.assert_structural_equal(program, written)
    ir.assert_structural_equal(pl.parse(str(program)), written)
    assert len(program.diagnostics) == len(written.diagnostics) + 1
    assert pl.parse(str(program)).diagnostics == ()


def test_a_parameter_that_is_said_to_be_only_read_is_not_written() -> None:
    with pytest.raises(UserError, match="PL211"):
        traced("pl.store(pl.load(x, [0, 0], [16, 128]), [0, 0], p)", p=f"pl.In[{TENSOR}]")


def test_passes_may_not_write_what_is_only_read() -> None:
    """Directions are found out where a text is traced; in the IR a direction is what it is."""
    program = traced("pl.store(pl.load(x, [0, 0], [16, 128]), [0, 0], p)")
    kernel = program.functions["kernel"]
    changed = kernel.replace(directions=(ir.ParamDirection.In, *kernel.directions[1:]))

    findings = passes.verify(program.replace(functions={**program.functions, "kernel": changed}), {passes.TypeChecked})

    assert [finding.code for finding in findings] == ["PL211"]


@pl.function(type=pl.FunctionType.InCore)
def double(x: pl.Tensor[[16, 16], pl.FP32], out: pl.Tensor[[16, 16], pl.FP32]):
    t = pl.load(x, [0, 0], [16, 16])
    return pl.store(pl.add(t, t), [0, 0], out)


def test_a_lone_function_has_its_warnings_and_hands_them_to_the_programs_that_call_it() -> None:
    @pl.program
    class Twice:
        @pl.function(type=pl.FunctionType.Orchestration)
        def main(self, x: pl.Tensor[[16, 16], pl.FP32], out: pl.Out[pl.Tensor[[16, 16], pl.FP32]]):
            double(x, out)
            return double(x, out)

    assert [each.code for each in double.diagnostics] == ["PL212"]
    assert double.lower().diagnostics == double.diagnostics
    assert Twice.diagnostics == double.diagnostics


def test_an_output_that_was_found_out_runs_as_one() -> None:
    x = np.ones((16, 16), np.float32)

    assert (double.run(x=x) == 2 * x).all()
    assert (double.lower().run(x=x) == 2 * x).all()
