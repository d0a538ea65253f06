"""Changes of programs that tests of equality make: one that no comparison may miss, and one that none may see."""

from __future__ import annotations

import enum
from typing import TYPE_CHECKING, Any, Final, NamedTuple, TypeVar

from pypto_lite import ir, ops
from pypto_lite.ir.dtypes import BF16, FP32, INDEX

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from pypto_lite.ir import Expr, Node, Var

Item = TypeVar("Item")

_ARITHMETIC: Final = ("+", "-", "*", "//", "%", "min", "max")
_CYCLES: Final = (_ARITHMETIC, ir.COMPARISONS, ("and", "or"))


class Edit(NamedTuple):
    """One node and what takes its place."""

    node: Node
    replacement: Node
    told: str
    """What the edit does, in a few words."""


def renamed(program: ir.Program) -> ir.Program:
    """The same program with another name for everything whose name means nothing: it, and its variables."""
    mapping: dict[Var, Expr] = {}
    for node in ir.walk(program):
        if isinstance(node, ir.Var) and node not in mapping:
            type_ = ir.Substitution(mapping).type(node.type) if node.type.symbolic else node.type
            mapping[node] = ir.Var(f"renamed_{len(mapping)}", type_)
    return ir.Substitution(mapping).apply(program).replace(name=f"Renamed{program.name}")


def edited(program: ir.Program, choice: int) -> tuple[ir.Program, str] | None:
    """The program with one node changed, and what was changed; which one, ``choice`` says.

    The result is another program, though not always a well-formed one. None where there is nothing to change.
    """
    edits = [edit for node in dict.fromkeys(ir.walk(program)) for edit in _edits(node, program)]
    if not edits:
        return None
    edit = edits[choice % len(edits)]
    return ir.rewrite(
        program, {type(edit.node): lambda node: edit.replacement if node is edit.node else node}
    ), edit.told


def _edits(node: Node, program: ir.Program) -> Iterator[Edit]:
    for kind, rule in _RULES:
        if isinstance(node, kind):
            for replacement, told in rule(node, program):
                yield Edit(node, replacement, f"{told} of {node!r}")


def _of_constant(node: ir.Const, _program: ir.Program) -> Iterator[tuple[Node, str]]:
    value = not node.value if isinstance(node.value, bool) else 0 if node.value == 1 else 1
    yield ir.Const(value if node.type.dtype is not FP32 else float(value), node.type), "the value"
    yield ir.Const(node.value, ir.ScalarType(BF16 if node.type.dtype is INDEX else INDEX)), "the element type"


def _of_binary(node: ir.Binary, _program: ir.Program) -> Iterator[tuple[Node, str]]:
    for cycle in _CYCLES:
        if node.operator in cycle:
            yield node.replace(operator=_next(cycle, node.operator)), "the operator"
    if node.lhs is not node.rhs and not (isinstance(node.lhs, ir.Const) and isinstance(node.rhs, ir.Const)):
        yield node.replace(rhs=node.lhs), "the right operand"


def _of_call(node: ir.Call, _program: ir.Program) -> Iterator[tuple[Node, str]]:
    yield node.replace(op=f"{node.op}_edited"), "the operator"
    yield node.replace(attrs={**node.attrs, "edited": True}), "the attributes"
    if len(node.args) > 1:
        yield node.replace(args=node.args[:-1]), "the last operand"
    operator = ops.find(node.op)
    for name, value in node.keywords.items() if operator is not None else ():
        if isinstance(value, enum.Enum):
            yield node.replace(keywords={**node.keywords, name: _next(tuple(type(value)), value)}), name
        elif isinstance(value, bool):
            yield node.replace(keywords={**node.keywords, name: not value}), name
        yield node.replace(keywords={key: kept for key, kept in node.keywords.items() if key != name}), name


def _of_user(node: ir.Call | ir.Yield | ir.Return | ir.FunctionCall, program: ir.Program) -> Iterator[tuple[Node, str]]:
    """Other variables of the same type in the place of those that a node reads."""
    values = node.children()
    known = [each for each in dict.fromkeys(ir.walk(program)) if isinstance(each, ir.Var)][:40]
    for position, value in enumerate(values):
        if not isinstance(value, ir.Var):
            continue
        other = next((var for var in known if var is not value and var.type == value.type), None)
        if other is not None:
            yield node.rebuild((*values[:position], other, *values[position + 1 :])), f"operand {position}"


def _of_block(node: ir.Block, _program: ir.Program) -> Iterator[tuple[Node, str]]:
    statements = node.statements
    for position, statement in enumerate(statements):
        if not isinstance(statement, (ir.Block, ir.Yield, ir.Return)):
            yield node.rebuild((*statements[:position], *statements[position + 1 :])), f"statement {position}"
            yield node.rebuild((*statements[:position], statement, *statements[position:])), f"statement {position}"


def _of_loop(node: ir.For, _program: ir.Program) -> Iterator[tuple[Node, str]]:
    yield node.replace(kind=_next(tuple(ir.ForKind), node.kind)), "the kind"
    yield node.replace(attrs={**node.attrs, "edited": True}), "the attributes"
    if node.start is not node.stop:
        yield node.replace(step=ir.Binary("+", node.step, node.step, ir.ScalarType(INDEX))), "the step"


def _of_branch(node: ir.If | ir.While, _program: ir.Program) -> Iterator[tuple[Node, str]]:
    condition = node.condition
    assert isinstance(condition.type, ir.ScalarType)
    yield node.replace(condition=ir.Unary("not", condition, condition.type)), "the condition"


def _of_function(node: ir.Function, _program: ir.Program) -> Iterator[tuple[Node, str]]:
    yield node.replace(type=_next(tuple(ir.FunctionType), node.type)), "the type"
    yield node.replace(attrs={**node.attrs, "edited": True}), "the attributes"
    for position, direction in enumerate(node.directions):
        other = _next(tuple(ir.ParamDirection), direction)
        directions = (*node.directions[:position], other, *node.directions[position + 1 :])
        yield node.replace(directions=directions), f"the direction of parameter {position}"
    for position, type_ in enumerate(node.return_types):
        changed = (*node.return_types[:position], ir.TupleType([type_]), *node.return_types[position + 1 :])
        yield node.replace(return_types=changed), f"the type of result {position}"


_RULES: Final[tuple[tuple[Any, Callable[[Any, ir.Program], Iterator[tuple[Node, str]]]], ...]] = (
    (ir.Const, _of_constant),
    (ir.Binary, _of_binary),
    (ir.Call, _of_call),
    ((ir.Call, ir.Yield, ir.Return, ir.FunctionCall), _of_user),
    (ir.Block, _of_block),
    (ir.For, _of_loop),
    ((ir.If, ir.While), _of_branch),
    (ir.Function, _of_function),
)


def _next(members: tuple[Item, ...], current: Item) -> Item:
    return members[(members.index(current) + 1) % len(members)]
