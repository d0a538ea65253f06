"""Simplify: folds and simplifies scalar expressions, in code and in the dimensions of types."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any, Final

from pypto_lite import ir, ops
from pypto_lite.diagnostics import Diagnostic, Note, UserError
from pypto_lite.ir import arithmetic
from pypto_lite.passes.properties import SSAForm
from pypto_lite.passes.protocol import Pass, ProgramType

if TYPE_CHECKING:
    from collections.abc import Callable


class Simplify(Pass):
    """Fold and simplify scalar expressions, in code and in the dimensions of types.

    A scalar that is assigned a constant is replaced by it wherever it is used; the assignment stays. Expressions of
    constants are folded, and operands that change nothing are dropped, where the result is exactly the same value of
    the same element type: integers divide as in Python, an integer result that does not fit its type is left to be
    computed, floats are rounded to their type, and ``x * 0.0`` or ``x + 0.0`` stay.

    Only scalar expressions change. No statement, loop or branch is removed, merged, moved or renamed, not even one
    whose condition is constant. Code that a constant condition keeps from running gets no constants: what guards it
    may be there because they make no sense in it. Linear in the size of the program.

    Raises UserError where an operand turns out to be a constant that its operator cannot take, such as an offset
    outside the tensor (PL206), a divisor of zero or a negative count of a shift (PL104), or a step of zero (PL108).
    """

    requires = frozenset({SSAForm})

    def run(self, program: ProgramType) -> ProgramType:
        simplifier = _Simplifier(program)
        simplified = ir.rewrite(program, simplifier.rules, simplifier.enter)
        simplifier.refuse_undefined(simplified)
        return simplified


class _Simplifier:
    """Goes through a program in order, so that a constant is known before its uses."""

    def __init__(self, program: ir.Program) -> None:
        self._program = program
        self._values: dict[ir.Var, ir.Expr] = {}
        """What stands for a variable: a constant, or a variable whose type is simpler."""
        self._types: dict[int, tuple[ir.Type, ir.Type]] = {}
        """The types seen, by identity, and what they become; holding them keeps the identities from being reused."""
        self._constant_met = False
        """Whether a constant took the place of a variable since the last statement."""
        self._skipped: set[ir.Block] = set()
        """The blocks that a constant condition or range keeps from running."""
        self._runs: list[bool] = [True]
        """For each block around the current point whether it may run."""
        self._undefined: list[ir.Binary] = []
        """The operations that have no value, such as a division by zero."""
        self.rules: Final[dict[type[ir.Node], Callable[[Any], Any]]] = {
            **arithmetic.SIMPLIFIERS,
            ir.Var: self._simplify_var,
            ir.Binary: self._simplify_binary,
            ir.Call: self._simplify_call,
            ir.FunctionCall: self._simplify_typed,
            ir.Submit: self._simplify_typed,
            ir.TupleItem: self._simplify_typed,
            ir.Assign: self._note_constant,
            ir.For: _check_step,
            ir.Block: self._leave_block,
            ir.Function: self._simplify_signature,
        }
        self.enter: Final[dict[type[ir.Node], Callable[[Any], None]]] = {
            ir.Block: self._enter_block,
            ir.If: self._enter_branch,
            ir.For: self._enter_loop,
        }
        """Finds out before a block whether it runs at all."""

    def _enter_block(self, block: ir.Block) -> None:
        self._runs.append(self._runs[-1] and block not in self._skipped)

    def _enter_branch(self, branch: ir.If) -> None:
        self._skipped.update(self._skipped_arms(branch))

    def _enter_loop(self, loop: ir.For) -> None:
        if self._is_empty(loop):
            self._skipped.add(loop.body)

    @cached_property
    def _extents(self) -> set[ir.Var]:
        """The variables in types. They get their constants everywhere, as types have to agree with one another."""
        values = [node for node in ir.walk(self._program) if isinstance(node, ir.Expr) and node.type.symbolic]
        mentioned = [extent for value in values for extent in value.type.expressions()]
        return {node for extent in mentioned for node in ir.walk(extent) if isinstance(node, ir.Var)}

    def _skipped_arms(self, branch: ir.If) -> list[ir.Block]:
        condition = ir.rewrite(branch.condition, self.rules)
        if not isinstance(condition, ir.Const):
            return []
        skipped = branch.else_body if condition.value else branch.then_body
        return [] if skipped is None else [skipped]

    def _is_empty(self, loop: ir.For) -> bool:
        bounds = [ir.rewrite(bound, self.rules) for bound in (loop.start, loop.stop, loop.step)]
        constants = [int(bound.value) for bound in bounds if isinstance(bound, ir.Const)]
        return len(constants) == len(bounds) and constants[-1] != 0 and not range(*constants)

    def _leave_block(self, block: ir.Block) -> ir.Block:
        self._runs.pop()
        return block

    def _simplify_binary(self, node: ir.Binary) -> ir.Expr:
        simpler = arithmetic.simplify_binary(node)
        if simpler is node and arithmetic.undefined(node) is not None:
            self._undefined.append(node)
        return simpler

    def refuse_undefined(self, simplified: ir.Program) -> None:
        """Raises UserError (PL104) for operations without a value that are still there: others were never reached."""
        if not self._undefined:
            return
        there = set(ir.walk(simplified))
        problems = [
            Diagnostic("PL104", problem, node.span, found=repr(node), notes=_origin(node.rhs))
            for node in self._undefined
            if node in there and (problem := arithmetic.undefined(node)) is not None
        ]
        if problems:
            raise UserError(*problems)

    def _simplify_var(self, var: ir.Var) -> ir.Expr:
        known = self._values.get(var)
        if isinstance(known, ir.Const) and not self._runs[-1] and var not in self._extents:
            return var
        if known is not None:
            self._constant_met = self._constant_met or isinstance(known, ir.Const)
            return known
        if not var.type.symbolic:
            return var
        simpler = self._simplify_type(var.type)
        result = var if simpler is var.type else ir.Var(var.name, simpler, var.span)
        self._values[var] = result
        return result

    def _simplify_type(self, before: ir.Type) -> ir.Type:
        if not before.symbolic:
            return before
        known = self._types.get(id(before))
        if known is None:
            after = before.map_expressions(self._simplify_dimension)
            known = self._types[id(before)] = (before, before if after == before else after)
        return known[1]

    def _simplify_dimension(self, dimension: ir.Expr) -> ir.Dim:
        return ir.expr_dim(ir.rewrite(dimension, self.rules))

    def _simplify_typed(self, expression: Any) -> Any:
        simpler = self._simplify_type(expression.type)
        return expression if simpler is expression.type else expression.replace(type=simpler)

    def _simplify_call(self, call: ir.Call) -> ir.Call:
        if self._constant_met and self._runs[-1]:
            _check_constants(call)
        return self._simplify_typed(call)

    def _note_constant(self, statement: ir.Assign) -> ir.Assign:
        self._constant_met = False
        value = statement.value
        if isinstance(value, ir.Const) and isinstance(statement.var.type, ir.ScalarType):
            dtype = statement.var.type.dtype
            if value.type.dtype is dtype:
                self._values[statement.var] = value
            elif value.type.dtype.is_int and dtype.is_int and arithmetic.fits(value.value, dtype):
                self._values[statement.var] = ir.Const(value.value, statement.var.type, value.span)
        return statement

    def _simplify_signature(self, function: ir.Function) -> ir.Function:
        returned = tuple([self._simplify_type(each) for each in function.return_types])
        same = all(after is before for after, before in zip(returned, function.return_types, strict=True))
        return function if same else function.replace(return_types=returned)


def _origin(value: ir.Expr) -> list[Note]:
    """Where a constant was written that took the place of a variable."""
    return [Note(f"the value {value!r} comes from here", value.span)] if value.span else []


def _check_step(loop: ir.For) -> ir.For:
    if isinstance(loop.step, ir.Const) and loop.step.value == 0:
        place = loop.span
        raise UserError(Diagnostic("PL108", "the step of a loop can't be zero", place, notes=_origin(loop.step)))
    return loop


def _check_constants(call: ir.Call) -> None:
    """Refuses a call whose operator cannot take the constants that its operands turned out to be."""
    operator = ops.find(call.op)
    if operator is None:
        return
    try:
        ops.infer(operator, call.args, call.keywords)
    except UserError as error:
        raise error.located(call.span) from None
