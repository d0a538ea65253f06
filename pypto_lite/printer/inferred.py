"""What tracing finds by itself, so that it need not be written; and where it would find something else."""

from __future__ import annotations

from typing import Any

from pypto_lite import ops
from pypto_lite.diagnostics import UserError
from pypto_lite.ir import (
    Assign,
    Block,
    Call,
    Const,
    Expr,
    For,
    FunctionCall,
    If,
    MakeTuple,
    Program,
    Submit,
    TileType,
    TupleType,
    Type,
    While,
)


class Inferred:
    """Knows what types tracing finds, in a function of ``program`` if that is known."""

    def __init__(self, program: Program | None) -> None:
        self._program = program

    def assigned(self, statement: Assign) -> bool:
        """Whether the variable has the type that its value is found to have."""
        return self._type(statement.value) == statement.var.type

    def yielded(self, owner: For | While | If) -> bool:
        """Whether the only result of a loop or a branch has the type that it is found to have."""
        (result,) = owner.results
        if not isinstance(owner, If):
            return result.type == owner.carries[0].type
        first = _yielded(owner.then_body)
        second = _yielded(owner.else_body) if owner.else_body is not None else None
        return first is not None and second is not None and _joined(first.type, second.type) == result.type

    def _type(self, value: Expr) -> Type | None:
        if isinstance(value, Call):
            return _called(value)
        if isinstance(value, (FunctionCall, Submit)):
            return value.type if self._returns(value) else None
        return value.type

    def _returns(self, call: FunctionCall | Submit) -> bool:
        """Whether the type of a call is what the function says that it returns."""
        callee = self._program.functions.get(call.function) if self._program is not None else None
        if callee is None or call.type.symbolic:
            return False
        types = callee.return_types
        if isinstance(call, Submit):
            return isinstance(call.type, TupleType) and call.type.types[:-1] == types
        return call.type == (types[0] if len(types) == 1 else TupleType(types))


def _called(call: Call) -> Type | None:
    """The type of an operator's result by its rule."""
    operator = ops.find(call.op)
    if operator is None:
        return None
    try:
        return ops.infer(operator, call.args, call.keywords)
    except UserError:
        return None


class HiddenViews:
    """Finds the tiles whose type stores no view although their values have one: an annotation has to say so.

    Asks the type rules once for all calls with the same operands.
    """

    def __init__(self) -> None:
        self._known: dict[tuple[Any, ...], bool] = {}

    def hidden(self, value: Expr, type_: TileType) -> bool:
        """Whether ``type_``, the type of what the value is assigned to, lacks a view that the value has."""
        if type_.view is not None:
            return False
        if not isinstance(value, Call):
            return _has_view(value.type)
        key = _key(value)
        if key is None:
            return _has_view(_called(value))
        known = self._known.get(key)
        if known is None:
            known = self._known[key] = _has_view(_called(value))
        return known


def _has_view(type_: Type | None) -> bool:
    return isinstance(type_, TileType) and type_.view is not None


def _key(call: Call) -> tuple[Any, ...] | None:
    """What the view of a call's result depends on; None where that is too much to compare."""
    parts: list[Any] = [call.op]
    for arg in call.args:
        type_ = arg.type
        if type_.symbolic:
            return None
        if isinstance(arg, MakeTuple):
            parts += [each.value if isinstance(each, Const) else None for each in arg.elements]
        # Types live as long as the program, so their ids stand for them.
        parts.append(arg.value if isinstance(arg, Const) else id(type_))
    if call.keywords:
        parts += call.keywords.values()
    return tuple(parts)


def _yielded(block: Block) -> Expr | None:
    """The only value that a block passes on."""
    return block.yielded[0] if len(block.yielded) == 1 else None


def _joined(first: Type, second: Type) -> Type:
    """The type of a branch result: that of the first arm, without a space unless both arms are in the same."""
    if isinstance(first, TileType) and isinstance(second, TileType) and first.space is not second.space:
        return first.replace(space=None)
    return first
