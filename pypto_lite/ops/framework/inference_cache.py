"""Which calls are alike, so that what follows from their operands is worked out once for all of them.

Kernels call few operators on few types of tiles, so most calls are like one that was seen before.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from pypto_lite.diagnostics import NO_SPAN
from pypto_lite.ir import Call, Const, DType, MakeTuple, MemorySpace, NamedEnum, ScalarType, TileLayout, Var
from pypto_lite.ops.framework.inference import call

if TYPE_CHECKING:
    from collections.abc import Hashable, Mapping, Sequence

    from pypto_lite.diagnostics import Span
    from pypto_lite.ir import Expr
    from pypto_lite.ops.framework.declaration import Operator


class CallMaker:
    """Makes calls as ``ops.call`` does, and works out the type once for all that are alike."""

    def __init__(self) -> None:
        self._known: dict[Hashable, Call] = {}

    def make(
        self,
        operator: Operator | str,
        args: Sequence[Expr],
        keywords: Mapping[str, Any],
        attrs: Mapping[str, Any],
        span: Span = NO_SPAN,
    ) -> Call:
        """A call of an operator with the type that its rule gives. Raises UserError where the rule refuses it."""
        key = inference_key(operator if isinstance(operator, str) else operator.name, args, keywords)
        known = self._known.get(key) if key is not None else None
        if known is not None:
            return Call(known.op, tuple(args), known.keywords, known.type, attrs, span)
        made = call(operator, args, keywords, attrs=attrs, span=span)
        if key is not None:
            self._known[key] = made
        return made


def inference_key(op: str, args: Sequence[Expr], keywords: Mapping[str, Any]) -> Hashable | None:
    """What the type of a call follows from: calls for which it is equal have one type.

    None where an operand is more than it is worth to look at. Types without expressions are one object each, so they
    are known by identity, which is cheaper than their hash. A scalar may stand in the type of the result, so it is
    known by its structure; and so is a constant, but for the plain integers that most of them are.
    """
    key: list[Hashable] = [op]
    for arg in args:
        if type(arg) is Var:
            type_ = arg.type
            if type_.symbolic:
                return None
            key.append(arg if type(type_) is ScalarType else id(type_))
        elif type(arg) is MakeTuple:
            key += (id(arg.type), arg.integers)
            if arg.integers is None:
                key += [each.structure() for each in arg.elements]
        elif type(arg) is Const:
            key.append(arg.structure())
        else:
            return None
    for name, value in keywords.items():
        kind = value.__class__
        if kind is float:
            value = repr(value)  # which tells -0.0 from 0.0
        elif kind not in _PLAIN and not isinstance(value, NamedEnum):
            return None
        key += (name, kind, value)  # True equals 1, and 1.0 does
    return tuple(key)


_PLAIN: Final = frozenset({bool, int, str, type(None), DType, MemorySpace, TileLayout})
"""The classes of most keywords; for other enumerations it takes longer to find out that they are one."""
