"""Whether two pieces of IR are the same program: the fast yes or no.

What takes part: every field of every node and type, but for names of variables, spans, comments, the name of a
program and its records. Variables correspond one to one: a variable of one side stands for exactly one of the
other, wherever it is defined, read or mentioned in a type, and their types are equal. A variable that a function does
not define (a symbolic dimension, or any variable of a fragment) corresponds from its first occurrence on, across the
functions of a program; a variable that it defines corresponds within the function. A Block directly inside a Block is
the same as its statements, an empty ``else`` the same as none.

The comparing function of each class is generated from its fields, as the constructors are: a field that a class gains
takes part without anybody thinking of it.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping
from typing import Any, Final, TypeAlias, cast

from pypto_lite.ir.expressions import (
    Binary,
    Call,
    Cast,
    Const,
    FunctionCall,
    MakeTuple,
    Select,
    Submit,
    TupleItem,
    Unary,
    Var,
)
from pypto_lite.ir.node import Node, Stmt, Type
from pypto_lite.ir.program import Function, Program
from pypto_lite.ir.statements import (
    Assign,
    Block,
    Break,
    Continue,
    Evaluate,
    For,
    If,
    Return,
    Scope,
    While,
    Yield,
)
from pypto_lite.ir.tiles import MemRef, TileType, TileView
from pypto_lite.ir.types import (
    ArrayType,
    PtrType,
    ScalarType,
    TensorType,
    TensorView,
    TupleType,
    UnknownType,
)

Comparing: TypeAlias = Callable[[Any, Any, list[Any], list[Any], list[Var]], bool]
"""Whether two objects of one class agree in what they hold directly; the parts still to be compared go to the two
lists, the variables that the first one defines to the third."""

IGNORED: Final = frozenset({"span", "comments", "trailing_comments", "records"})

NODES: Final[tuple[type[Node], ...]] = (
    Assign, Binary, Block, Break, Call, Cast, Const, Continue, Evaluate, For, Function, FunctionCall, If, MakeTuple,
    Program, Return, Scope, Select, Submit, TupleItem, Unary, Var, While, Yield,
)  # fmt: skip

TYPES: Final[tuple[type, ...]] = (
    ArrayType, MemRef, PtrType, ScalarType, TensorType, TensorView, TileType, TileView, TupleType, UnknownType,
)  # fmt: skip


def _compared(cls: type[Any]) -> tuple[str, ...]:
    if not issubclass(cls, Node):
        slots: tuple[str, ...] = vars(cls).get("__slots__", ())
        return tuple([slot for slot in slots if not slot.startswith("_")])
    named = cls in (Var, Program)  # names of variables are hints, and those of programs labels
    return tuple([field for field in cls.fields if field not in IGNORED and not (named and field == "name")])


COMPARED: Final[Mapping[type, tuple[str, ...]]] = {cls: _compared(cls) for cls in (*NODES, *TYPES)}
"""The fields that take part in equality, by class of node or type."""


def statements_of(block: Block) -> tuple[Stmt, ...]:
    """The statements of a block, those of the blocks directly inside it in their place."""
    statements = block.statements
    if Block not in map(type, statements):
        return statements
    flat: list[Stmt] = []
    stack = list(reversed(statements))
    while stack:
        statement = stack.pop()
        if isinstance(statement, Block):
            stack.extend(reversed(statement.statements))
        else:
            flat.append(statement)
    return tuple(flat)


def else_of(branch: If) -> Block | None:
    """The other arm of a branch, None also for an empty one."""
    other = branch.else_body
    return other if other is not None and statements_of(other) else None


def same_leaf(a: Any, b: Any) -> bool:
    """Whether two plain values of one class are the same: nan is nan, and 0.0 is not -0.0."""
    if a is b:
        return True
    if isinstance(a, float):
        return (a == b and math.copysign(1.0, a) == math.copysign(1.0, b)) or (a != a and b != b)
    return bool(a == b)


def _generated(cls: type) -> Comparing:
    """The comparing function of a class, made for its fields."""
    annotations: dict[str, str] = vars(cls).get("__annotations__", {})
    lines = ["def compare(a, b, left, right, defined):"]
    for field in COMPARED[cls]:
        kind = annotations[field]
        if kind in ("str", "ForKind", "FunctionType", "ScopeKind"):
            lines.append(f" if a.{field} != b.{field}: return False")
            continue
        lines.append(f" x = a.{field}; y = b.{field}")
        if field == "else_body":
            lines.append(" x = else_of(a); y = else_of(b)")
        if field == "statements":
            lines.append(" if Block in map(type, x): x = statements_of(a)")
            lines.append(" if Block in map(type, y): y = statements_of(b)")
        if kind.startswith("tuple["):
            lines.append(" if len(x) != len(y): return False")
            lines.append(" left += x; right += y")
        elif field == "type":
            lines.append(" if x is not y or x.symbolic: left.append(x); right.append(y)")
        elif kind.startswith("Mapping["):
            lines.append(" if x or y: left.append(x); right.append(y)")
        else:
            lines.append(" left.append(x); right.append(y)")
    if issubclass(cls, Node) and cls.defining_fields:
        lines.append(" defined += a.definitions()")
    lines.append(" return True")
    scope: dict[str, Any] = {"Block": Block, "statements_of": statements_of, "else_of": else_of}
    exec("\n".join(lines), scope)
    return scope["compare"]


def _same_sequence(a: Any, b: Any, left: list[Any], right: list[Any], defined: list[Var]) -> bool:
    left += a
    right += b
    return len(a) == len(b)


def _same_mapping(a: Any, b: Any, left: list[Any], right: list[Any], defined: list[Var]) -> bool:
    if len(a) != len(b):
        return False
    for key, value in a.items():
        if key not in b:
            return False
        left.append(value)
        right.append(b[key])
    return True


def _same_plain(a: Any, b: Any, left: list[Any], right: list[Any], defined: list[Var]) -> bool:
    return same_leaf(a, b)


class _Comparing(dict[type, Comparing]):
    """The comparing functions by class; those of nodes and types are made when they are first needed, because making
    all of them would be a good part of what importing the package takes."""

    def __missing__(self, cls: type) -> Comparing:
        made = _generated(cls) if cls in COMPARED and cls is not Program else _same_plain
        self[cls] = made
        return made


_COMPARING: Final = _Comparing({tuple: _same_sequence, dict: _same_mapping})


def kind_of(value: Any) -> type:
    """The class by which a value is compared: programs and functions of whatever class, lists like tuples."""
    for general in (Program, Function, Mapping):
        if isinstance(value, general):
            return dict if general is Mapping else general
    return tuple if isinstance(value, list) else cast("type[Any]", type(value))


def parts_of(node: Any, fields: tuple[str, ...]) -> tuple[Any, ...]:
    """What a node or a type holds in these of its fields, as it counts."""
    return tuple([else_of(node) if field == "else_body" else getattr(node, field) for field in fields])


class Bijection:
    """Which variable of the one side stands for which of the other."""

    __slots__ = ("backward", "forward")

    def __init__(self, forward: Mapping[Var, Var] | None = None) -> None:
        self.forward: dict[Var, Var] = dict(forward or ())
        self.backward: dict[Var, Var] = {b: a for a, b in self.forward.items()}

    def without(self, defined: Iterable[Var]) -> Bijection:
        """What is left when a function ends: the variables that it does not define."""
        local = set(defined)
        return Bijection({a: b for a, b in self.forward.items() if a not in local})


def _same(a: Any, b: Any, variables: Bijection, defined: list[Var]) -> bool:
    forward, backward = variables.forward, variables.backward
    left, right = [a], [b]
    pop_left, pop_right = left.pop, right.pop
    comparing = _COMPARING
    while left:
        a = pop_left()
        b = pop_right()
        cls = a.__class__
        if cls is Var:
            known = forward.get(a)
            if known is not None:
                if known is not b:
                    return False
                continue
            if b.__class__ is not Var or b in backward:
                return False
            forward[a] = b
            backward[b] = a
            a = a.type
            b = b.type
            if a is not b or a.symbolic:
                left.append(a)
                right.append(b)
        elif cls is not b.__class__:
            cls = kind_of(a)
            if cls is not kind_of(b) or not comparing[cls](a, b, left, right, defined):
                return False
        elif cls is Const:
            # Small ints are one object each, so most constants end here.
            if a.value is not b.value and not (type(a.value) is type(b.value) and same_leaf(a.value, b.value)):
                return False
            if a.type is not b.type:
                left.append(a.type)
                right.append(b.type)
        else:
            compare = comparing.get(cls)
            if compare is None:
                compare = comparing[kind_of(a)]
            if not compare(a, b, left, right, defined):
                return False
    return True


def structural_equal(a: Node | Type, b: Node | Type) -> bool:
    """Whether two nodes (or types) are the same program, up to names, spans and comments.

    0.3 us a node. Functions are matched by name; their order does not matter.
    """
    if not isinstance(a, Program) or not isinstance(b, Program):
        return _same(a, b, Bijection(), [])
    if a.functions.keys() != b.functions.keys():
        return False
    variables = Bijection()
    for name, function in a.functions.items():
        defined: list[Var] = []
        if not _same(function, b.functions[name], variables, defined):
            return False
        variables = variables.without(defined)
    return True
