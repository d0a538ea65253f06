"""Call hoisting: statements of their own for the calls inside the operands of a statement, in front of it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from pypto_lite import ir

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from pypto_lite.diagnostics import Span

BOOL: Final = ir.ScalarType(ir.DTYPES["BOOL"])


class _Hoisted:
    """Statements that calls moved into, in the order in which they run."""

    def __init__(self, span: Span) -> None:
        self._span = span
        """The span of the statement, for calls that have none."""
        self.statements: list[ir.Stmt] = []
        self._around: list[list[ir.Stmt]] = []
        self._values: list[Any] = []
        self._steps: list[tuple[Callable[[Any], None], Any]] = []
        self._with_calls: set[int] = set()
        self._direct: ir.Expr | None = None

    def flatten(self, expression: ir.Expr, *, direct: bool = False) -> ir.Expr:
        """The expression without calls in it; with ``direct`` it may be a call itself."""
        if not self._find_calls(expression, direct):
            return expression
        self._direct = expression if direct and isinstance(expression, ir.CALLS) else None
        steps = self._steps
        steps.append((self._visit, expression))
        while steps:
            step, node = steps.pop()
            step(node)
        return self._values.pop()

    def flatten_all(self, expressions: Sequence[ir.Expr]) -> tuple[ir.Expr, ...]:
        return tuple([self.flatten(expression) for expression in expressions])

    def named(self, expression: ir.Expr, name: str) -> ir.Expr:
        """The expression as a value that can be used twice: a variable or a constant."""
        if isinstance(expression, (ir.Var, ir.Const)):
            return expression
        return self._assign(expression, name)

    def _find_calls(self, expression: ir.Expr, direct: bool) -> bool:
        """Notes which nodes have a call in them; whether any call has to move."""
        nodes = list(ir.walk(expression))
        moving = False
        self._with_calls = found = set[int]()
        for node in reversed(nodes):  # children before their parents
            if isinstance(node, ir.CALLS):
                found.add(id(node))
                moving = moving or not direct or node is not expression
            elif any(id(child) in found for child in node.children()):
                found.add(id(node))
        return moving

    def _visit(self, node: ir.Expr) -> None:
        if id(node) not in self._with_calls:
            self._values.append(node)
        elif isinstance(node, ir.Binary) and node.operator in ("and", "or") and id(node.rhs) in self._with_calls:
            self._steps += [(self._close_logical, node), (self._visit, node.rhs), (self._open, node)]
            self._steps.append((self._visit, node.lhs))
        elif isinstance(node, ir.Select) and self._with_calls & {id(node.then), id(node.otherwise)}:
            self._steps += [(self._close_select, node), (self._visit, node.otherwise), (self._open, node)]
            self._steps += [(self._visit, node.then), (self._open, node), (self._visit, node.condition)]
        else:
            self._steps.append((self._build, node))
            self._steps += [(self._visit, child) for child in node.children()[::-1]]

    def _build(self, node: ir.Expr) -> None:
        count = len(node.children())
        children = self._values[len(self._values) - count :]
        del self._values[len(self._values) - count :]
        rebuilt = node.rebuild(children)
        if isinstance(node, ir.CALLS) and node is not self._direct:
            name = node.op.rpartition(".")[2] if isinstance(node, ir.Call) else node.function
            self._values.append(self._assign(rebuilt, name))
        else:
            self._values.append(rebuilt)

    def _assign(self, value: ir.Expr, name: str) -> ir.Var:
        span = value.span or self._span
        var = ir.Var(name, value.type, span)
        self.statements.append(ir.Assign(var, value, span))
        return var

    def _open(self, node: ir.Expr) -> None:
        """What is hoisted from here on goes into an arm of a branch."""
        self._around.append(self.statements)
        self.statements = []

    def _close_arm(self, value: ir.Expr) -> ir.Block:
        arm = ir.Block((*self.statements, ir.Yield((value,), value.span or self._span)))
        self.statements = self._around.pop()
        return arm

    def _close_logical(self, node: ir.Binary) -> None:
        evaluated = self._close_arm(_truth(self._values.pop()))
        decided = ir.Block((ir.Yield((ir.Const(node.operator == "or", BOOL, node.span),), node.span or self._span),))
        arms = (evaluated, decided) if node.operator == "and" else (decided, evaluated)
        self._branch(_truth(self._values.pop()), arms, node)

    def _close_select(self, node: ir.Select) -> None:
        # The else-arm was opened inside the then-arm, which is closed second.
        otherwise = self._close_arm(self._values.pop())
        then = self._close_arm(self._values.pop())
        self._branch(self._values.pop(), (then, otherwise), node)

    def _branch(self, condition: ir.Expr, arms: tuple[ir.Block, ir.Block], node: ir.Expr) -> None:
        result = ir.Var("chosen", node.type, node.span or self._span)
        self.statements.append(ir.If(condition, *arms, (result,), node.span or self._span))
        self._values.append(result)


def _truth(value: ir.Expr) -> ir.Expr:
    """A scalar as a BOOL: whether it is not zero."""
    if value.type is BOOL or not isinstance(value.type, ir.ScalarType):
        return value
    zero = ir.const(0, value.type.dtype, value.span)
    return ir.Binary("!=", value, zero, BOOL, value.span)


def _flatten_value(statement: Any) -> Any:
    """An assignment, or a value that is evaluated: its value may be a call itself."""
    hoisted = _Hoisted(statement.span)
    value = hoisted.flatten(statement.value, direct=True)
    if value is statement.value:
        return statement
    if isinstance(statement, ir.Evaluate) and not isinstance(value, ir.CALLS):
        first, *others = hoisted.statements
        return [first.replace(comments=statement.comments), *others]
    return [*hoisted.statements, statement.replace(value=value)]


def _flatten_operands(statement: Any) -> Any:
    """A statement whose operands are read once, before anything else in it happens."""
    hoisted = _Hoisted(statement.span)
    operands = hoisted.flatten_all(statement.operands())
    return [*hoisted.statements, statement.with_operands(operands)] if hoisted.statements else statement


def _flatten_while(loop: ir.While) -> Any:
    before = _Hoisted(loop.span)
    inits = before.flatten_all(loop.inits)
    if not ir.calls_something(loop.condition):
        return [*before.statements, loop.replace(inits=inits)] if before.statements else loop
    final = loop.body.statements[-1] if loop.carries else None
    yielded = loop.body.yielded
    statements = loop.body.statements[: -1 if loop.carries else None]
    place = final.span if final is not None else loop.span
    inits, entered = _condition_with(loop, inits, before)
    again = _Hoisted(place)
    yielded, repeated = _condition_with(loop, yielded, again)
    last = ir.Yield((*yielded, repeated), place, final.comments if final is not None else ())
    carry, result = (ir.Var("condition", BOOL, loop.condition.span) for _ in range(2))
    changed = loop.replace(
        condition=carry,
        inits=(*inits, entered),
        carries=(*loop.carries, carry),
        body=loop.body.replace(statements=(*statements, *again.statements, last)),
        results=(*loop.results, result),
    )
    return [*before.statements, changed]


def _condition_with(
    loop: ir.While, values: Sequence[ir.Expr], hoisted: _Hoisted
) -> tuple[tuple[ir.Expr, ...], ir.Expr]:
    """The loop's condition where its carries hold ``values``, and the values so that they can be used twice."""
    named = tuple([hoisted.named(value, carry.name) for value, carry in zip(values, loop.carries, strict=True)])
    condition = ir.substitute(loop.condition, dict(zip(loop.carries, named, strict=True)))
    return named, hoisted.flatten(condition)


HOISTING: Final[dict[type[ir.Node], Callable[[Any], Any]]] = {
    ir.Assign: _flatten_value,
    ir.Evaluate: _flatten_value,
    ir.While: _flatten_while,
    **dict.fromkeys((ir.Yield, ir.Return, ir.For, ir.If, ir.Scope), _flatten_operands),
}
"""What is made of statements whose operands hold calls, as rules for ``ir.rewrite``."""


def hoist_calls_where(function: ir.Function, wanted: Callable[[ir.Stmt], bool]) -> ir.Function:
    """The function with the calls of the ``wanted`` statements in statements of their own; the others stay."""

    def only_wanted(rule: Callable[[Any], Any]) -> Callable[[Any], Any]:
        return lambda statement: rule(statement) if wanted(statement) else statement

    return ir.rewrite(function, {kind: only_wanted(rule) for kind, rule in HOISTING.items()})
