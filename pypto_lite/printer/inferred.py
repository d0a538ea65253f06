"""What tracing finds by itself, so that it need not be written; and where it would find something else."""

from __future__ import annotations

from pypto_lite import ops
from pypto_lite.diagnostics import UserError
from pypto_lite.ir import (
    Assign,
    Block,
    Call,
    Expr,
    For,
    FunctionCall,
    If,
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


def hides_view(value: Expr, type_: TileType) -> bool:
    """Whether ``type_``, the type of what the value is assigned to, stores no view although the value has one.

    An annotation has to say so.
    """
    if type_.view is not None:
        return False
    found = _called(value) if isinstance(value, Call) else value.type
    return isinstance(found, TileType) and found.view is not None


def _yielded(block: Block) -> Expr | None:
    """The only value that a block passes on."""
    return block.yielded[0] if len(block.yielded) == 1 else None


def _joined(first: Type, second: Type) -> Type:
    """The type of a branch result: that of the first arm, without a space unless both arms are in the same."""
    if isinstance(first, TileType) and isinstance(second, TileType) and first.space is not second.space:
        return first.replace(space=None)
    return first
