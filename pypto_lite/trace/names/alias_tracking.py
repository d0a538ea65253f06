"""Names that share elements: aliases, views, and what lists hold of them.

Writing a slice of a tile, a tensor or an array gives the written name a new value. In numpy all names for the same
elements would see the write, so reading one of the others after it is an error.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, cast

from pypto_lite import ops
from pypto_lite.diagnostics import Note
from pypto_lite.ir import ArrayType, Call, Expr, MakeTuple, TensorType, TileType, Var, expr_dim
from pypto_lite.trace.expressions.values import elements_of
from pypto_lite.trace.names.symbol_table import Gone, Shared, Static, Variable

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from pypto_lite.ir import Dim
    from pypto_lite.trace.names.symbol_table import Binding, Window
    from pypto_lite.trace.tracer import FunctionTracer


def note_sharing(tracer: FunctionTracer, name: str, var: Var, value: Expr) -> None:
    """Remembers that ``name`` stands for elements of another value, where ``value`` is an alias or a view of one."""
    if not isinstance(value.type, (TileType, TensorType, ArrayType)):
        return
    source, window = _viewed(value)
    if source is None:
        return
    sharing = tracer.names.sharing
    shared = sharing.setdefault(source, Shared(source))
    if source not in shared.whole:
        window = shared.names[source.name][1] if source.name in shared.names else None
    elif source is value:
        shared.whole.add(var)
    _add(tracer, shared, name, var, window)


def _add(tracer: FunctionTracer, shared: Shared, name: str, var: Var, window: Window | None) -> None:
    root = tracer.versions.get(var, var)
    known = shared.names.get(name)
    if known is not None and known[0] is root and known[1] != window:
        window = None  # bound again in a block further inside, which may not run
    shared.names[name] = (root, window)
    tracer.names.sharing[var] = tracer.names.sharing[root] = shared


def _viewed(value: Expr) -> tuple[Var | None, Window | None]:
    """The variable whose elements a value is made of, without a copy, and which of them, if that is known."""
    window: Window | None = None
    while isinstance(value, Call):
        operator = ops.find(value.op)
        if operator is None or operator.view_of is None:
            return None, None
        window = _window_of_slice(value) if value.op in ("tile.slice", "tensor.slice") else None
        value = value.args[operator.view_of]
    return (value if isinstance(value, Var) else None), window


def _window_of_slice(call: Call) -> Window | None:
    extents, offsets = call.args[1], call.args[2]
    if not isinstance(extents, MakeTuple) or not isinstance(offsets, MakeTuple):
        return None
    return window_of(map(expr_dim, offsets.elements), map(expr_dim, extents.elements))


def window_of(offsets: Iterable[Dim], extents: Iterable[Dim]) -> Window | None:
    """The elements from offsets on, None where they are not known while tracing."""
    found: list[tuple[int, int]] = []
    for offset, extent in zip(offsets, extents, strict=True):
        if not isinstance(offset, int) or not isinstance(extent, int):
            return None
        found.append((offset, offset + extent))
    return tuple(found)


def part_written(tracer: FunctionTracer, written: ast.Name, owner: Var, part: Window | None) -> None:
    """Ends the other names of elements that are about to be written.

    Raises PL103 for a view of a parameter of an inline function, and where a loop around reads another name again.
    """
    shared = tracer.names.sharing.get(owner)
    if tracer.references.params:
        shared = _part_of_parameter(tracer, written, owner, shared)
    if shared is None:
        return
    source = shared.source
    if owner not in shared.whole:
        part = shared.names[written.id][1] if written.id in shared.names else None
    hint = f"write into {source.name!r} itself, and take views of it after that"
    for name, (var, elements) in shared.names.items():
        binding = tracer.names.get(name)
        if isinstance(binding, Gone) and binding.last is not None:
            binding = binding.last
        if name == written.id or binding is None or not _holds(binding, var) or _are_disjoint(part, elements):
            continue
        _refuse_read_again(tracer, written, name, binding, hint)
        reason = f"shares its elements with {written.id!r}, of which a part has been written since"
        tracer.names.set(name, Gone(reason, binding.span, hint))


def still_shared(tracer: FunctionTracer, name: str, owner: Var, var: Var) -> None:
    """Takes the variable that a write gives a name for what the one before was."""
    shared = tracer.names.sharing.get(owner)
    if shared is not None:
        _add(tracer, shared, name, var, shared.names.get(name, (var, None))[1])
        if owner in shared.whole:
            shared.whole.add(var)


def _are_disjoint(first: Window | None, second: Window | None) -> bool:
    if first is None or second is None:
        return False
    return any(a[1] <= b[0] or b[1] <= a[0] for a, b in zip(first, second, strict=True))


def _holds(binding: Binding, var: Var) -> bool:
    if isinstance(binding, Variable):
        return binding.root is var
    if not isinstance(binding, Static):
        return False
    pending: list[object] = [binding.value]
    while pending:
        value = pending.pop()
        if value is var:
            return True
        inner = cast("dict[object, object]", value).values() if isinstance(value, dict) else elements_of(value)
        pending.extend(inner or ())
    return False


def _part_of_parameter(tracer: FunctionTracer, written: ast.Name, owner: Var, shared: Shared | None) -> Shared | None:
    """Notes that an inline function writes a part of a parameter, from which on it is known what stands for that.

    Raises PL103 for a view of a parameter: it gets a value of its own, of which nothing could be handed back.
    """
    owner = tracer.versions.get(owner, owner)
    source = owner if shared is None else shared.source
    if source not in tracer.references.params:
        return shared
    shared = shared or tracer.names.sharing.setdefault(source, Shared(source))
    if owner not in shared.whole:
        tracer.fail(
            "PL103", "a write into a view of an inline function's parameter would not reach its caller", written,
            notes=[Note(f"the parameter {source.name!r} is here", source.span)],
            hint=f"write into a part of {source.name!r} itself",
        )  # fmt: skip
    tracer.references.written.setdefault(source, written)
    return shared


def is_view(value: Expr) -> bool:
    """Whether a value stands for elements of a variable."""
    return _viewed(value)[0] is not None


def shares_elements(tracer: FunctionTracer, first: Expr, second: Expr) -> bool:
    """Whether two values stand for elements of the same variable."""
    sources: list[Var | None] = []
    for value in (first, second):
        source, _ = _viewed(value)
        shared = None if source is None else tracer.names.sharing.get(source)
        sources.append(source if shared is None else shared.source)
    return sources[0] is not None and sources[0] is sources[1]


def _refuse_read_again(tracer: FunctionTracer, written: ast.Name, name: str, binding: Binding, hint: str) -> None:
    """PL103 where the next iteration of a loop would read a name from outside it, which does not see the write."""
    inner = [frame.block for frame in tracer.frames if frame.kind == "loop"]
    if not inner or isinstance(binding, Gone) or binding.block >= inner[-1]:
        return
    for loop in _loops_around(tracer.definition, written):
        uses = [node.ctx for node in ast.walk(loop) if isinstance(node, ast.Name) and node.id == name]
        if uses and all(isinstance(use, ast.Load) for use in uses):
            tracer.fail(
                "PL103", f"the loop reads {name!r} again, which shares its elements with {written.id!r}", written,
                notes=[Note(f"{name!r} is bound here", binding.span)], hint=hint,
            )  # fmt: skip


def _loops_around(definition: ast.FunctionDef, inner: ast.expr) -> Iterator[ast.For | ast.While]:
    for node in ast.walk(definition):
        if isinstance(node, (ast.For, ast.While)) and node.lineno < inner.lineno <= (node.end_lineno or 0):
            yield node
