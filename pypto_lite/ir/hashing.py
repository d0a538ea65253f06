"""A number for a piece of IR that is the same for equal programs, in every process and under every hash seed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from pypto_lite.ir.equality import COMPARED, kind_of, parts_of, statements_of
from pypto_lite.ir.expressions import Var
from pypto_lite.ir.node import Node, Type
from pypto_lite.ir.program import Program
from pypto_lite.ir.statements import Block

if TYPE_CHECKING:
    from collections.abc import Mapping

try:  # where hashlib itself has it from: hashlib loads all of OpenSSL with it
    from _blake2 import blake2b
except ImportError:
    from hashlib import blake2b

_DIGEST_BYTES: Final = 8


def structural_hash(node: Node | Type) -> int:
    """64 bits over what ``structural_equal`` compares, and over nothing that it ignores.

    Variables count by their place in the order of first occurrence, each function for itself, so equal programs have
    equal hashes; the reverse holds but for collisions.
    """
    if not isinstance(node, Program):
        return int.from_bytes(_digest(node), "big")
    functions = sorted(node.functions.items())
    parts = [repr(name).encode() + _digest(function) for name, function in functions]
    return int.from_bytes(blake2b(b"|".join(parts), digest_size=_DIGEST_BYTES).digest(), "big")


def _digest(root: Any) -> bytes:
    tokens: list[str] = []
    numbers: dict[Var, int] = {}
    type_names: dict[Type, str] = {}
    stack: list[Any] = [root]
    while stack:
        item = stack.pop()
        if item.__class__ is Var:
            number = numbers.get(item)
            if number is not None:
                tokens.append(f"%{number}")
                continue
            numbers[item] = len(numbers)
            tokens.append("%new")
            stack.append(item.type)
        elif isinstance(item, Type) and not item.symbolic:
            # The repr of a type without expressions is made of names and numbers only.
            text = type_names.get(item)
            if text is None:
                text = type_names[item] = repr(item)
            tokens.append(text)
        else:
            _expand(item, tokens, stack)
    return blake2b("\n".join(tokens).encode(), digest_size=_DIGEST_BYTES).digest()


def _expand(item: Any, tokens: list[str], stack: list[Any]) -> None:
    """Puts a token for the item itself and its parts on the stack, the first one on top."""
    cls = kind_of(item)
    fields = COMPARED.get(cls)
    if cls is Block:
        parts: tuple[Any, ...] = statements_of(item)
        tokens.append(f"Block {len(parts)}")
    elif fields is not None:
        parts = parts_of(item, fields)
        tokens.append(cls.__name__)
    elif cls is tuple:
        parts = tuple(item)
        tokens.append(f"({len(parts)}")
    elif cls is dict:
        parts = _sorted_items(item)
        tokens.append(f"{{{len(parts)}")
    else:
        tokens.append(f"{cls.__name__} {item!r}")
        return
    stack.extend(reversed(parts))


def _sorted_items(mapping: Mapping[Any, Any]) -> tuple[Any, ...]:
    items = sorted(mapping.items(), key=lambda item: repr(item[0]))
    return tuple([part for item in items for part in item])
