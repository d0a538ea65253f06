"""The 22 element types and how two of them combine."""

from __future__ import annotations

from typing import Literal

Category = Literal["none", "sint", "uint", "float"]


class DType:
    """An element type. There is one object for each, so compare with ``is``.

    ``bits`` is the logical width, ``storage_bits`` the width of an element in memory; ``code`` is the number that
    PyPTO gives it, ``label`` the way PyPTO's facts spell it.
    """

    __slots__ = ("bits", "category", "code", "label", "name", "storage_bits")

    def __init__(self, name: str, code: int, bits: int, category: Category, label: str | None = None) -> None:
        self.name = name
        self.code = code
        self.bits = bits
        self.storage_bits = 8 if bits == 1 else bits
        self.category: Category = category
        self.label = label or name.lower()

    @property
    def is_float(self) -> bool:
        return self.category == "float"

    @property
    def is_int(self) -> bool:
        return self.category in ("sint", "uint")

    @property
    def is_index_like(self) -> bool:
        """Whether a scalar of this type may stand for an offset or an extent: INT64, UINT64, INDEX."""
        return self in (INT64, UINT64, INDEX)

    def get_byte(self) -> int:
        """Bytes that one element takes, at least 1."""
        return max(1, self.storage_bits // 8)

    def __repr__(self) -> str:
        return self.name

    def __reduce__(self) -> str:
        return self.name  # pickles and copies as the module's constant, so identity survives


BOOL = DType("BOOL", 0x0, 1, "none")
INT4 = DType("INT4", 0x10, 4, "sint")
INT8 = DType("INT8", 0x11, 8, "sint")
INT16 = DType("INT16", 0x12, 16, "sint")
INT32 = DType("INT32", 0x13, 32, "sint")
INT64 = DType("INT64", 0x14, 64, "sint")
INDEX = DType("INDEX", 0x15, 64, "sint")
UINT4 = DType("UINT4", 0x20, 4, "uint")
UINT8 = DType("UINT8", 0x21, 8, "uint")
UINT16 = DType("UINT16", 0x22, 16, "uint")
UINT32 = DType("UINT32", 0x23, 32, "uint")
UINT64 = DType("UINT64", 0x24, 64, "uint")
FP4 = DType("FP4", 0x30, 4, "float")
FP8E4M3FN = DType("FP8E4M3FN", 0x31, 8, "float")
FP8E5M2 = DType("FP8E5M2", 0x32, 8, "float")
FP16 = DType("FP16", 0x33, 16, "float")
FP32 = DType("FP32", 0x34, 32, "float")
FP8E8M0 = DType("FP8E8M0", 0x36, 8, "float")
BF16 = DType("BF16", 0x40, 16, "float", "bfloat16")
HF4 = DType("HF4", 0x41, 4, "float")
HF8 = DType("HF8", 0x42, 8, "float")
TASK_ID = DType("TASK_ID", 0x50, 64, "none")

DTYPES: dict[str, DType] = {
    dtype.name: dtype
    for dtype in (
        BOOL, INT4, INT8, INT16, INT32, INT64, INDEX, UINT4, UINT8, UINT16, UINT32, UINT64,
        FP4, FP8E4M3FN, FP8E5M2, FP16, FP32, FP8E8M0, BF16, HF4, HF8, TASK_ID,
    )
}  # fmt: skip
"""Every element type by name."""


def promote(first: DType, second: DType) -> DType:
    """The element type of an operator on tiles or tensors of two types; defined for every pair.

    Equal types stay; a float wins over anything else; then the wider one wins; at equal width the first if it
    is a signed integer, else the second if it is one, else the first (so BF16 with FP16 gives the first).
    """
    if first is second:
        return first
    if first.is_float != second.is_float:
        return first if first.is_float else second
    if first.bits != second.bits:
        return first if first.bits > second.bits else second
    if first.category != "sint" and second.category == "sint":
        return second
    return first


def promote_scalars(first: DType, second: DType) -> DType | None:
    """The type of a scalar expression of two types, or None where they do not mix.

    Both must be integers or both floats (BOOL is neither); the wider one wins, at equal width the first.
    """
    if not ((first.is_int and second.is_int) or (first.is_float and second.is_float)):
        return None
    return second if second.bits > first.bits else first
