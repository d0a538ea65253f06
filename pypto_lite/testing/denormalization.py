"""What programs built as IR have and text never gives: statements out of their normal form, calls inside conditions.

Tracing writes no such program, so without these changes nothing would try the passes that are there for them.
"""

from __future__ import annotations

from functools import partial
from random import Random
from typing import TYPE_CHECKING, Final, TypeVar

from pypto_lite import ir, ops
from pypto_lite.ir.dtypes import BOOL, FP32

if TYPE_CHECKING:
    from collections.abc import Callable

ProgramType = TypeVar("ProgramType", bound=ir.Program)

_WAYS: Final = ("and", "or", "if")
"""How a condition asks for something else as well."""


def without_normal_form(program: ProgramType, seed: int) -> ProgramType:
    """The program with blocks in its blocks, values that are evaluated for nothing and empty arms."""
    source = Random(seed)
    return ir.rewrite(program, {ir.Block: partial(_loosened, source), ir.If: _with_empty_arm})


def _loosened(source: Random, block: ir.Block) -> ir.Block:
    statements = list(block.statements)
    for _ in range(source.randrange(3)):
        # Behind a yield or a return, too, where nothing runs.
        statements.insert(source.randint(0, len(statements)), ir.Evaluate(ir.index_const(source.randrange(8))))
    if statements:
        first = source.randrange(len(statements))
        end = source.randint(first, len(statements))
        statements[first:end] = [ir.Block(tuple(statements[first:end]))]
    return block.replace(statements=tuple(statements))


def _with_empty_arm(branch: ir.If) -> ir.If:
    return branch if branch.else_body is not None else branch.replace(else_body=ir.Block(()))


def with_calls_in_conditions(program: ProgramType, seed: int) -> ProgramType:
    """Another program, whose conditions also ask for elements of tensors, behind ``and`` and ``or`` and in arms."""
    source = Random(seed)
    functions = [_with_calls(function, source) for function in program.functions.values()]
    return program.replace(functions={function.name: function for function in functions})


def _with_calls(function: ir.Function, source: Random) -> ir.Function:
    tensors = [
        param
        for param, direction in zip(function.params, function.directions, strict=True)
        if isinstance(param.type, ir.TensorType) and param.type.dtype is FP32 and direction is not ir.ParamDirection.Out
    ]
    if not tensors:
        return function
    question = partial(_question, source, tensors)

    def branch(statement: ir.If) -> ir.If:
        return statement.replace(condition=_asked(statement.condition, question, source.choice(_WAYS)))

    def loop(statement: ir.While) -> ir.While:
        # The loop still ends: it is only left earlier.
        return statement.replace(condition=_asked(statement.condition, question, "and"))

    return ir.rewrite(function, {ir.If: branch, ir.While: loop})


def _asked(condition: ir.Expr, question: Callable[[], ir.Expr], way: str) -> ir.Expr:
    type_ = ir.ScalarType(BOOL)
    if way == "if":
        return ir.Select(condition, question(), question(), type_)
    return ir.Binary(way, condition, question(), type_)


def _question(source: Random, tensors: list[ir.Var]) -> ir.Expr:
    """Whether an element is larger than a number, about as often as not."""
    tensor = source.choice(tensors)
    assert isinstance(tensor.type, ir.TensorType)
    place = ir.make_tuple([source.randrange(16) if extent != 1 else 0 for extent in tensor.type.shape])
    return ir.Binary(">", ops.call("tensor.read", [tensor, place]), ir.const(0.0, FP32), ir.ScalarType(BOOL))
