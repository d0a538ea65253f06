"""Which writes into tensors are allowed by the parameters of their function: all but those that are certainly wrong.

What is refused while tracing stands in ``tests/trace/errors/directions.txt``.
"""

from __future__ import annotations

import pytest

import pypto_lite.language as pl
from pypto_lite import ir, passes

PROGRAM = """\
import pypto_lite.language as pl


@pl.program
class P:
    @pl.function(type=pl.FunctionType.InCore)
    def kernel(
        self,
        x: pl.Tensor[[64, 128], pl.FP32],
        both: pl.InOut[pl.Tensor[[64, 128], pl.FP32]],
        out: pl.Out[pl.Tensor[[64, 128], pl.FP32]],
        n: pl.Scalar[pl.INDEX],
    ) -> pl.Tensor[[64, 128], pl.FP32]:
        t = pl.load(x, [0, 0], [16, 128])
        {body}
        return out

    @pl.function(type=pl.FunctionType.InCore)
    def fill(self, target: pl.Out[pl.Tensor[[64, 128], pl.FP32]]):
        pl.store(pl.tile.full([64, 128], pl.FP32, 0.0), [0, 0], target)

    @pl.function
    def second(self, a: pl.Tensor[[64, 128], pl.FP32], b: pl.Tensor[[64, 128], pl.FP32]):
        return b

    @pl.inline
    def declared(self, a: pl.Out[pl.Tensor[[64, 128], pl.FP32]]):
        return a
"""


def parsed(*body: str) -> ir.Program:
    program = pl.parse(PROGRAM.format(body="\n        ".join(body)))
    assert isinstance(program, ir.Program)
    return program


def found_if_only_read(program: ir.Program, name: str) -> list[str]:
    """The places that are at fault if a parameter of the kernel is one that is only read."""
    kernel = program.functions["kernel"]
    directions = [
        ir.ParamDirection.In if param.name == name else direction
        for param, direction in zip(kernel.params, kernel.directions, strict=True)
    ]
    functions = {**program.functions, "kernel": kernel.replace(directions=tuple(directions))}
    findings = passes.verify(program.replace(functions=functions), {passes.TypeChecked})
    assert {finding.code for finding in findings} <= {"PL211"}
    places = [(finding.span.source, finding.span.line) for finding in findings]
    return [(source.line(line) or "").strip() for source, line in places if source is not None]


@pytest.mark.parametrize("target", ["out", "both", "pl.slice(both, [16, 128], [16, 0])"])
def test_outputs_may_be_written(target: str) -> None:
    program = parsed(f"pl.store(t, [0, 0], {target})")

    assert passes.verify(program, {passes.TypeChecked}) == []


def test_a_tensor_of_the_function_itself_may_be_written() -> None:
    program = parsed("y = pl.create_tensor([64, 128], dtype=pl.FP32)", "pl.store(t, [0, 0], y)", "self.fill(y)")

    assert passes.verify(program, {passes.TypeChecked}) == []


def test_a_name_that_stood_for_an_input_may_be_written_when_it_stands_for_another_tensor() -> None:
    program = parsed("y = x", "if n > 3:", "    y = out", "    y = pl.store(t, [0, 0], y)")

    assert passes.verify(program, {passes.TypeChecked}) == []


def test_the_result_of_assemble_is_a_tensor_of_its_own() -> None:
    program = parsed("y = pl.assemble(x, pl.slice(x, [16, 128], [16, 0]), [0, 0])", "pl.store(t, [0, 0], y)")

    assert passes.verify(program, {passes.TypeChecked}) == []


def test_a_result_is_the_parameter_that_the_function_returns() -> None:
    program = parsed("pl.store(t, [0, 0], self.second(x, both))")

    assert found_if_only_read(program, "x") == []
    assert found_if_only_read(program, "both") == ["pl.store(t, [0, 0], self.second(x, both))"]


def test_an_inline_function_writes_what_it_writes_whatever_it_declares() -> None:
    program = parsed("y = self.declared(x)")

    assert passes.verify(program, {passes.TypeChecked}) == []


def test_the_verifier_finds_every_write() -> None:
    program = parsed(
        "y = both",
        "for i in pl.range(4):",
        "    if n > 3:",
        "        pl.write(y, [i, 0], 1.0)",
        "self.fill(both)",
        "pl.store(t, [0, 0], out)",
    )

    assert found_if_only_read(program, "both") == ["pl.write(y, [i, 0], 1.0)", "self.fill(both)"]
    assert found_if_only_read(program, "out") == ["pl.store(t, [0, 0], out)"]


def test_a_variable_that_is_assigned_twice_stands_for_nothing_certain() -> None:
    """Before conversion to SSA form nobody knows which of its values is written."""
    program = parsed("y = both", "pl.store(t, [0, 0], y)")
    kernel = program.functions["kernel"]
    out = kernel.params[2]
    load, alias, *rest = kernel.body.statements
    assert isinstance(alias, ir.Assign)
    body = kernel.body.replace(statements=(load, alias, ir.Assign(alias.var, out), *rest))
    assert found_if_only_read(program, "both") != []

    changed = program.replace(functions={**program.functions, "kernel": kernel.replace(body=body)})

    assert found_if_only_read(changed, "both") == []


def test_long_chains_of_calls_are_followed() -> None:
    functions = [
        f"    @pl.inline\n    def f{number}(self, a: pl.Tensor[[16], pl.FP32]):\n        return self.f{number + 1}(a)\n"
        for number in range(300)
    ]
    text = (
        "import pypto_lite.language as pl\n@pl.program\nclass P:\n"
        "    @pl.function\n    def main(self, x: pl.InOut[pl.Tensor[[16], pl.FP32]]):\n"
        "        pl.write(self.f0(x), [0], 1.0)\n"
        + "".join(functions)
        + "    @pl.inline\n    def f300(self, a: pl.Tensor[[16], pl.FP32]):\n        return a\n"
    )
    program = pl.parse(text)
    assert isinstance(program, ir.Program)
    main = program.functions["main"].replace(directions=(ir.ParamDirection.In,))

    findings = passes.verify(program.replace(functions={**program.functions, "main": main}), {passes.TypeChecked})

    assert [finding.code for finding in findings] == ["PL211"]
