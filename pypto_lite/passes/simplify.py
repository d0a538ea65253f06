"""Simplify: folds and simplifies scalar expressions, in code and in the dimensions of types."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from pypto_lite import ir, ops
from pypto_lite.diagnostics import UserError
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
    whose condition is constant. Linear in the size of the program.

    Raises UserError where an operand turns out to be a constant that its operator cannot take, such as an offset
    outside the tensor.
    """

    requires = frozenset({SSAForm})

    def run(self, program: ProgramType) -> ProgramType:
        return ir.rewrite(program, _Simplifier().rules)


class _Simplifier:
    """Goes through a program in order, so that a constant is known before its uses."""

    def __init__(self) -> None:
        self._values: dict[ir.Var, ir.Expr] = {}
        """What stands for a variable: a constant, or a variable whose type is simpler."""
        self._types: dict[int, tuple[ir.Type, ir.Type]] = {}
        """The types seen, by identity, and what they become; holding them keeps the identities from being reused."""
        self._constant_met = False
        """Whether a constant took the place of a variable since the last statement."""
        self.rules: Final[dict[type[ir.Node], Callable[[Any], Any]]] = {
            ir.Var: self._simplify_var,
            ir.Binary: arithmetic.simplify_binary,
            ir.Unary: arithmetic.simplify_unary,
            ir.Cast: arithmetic.simplify_cast,
            ir.Select: arithmetic.simplify_select,
            ir.Call: self._simplify_call,
            ir.FunctionCall: self._simplify_typed,
            ir.Submit: self._simplify_typed,
            ir.TupleItem: self._simplify_typed,
            ir.Assign: self._note_constant,
            ir.Scope: self._simplify_scope,
            ir.Function: self._simplify_signature,
        }

    def _simplify_var(self, var: ir.Var) -> ir.Expr:
        known = self._values.get(var)
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
        if self._constant_met:
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

    def _simplify_scope(self, scope: ir.Scope) -> ir.Scope:
        keywords = {
            name: ir.rewrite(value, self.rules) if isinstance(value, ir.Expr) else value
            for name, value in scope.keywords.items()
        }
        same = all(keywords[name] is value for name, value in scope.keywords.items())
        return scope if same else scope.replace(keywords=keywords)

    def _simplify_signature(self, function: ir.Function) -> ir.Function:
        returned = tuple([self._simplify_type(each) for each in function.return_types])
        same = all(after is before for after, before in zip(returned, function.return_types, strict=True))
        return function if same else function.replace(return_types=returned)


def _check_constants(call: ir.Call) -> None:
    """Refuses a call whose operator cannot take the constants that its operands turned out to be."""
    operator = ops.find(call.op)
    if operator is None:
        return
    try:
        ops.infer(operator, call.args, call.keywords)
    except UserError as error:
        raise UserError(*[each if each.span else each.at(call.span) for each in error.diagnostics]) from None
