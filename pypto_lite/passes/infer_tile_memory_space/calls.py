"""Makes calls, and works out their types once for all calls whose operands and keywords look the same.

Kernels call few operators on few types of tiles, so most calls are like one that was made before.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pypto_lite import ir, ops

if TYPE_CHECKING:
    from collections.abc import Hashable, Mapping, Sequence

    from pypto_lite.diagnostics import Span


class CallMaker:
    """Makes calls for one run of the pass."""

    def __init__(self) -> None:
        self._known: dict[tuple[Hashable, ...], ir.Call] = {}

    def make(
        self, op: str, args: Sequence[ir.Expr], keywords: Mapping[str, Any], attrs: Mapping[str, Any], span: Span
    ) -> ir.Call:
        """A call of an operator with the type that its rule gives. Raises UserError where the rule refuses it."""
        key = _likeness(op, args, keywords)
        known = self._known.get(key) if key is not None else None
        if known is not None:
            return ir.Call(op, tuple(args), known.keywords, known.type, attrs, span)
        made = ops.call(op, args, keywords, attrs=attrs, span=span)
        if key is not None:
            self._known[key] = made
        return made


def _likeness(op: str, args: Sequence[ir.Expr], keywords: Mapping[str, Any]) -> tuple[Hashable, ...] | None:
    """What the type of a call follows from; None where an operand is more than it is worth to look at.

    Types without expressions are one object each, so they are known by identity. A scalar may stand in the type of the
    result, so it is known by its structure.
    """
    key: list[Hashable] = [op]
    for arg in args:
        if type(arg) is ir.Var:
            if arg.type.symbolic:
                return None
            key.append(arg if type(arg.type) is ir.ScalarType else id(arg.type))
        elif type(arg) is ir.MakeTuple:
            key += [element.structure() for element in arg.elements]
            key.append(len(arg.elements))
        elif type(arg) is ir.Const:
            key.append(arg.structure())
        else:
            return None
    for name, value in keywords.items():
        key += (name, value)
    return tuple(key)
