"""All differences between two pieces of IR, each with the way to it from the root and both sides in one line.

Slower than ``structural_equal`` and in agreement with it: there is a difference exactly where that says no.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from pypto_lite.ir.alignment import Shapes, align
from pypto_lite.ir.equality import COMPARED, Bijection, kind_of, parts_of, same_leaf, statements_of, structural_equal
from pypto_lite.ir.expressions import Var
from pypto_lite.ir.node import Node, Stmt, Type
from pypto_lite.ir.program import Function, Program
from pypto_lite.ir.statements import Block

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

ABSENT: Final = object()
"""Stands for the side on which a statement, an argument or a key does not exist."""


class Path:
    """The way from the root to a place, as a chain, so that going down costs nothing; rendered where it is shown."""

    __slots__ = ("above", "step")

    def __init__(self, above: Path | None = None, step: str = "") -> None:
        self.above = above
        self.step = step

    def __str__(self) -> str:
        steps: list[str] = []
        path: Path | None = self
        while path is not None:
            steps.append(path.step)
            path = path.above
        return "".join(reversed(steps)).lstrip(".")


class Difference:
    """One place at which two pieces of IR differ.

    ``left`` and ``right`` are what stands there, in one line, or None where one side has nothing; the paths of the two
    sides differ only behind inserted or deleted statements. ``left_context`` and ``right_context`` are the
    statements around it, where it is not a whole statement itself.
    """

    __slots__ = ("left", "left_context", "left_path", "reason", "right", "right_context", "right_path")

    def __init__(
        self,
        paths: tuple[str, str],
        sides: tuple[str | None, str | None],
        contexts: tuple[str | None, str | None] = (None, None),
        reason: str | None = None,
    ) -> None:
        self.left_path, self.right_path = paths
        self.left, self.right = sides
        self.left_context, self.right_context = contexts
        self.reason = reason

    @property
    def path(self) -> str:
        """Where it is: on the left side, or on the right where only that one has it."""
        return self.right_path if self.left is None else self.left_path

    def __str__(self) -> str:
        where = self.path or "the root"
        if self.left is None:
            return f"{where}: only on the right\n    + {self.right}"
        if self.right is None:
            return f"{where}: only on the left\n    - {self.left}"
        if self.right_path != self.left_path:
            where += f" (on the right {self.right_path})"
        lines = [f"{where}: {self.left} is not {self.right}" + (f" ({self.reason})" if self.reason else "")]
        if self.left_context is not None and self.right_context is not None:
            lines += [f"    - {self.left_context}", f"    + {self.right_context}"]
        return "\n".join(lines)

    def __repr__(self) -> str:
        return f"Difference({str(self).splitlines()[0]})"


def structural_diff(a: Node | Type, b: Node | Type) -> list[Difference]:
    """Every difference between two nodes (or types) in program order; empty exactly where they are equal.

    Statement lists are aligned, so an inserted or deleted statement is one difference and not one for each statement
    after it. A variable that differs in type is reported where it first occurs.
    """
    return [] if structural_equal(a, b) else _Comparison(a, b).differences


def assert_structural_equal(a: Node | Type, b: Node | Type) -> None:
    """Raises AssertionError that lists all differences where the two are not structurally equal."""
    differences = structural_diff(a, b)
    if not differences:
        return
    count = "1 difference" if len(differences) == 1 else f"{len(differences)} differences"
    listed = "\n".join(f"{number}. {difference}" for number, difference in enumerate(differences, 1))
    raise AssertionError(f"not structurally equal: {count} (- left, + right)\n{listed}")


_Contexts = tuple["Stmt | None", "Stmt | None"]
_Pair = tuple[Any, Any, Path, Path, _Contexts]


class _Comparison:
    """One walk over two pieces of IR side by side."""

    def __init__(self, a: Any, b: Any) -> None:
        self.differences: list[Difference] = []
        self._variables = Bijection()
        self._stack: list[_Pair] = []
        self._shapes = Shapes()
        if isinstance(a, Program) and isinstance(b, Program):
            self._programs(a, b)
        else:
            self._run(a, b, Path(), Path())

    def _programs(self, a: Program, b: Program) -> None:
        for name, function in a.functions.items():
            path = Path(None, f"functions[{name!r}]")
            if name not in b.functions:
                self._report(function, ABSENT, path, path, (None, None))
                continue
            self._run(function, b.functions[name], path, path)
            defined = [var for block_owner in _definers(function) for var in block_owner.definitions()]
            self._variables = self._variables.without(defined)
        for name, function in b.functions.items():
            if name not in a.functions:
                path = Path(None, f"functions[{name!r}]")
                self._report(ABSENT, function, path, path, (None, None))

    def _run(self, a: Any, b: Any, left_path: Path, right_path: Path) -> None:
        self._stack.append((a, b, left_path, right_path, (None, None)))
        while self._stack:
            self._compare(*self._stack.pop())

    def _compare(self, a: Any, b: Any, left: Path, right: Path, contexts: _Contexts) -> None:
        if a is ABSENT or b is ABSENT:
            self._report(a, b, left, right, contexts)
            return
        contexts = _around(a, b, contexts)
        cls = kind_of(a)
        if cls is not kind_of(b):
            self._report(a, b, left, right, contexts)
        elif cls is Var:
            self._variable(a, b, left, right, contexts)
        elif cls is Block:
            self._statements(a, b, left, right)
        elif cls is tuple:
            self._sequence(a, b, left, right, contexts)
        elif cls is dict:
            self._mapping(a, b, left, right, contexts)
        elif cls in COMPARED:
            fields = COMPARED[cls]
            for field, first, second in reversed(
                list(zip(fields, parts_of(a, fields), parts_of(b, fields), strict=True))
            ):
                self._push(first, second, left, right, f".{field}", contexts)
        elif not same_leaf(a, b):
            self._report(a, b, left, right, contexts)

    def _push(self, a: Any, b: Any, left: Path, right: Path, step: str, contexts: _Contexts) -> None:
        self._stack.append((a, b, Path(left, step), Path(right, step), contexts))

    def _variable(self, a: Var, b: Var, left: Path, right: Path, contexts: _Contexts) -> None:
        forward, backward = self._variables.forward, self._variables.backward
        expected, owner = forward.get(a), backward.get(b)
        if expected is None and owner is None:
            forward[a] = b
            backward[b] = a
            self._push(a.type, b.type, left, right, ".type", contexts)
        elif expected is not b:
            reasons: list[str] = []
            if expected is not None:
                reasons.append(f"{a!r} on the left stands for {expected!r} on the right")
            if owner is not None:
                reasons.append(f"{b!r} on the right stands for {owner!r} on the left")
            self._report(a, b, left, right, contexts, ", ".join(reasons))

    def _statements(self, a: Block, b: Block, left: Path, right: Path) -> None:
        before, after = statements_of(a), statements_of(b)
        pairs = align(before, after, self._shapes)
        for first, second in reversed(pairs):
            self._stack.append(
                (
                    ABSENT if first is None else before[first],
                    ABSENT if second is None else after[second],
                    Path(left, f".statements[{first}]"),
                    Path(right, f".statements[{second}]"),
                    (None, None),
                )
            )

    def _sequence(self, a: Sequence[Any], b: Sequence[Any], left: Path, right: Path, contexts: _Contexts) -> None:
        for index in reversed(range(max(len(a), len(b)))):
            first = a[index] if index < len(a) else ABSENT
            second = b[index] if index < len(b) else ABSENT
            self._push(first, second, left, right, f"[{index}]", contexts)

    def _mapping(
        self, a: Mapping[Any, Any], b: Mapping[Any, Any], left: Path, right: Path, contexts: _Contexts
    ) -> None:
        for key in reversed([*a, *(key for key in b if key not in a)]):
            self._push(a.get(key, ABSENT), b.get(key, ABSENT), left, right, f"[{key!r}]", contexts)

    def _report(self, a: Any, b: Any, left: Path, right: Path, contexts: _Contexts, reason: str | None = None) -> None:
        sides = (None if a is ABSENT else repr(a), None if b is ABSENT else repr(b))
        around = tuple([None if each is None or each in (a, b) else repr(each) for each in contexts])
        self.differences.append(Difference((str(left), str(right)), sides, (around[0], around[1]), reason))


def _around(a: Any, b: Any, contexts: _Contexts) -> _Contexts:
    """The innermost statements that hold what is compared."""
    return (a, b) if isinstance(a, Stmt) and isinstance(b, Stmt) else contexts


def _definers(root: Node) -> Iterable[Node]:
    """The nodes of a function that define variables, itself included."""
    stack: list[Node] = [root]
    while stack:
        node = stack.pop()
        if node.defining_fields:
            yield node
        stack.extend(child for child in node.children() if isinstance(child, (Stmt, Function)))
