"""What encloses the statement that is being traced: the function, loops, arms of branches, scopes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, TypeAlias

if TYPE_CHECKING:
    import ast
    from collections.abc import Callable, Sequence

    from pypto_lite.ir import Expr, MemorySpace, TileView, Type, Var
    from pypto_lite.trace.names.symbol_table import Changes

FrameKind: TypeAlias = Literal["function", "loop", "arm", "scope"]


class Annotated:
    """What an annotation says: a type, and which of the parts that inference would find out it fixes."""

    __slots__ = ("node", "space", "type", "view")

    def __init__(self, type_: Type, space: MemorySpace | None, view: TileView | None, node: ast.expr) -> None:
        self.type = type_
        self.space = space
        self.view = view
        self.node = node


class Yielded:
    """A ``pl.yield_``: its values, where they stand, and the names that the results get, where it says."""

    __slots__ = ("annotation", "node", "nodes", "targets", "values")

    def __init__(
        self,
        node: ast.Call,
        values: tuple[Expr, ...],
        nodes: Sequence[ast.expr],
        targets: Sequence[ast.Name],
        annotation: Annotated | None,
    ) -> None:
        self.node = node
        self.values = values
        self.nodes = nodes
        self.targets = targets
        self.annotation = annotation


class Frame:
    """One enclosing construct, and what has happened in its block so far."""

    __slots__ = (
        "block", "carries", "is_elif", "kind", "left", "other_arm", "repeat", "returned", "returned_at", "returns",
        "skips", "yielded", "yields_of_other_arm",
    )  # fmt: skip

    def __init__(
        self,
        kind: FrameKind,
        block: int,
        *,
        carries: tuple[Var, ...] = (),
        other_arm: Changes | None = None,
        yields_of_other_arm: Sequence[Type] = (),
        is_elif: bool = False,
        returns: bool = False,
        repeat: Callable[[], None] | None = None,
    ) -> None:
        self.kind: FrameKind = kind
        self.block = block
        """The number of the block whose statements may bind names to new variables."""
        self.carries = carries
        """The carries that a loop names, which its body has to yield."""
        self.other_arm = other_arm
        """For the second arm of a branch: what the first one did to names."""
        self.yields_of_other_arm = yields_of_other_arm
        """For the second arm of a branch: the types of what the first one yields."""
        self.is_elif = is_elif
        """For the second arm of a branch: whether it is a single branch, so that the two do not nest in the text."""
        self.returns = returns
        """Whether a return in this block ends the function: the function's own, and arms at its end."""
        self.repeat = repeat
        """Makes, at the end of an iteration, the statements that a ``while`` needs to decide on the next one."""
        self.left: str | None = None
        """The last statement, where nothing after it is reached."""
        self.skips = False
        """Whether what follows is left out because a condition that is known while tracing decides so."""
        self.yielded: Yielded | None = None
        self.returned: tuple[Expr, ...] = ()
        self.returned_at: ast.stmt | None = None
