"""What an inline function does to what its parameters stand for: the variables of its caller."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import ast
    from collections.abc import Sequence

    from pypto_lite.ir import Var


class WrittenParameters:
    """The parameters of an inline function, and the calls that have bound names of this function."""

    __slots__ = ("bound", "hands_back", "params", "performed", "replaced", "returned", "written")

    def __init__(self) -> None:
        self.params: tuple[Var, ...] = ()
        """None in a function of another type."""
        self.written: dict[Var, ast.Name] = {}
        """The parameters of which a part is written, and where first."""
        self.replaced: set[Var] = set()
        """Those whose variable may be bound to another value somewhere."""
        self.hands_back: Sequence[Var] = ()
        """Those whose last values have to be returned behind the function's own results."""
        self.returned: list[dict[Var, set[int]]] = []
        """For each return where the parameters are among its values."""
        self.performed: set[ast.Call] = set()
        """The calls of such functions whose statements are made."""
        self.bound: set[Var] = set()
        """The variables that such calls have bound to what they hand back."""
