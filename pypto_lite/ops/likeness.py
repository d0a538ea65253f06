"""Which calls are alike, so that what follows from their operands is worked out once for all of them.

Kernels call few operators on few types of tiles, so most calls are like one that was seen before.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

from pypto_lite.ir import Const, MakeTuple, ScalarType, Var

if TYPE_CHECKING:
    from collections.abc import Hashable, Mapping, Sequence

    from pypto_lite.ir import Expr


def likeness(op: str, args: Sequence[Expr], keywords: Mapping[str, Any]) -> Hashable | None:
    """What the type of a call follows from: calls for which it is equal have one type.

    None where an operand is more than it is worth to look at. Types without expressions are one object each, so they
    are known by identity, which is cheaper than their hash. A scalar may stand in the type of the result, so it is
    known by its structure; and so is a constant, but for the plain integers that most of them are.
    """
    key: list[Hashable] = [op]
    for arg in args:
        kind = arg.__class__
        if kind is Var:
            type_ = arg.type
            if type_.symbolic:
                return None
            key.append(arg if type_.__class__ is ScalarType else id(type_))
        elif kind is MakeTuple:
            key.append(id(arg.type))
            for each in cast("MakeTuple", arg).elements:
                if isinstance(each, Const) and each.value.__class__ is int:
                    key.append(each.value)
                else:
                    key.append(each.structure())
        elif kind is Const:
            key.append(arg.structure())
        else:
            return None
    for name, value in keywords.items():
        if value.__class__ is list or value.__class__ is dict:
            return None
        key += (name, value)
    return tuple(key)
