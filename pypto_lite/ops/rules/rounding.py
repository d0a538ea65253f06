"""How ``cast`` rounds: in every mode, to whole numbers and to the numbers of a narrower float type.

Rounding to a float type is rounding to whole numbers after a division by the worth of the last digit, which is a power
of two, so that nothing is lost on the way.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, TypeAlias

from pypto_lite.ir import CastMode, DType
from pypto_lite.ir.dtypes import BF16, FP4, FP8E4M3FN, FP8E5M2, FP8E8M0, FP16, FP32
from pypto_lite.ops.framework.meaning import Elements, Numpy

Round: TypeAlias = Callable[[Numpy, Elements], Elements]


class FloatForm:
    """The numbers of a float type: how many binary ``digits`` they have, their exponents, the greatest one.

    ``least`` is the exponent of the smallest number with all digits: 2 ** least. Smaller ones lose digits.
    """

    __slots__ = ("digits", "greatest", "infinite", "least")

    def __init__(self, digits: int, least: int, greatest: float, infinite: bool = True) -> None:
        self.digits = digits
        self.least = least
        self.greatest = greatest
        self.infinite = infinite
        """Whether there are infinities; otherwise what overflows becomes the greatest number."""

    def holds(self, other: FloatForm) -> bool:
        """Whether every number of the other type is one of this type."""
        finer = self.least - self.digits <= other.least - other.digits
        return finer and self.digits >= other.digits and self.greatest >= other.greatest


FORMS: Final = {
    FP32: FloatForm(24, -126, (2 - 2.0**-23) * 2.0**127),
    BF16: FloatForm(8, -126, (2 - 2.0**-7) * 2.0**127),
    FP16: FloatForm(11, -14, 65504.0),
    FP8E5M2: FloatForm(3, -14, 57344.0),
    FP8E4M3FN: FloatForm(4, -6, 448.0, infinite=False),
    FP4: FloatForm(2, 0, 6.0, infinite=False),
    # Powers of two; nothing is smaller than the smallest, so what comes near it is brought there when it is stored.
    FP8E8M0: FloatForm(1, -149, 2.0**127, infinite=False),
}
"""The float types that numpy can store."""


def _to_nearest_or_away(np: Numpy, values: Elements) -> Elements:
    # The number before a half: with a half itself, the sum for the number before it would be rounded up to 1.
    almost_half = np.nextafter(values.dtype.type(0.5), values.dtype.type(0))
    return np.trunc(values + np.copysign(almost_half, values))


def _to_odd(np: Numpy, values: Elements) -> Elements:
    return np.where(values == np.trunc(values), values, 2 * np.floor(values / 2) + 1)


TO_WHOLE: Final[dict[CastMode, Round]] = {
    CastMode.none: lambda np, values: np.rint(values),
    CastMode.rint: lambda np, values: np.rint(values),
    CastMode.round: _to_nearest_or_away,
    CastMode.floor: lambda np, values: np.floor(values),
    CastMode.ceil: lambda np, values: np.ceil(values),
    CastMode.trunc: lambda np, values: np.trunc(values),
    CastMode.odd: _to_odd,
}
"""How each mode rounds to whole numbers."""


def to_float(np: Numpy, values: Elements, mode: CastMode, form: FloatForm) -> Elements:
    """Floats rounded to the numbers of another float type, of which they may have more digits or a greater range."""
    _, exponents = np.frexp(values)
    last_digit = np.ldexp(values.dtype.type(1), np.maximum(exponents, form.least + 1) - form.digits)
    near = TO_WHOLE[mode](np, values / last_digit) * last_digit
    over = np.abs(near) > form.greatest
    return np.where(over, _beyond(np, values, mode, form), near) if over.any() else near


def _beyond(np: Numpy, values: Elements, mode: CastMode, form: FloatForm) -> Elements:
    """What stands for numbers out of range: infinity, or the greatest number where that is the way of rounding."""
    inwards = {CastMode.floor: values > 0, CastMode.ceil: values < 0, CastMode.trunc: True, CastMode.odd: True}
    stays = np.isfinite(values) & inwards.get(mode, False) if form.infinite else True
    return np.copysign(np.where(stays, form.greatest, np.inf), values)


def as_float(np: Numpy, values: Elements) -> Elements:
    """Integers as floats of 64 bits, which have digits enough to be rounded once more to any float type.

    Of integers with more digits than that, those in excess are represented by the last one that is left.
    """
    if values.dtype.itemsize < 8:
        return values.astype(np.float64)
    excess = values.dtype.type(0x7FF)
    marked = ((values | excess) ^ excess) | np.where(values & excess, excess + 1, 0).astype(values.dtype)
    few = (values < 1 << 53) & (values > -1 << 53) if values.dtype.kind == "i" else values < 1 << 53
    return np.where(few, values, marked).astype(np.float64)


def _within(integers: Elements, limit: int) -> bool:
    return bool(((integers <= limit) & (integers >= -limit)).all())


def cast_to(np: Numpy, values: Elements, source: DType, target: DType, mode: CastMode) -> Elements:
    """The values that a cast makes; storing them in the target type rounds no more, but wraps or saturates."""
    form = FORMS.get(target)
    if form is None:
        return TO_WHOLE[mode](np, values) if target.is_int and source.is_float else values
    if not source.is_float:
        exact = _within(values, 1 << form.digits)
        return values if exact else to_float(np, as_float(np, values), mode, form)
    nearest = mode in (CastMode.none, CastMode.rint) and form.infinite
    return values if nearest or form.holds(FORMS[source]) else to_float(np, values, mode, form)
