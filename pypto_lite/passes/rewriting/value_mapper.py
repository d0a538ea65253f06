"""Puts values in the place of variables, in expressions and in types; what follows from operands follows them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from pypto_lite import ir, ops
from pypto_lite.analysis.type_agreement import Agreement, difference
from pypto_lite.diagnostics import UserError
from pypto_lite.ir import arithmetic

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence


class ValueMapper:
    """Replaces variables by ``values``; a variable that is not among them stays.

    Unlike ``ir.Substitution`` it is meant to be asked again and again while ``values`` changes, costs nothing for the
    number of variables, and gives a call whose operands have other types than before the type that its operator's
    rule gives for the new ones. Scalar expressions are folded where they become constant, as they would be if they had
    been written so. Where nothing changes the result is the same object.
    """

    def __init__(self) -> None:
        self.values: dict[ir.Var, ir.Expr] = {}

    def read(self, var: ir.Var) -> ir.Expr:
        """What stands for a variable in code."""
        return self.values.get(var, var)

    def mention(self, var: ir.Var) -> ir.Expr:
        """What stands for a variable in a type."""
        return self.values.get(var, var)

    def expression(self, root: ir.Expr) -> ir.Expr:
        """The expression with the values of its variables."""
        return self.replaced(root, self.read)

    def expressions(self, roots: Sequence[ir.Expr]) -> tuple[ir.Expr, ...]:
        return tuple([self.replaced(root, self.read) for root in roots])

    def type(self, before: ir.Type) -> ir.Type:
        """The type with the values of the variables that it mentions; the same object where none changes."""
        if not before.symbolic:
            return before
        after = before.map_expressions(self._dimension)
        return before if after == before else after

    def follow(self, own: ir.Type, before: ir.Type, after: ir.Type) -> ir.Type:
        """The type of a variable of type ``own`` whose value had the type ``before`` and now has ``after``."""
        if before is after:
            return self.type(own)
        return after if own == before and after != before else self.type(own)

    def _dimension(self, dimension: ir.Expr) -> ir.Dim:
        return ir.expr_dim(self.replaced(dimension, self.mention))

    def replaced(self, root: ir.Expr, value: Callable[[ir.Var], ir.Expr]) -> ir.Expr:
        """The expression with what ``value`` gives for its variables."""
        if isinstance(root, ir.Var):
            return value(root)
        children: tuple[Any, ...] = root.children()
        made: list[ir.Expr] = []
        # Most expressions are a call or an operation of variables and constants.
        for child in children:
            if type(child) is ir.Var:
                made.append(value(child))
            else:
                made.append(child if _is_constant(child) else self._replaced_deep(child, value))
        return self._rebuilt(root, children, made)

    def _replaced_deep(self, root: ir.Expr, value: Callable[[ir.Var], ir.Expr]) -> ir.Expr:
        stack: list[tuple[Any, Sequence[ir.Expr] | None]] = [(root, None)]
        done: list[ir.Expr] = []
        while stack:
            node, children = stack.pop()
            if type(node) is ir.Var:
                done.append(value(node))
            elif children is None:
                children = node.children()
                stack.append((node, children))
                stack.extend([(child, None) for child in reversed(children)])
            else:
                first = len(done) - len(children)
                done[first:] = [self._rebuilt(node, children, done[first:])]
        return done[0]

    def _rebuilt(self, node: Any, before: Sequence[ir.Expr], after: list[ir.Expr]) -> ir.Expr:
        if [*before] == after:  # nodes are equal if they are the same
            if not node.type.symbolic:
                return node
            rebuilt = node
        else:
            rebuilt = node.rebuild(after)
        if type(node) in arithmetic.SIMPLIFIERS:
            # What is not decided stays as it was written; simplifying is for another pass.
            return arithmetic.fold(_as_left_operand(rebuilt))
        if isinstance(rebuilt, ir.TupleItem) and isinstance(rebuilt.tuple, ir.MakeTuple):
            return rebuilt.tuple.elements[rebuilt.index]
        type_ = self._type_of(node, rebuilt)
        return rebuilt if type_ == rebuilt.type else rebuilt.replace(type=type_)

    def _type_of(self, before: Any, after: ir.Expr) -> ir.Type:
        """The type of an expression whose operands are replaced already."""
        match after:
            case ir.Call():
                return self._type_of_call(before, after)
            case ir.MakeTuple():
                return ir.TupleType([element.type for element in after.elements])
            case ir.TupleItem(tuple=ir.Expr(type=ir.TupleType() as held)):
                return self.follow(before.type, before.tuple.type.types[after.index], held.types[after.index])
            case _:
                return self.type(before.type)

    def _type_of_call(self, before: ir.Call, after: ir.Call) -> ir.Type:
        """What the operator's rule gives now, if that is what was claimed before; else the claim, where it can hold.

        Raises UserError, at the call, where the operator can't take the operands that it has now.
        """
        renamed = self.type(before.type)
        if renamed is before.type and not any(map(_matters, before.args, after.args)):
            return renamed
        try:
            inferred = _inferred(before)
        except UserError:
            inferred = None
        if inferred is None or isinstance(inferred, ir.UnknownType):
            return renamed
        now = _inferred(after)
        assert now is not None
        if before.type == inferred:
            return now
        # An annotation has put more into the claim than the operator knows, such as a space or a view.
        return renamed if difference(renamed, now, Agreement.CLAIM) is None else now


def _as_left_operand(operation: Any) -> Any:
    """A scalar operation in the type of its left operand where the two stand for each other: an INDEX or an INT64."""
    left = operation.then if isinstance(operation, ir.Select) else operation.children()[0]
    if isinstance(operation, ir.Cast) or left.type is operation.type:
        return operation
    both_index_like = difference(left.type, operation.type, Agreement.JOIN) is None
    return operation.replace(type=left.type) if both_index_like else operation


def _is_constant(expression: ir.Expr) -> bool:
    """Whether it is a constant, or a list of constants."""
    if isinstance(expression, ir.MakeTuple):
        return expression.integers is not None or set(map(type, expression.elements)) <= _CONSTANT
    return isinstance(expression, ir.Const)


_CONSTANT: Final[frozenset[type[ir.Expr]]] = frozenset({ir.Const})


def _matters(before: ir.Expr, after: ir.Expr) -> bool:
    """Whether a change of an operand can change the type of a call: by its own type, or by a constant."""
    if before is after:
        return False
    if isinstance(before, ir.MakeTuple) and isinstance(after, ir.MakeTuple):
        return any(map(_matters, before.elements, after.elements))
    return before.type != after.type or (isinstance(after, ir.Const) and not isinstance(before, ir.Const))


def _inferred(call: ir.Call) -> ir.Type | None:
    operator = ops.find(call.op)
    if operator is None:
        return None
    try:
        return ops.infer(operator, call.args, call.keywords)
    except UserError as error:
        raise error.located(call.span) from None
