"""Puts together what is inferred of a value and what an annotation says about it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pypto_lite import ops
from pypto_lite.analysis.join_types import disagreement
from pypto_lite.diagnostics import Note
from pypto_lite.ir import UNKNOWN, Call, Expr, FunctionCall, MemorySpace, ScalarType, Submit, TensorType, TileType, Type
from pypto_lite.trace.expressions.scalars import cast_to
from pypto_lite.trace.names.constants import known_type, why_unknown

if TYPE_CHECKING:
    import ast

    from pypto_lite.trace.statements.frames import Annotated
    from pypto_lite.trace.tracer import FunctionTracer


def merged(tracer: FunctionTracer, value: Expr, annotated: Annotated, node: ast.expr) -> tuple[Expr, Type]:
    """A value with what an annotation says about it, and the type of a name that is bound to it.

    INDEX and INT64 agree; a scalar of the one that is annotated as the other is cast. Raises PL111 where the annotation
    contradicts what is known.
    """
    if value.type is UNKNOWN and isinstance(value, Call):
        return value.replace(type=annotated.type), annotated.type
    if annotated.space is not None and isinstance(value, Call):
        _check_target(tracer, value, annotated.space, annotated.node)
    claimed = merged_type(tracer, value.type, annotated, node)
    if isinstance(annotated.type, ScalarType) and claimed != annotated.type:
        value = cast_to(tracer, value, annotated.type.dtype, node)
        return value, value.type
    if claimed is value.type or not isinstance(value, (Call, FunctionCall, Submit)):
        return value, claimed
    return value.replace(type=claimed), claimed


def merged_type(tracer: FunctionTracer, found: Type, annotated: Annotated, node: ast.expr) -> Type:
    """The type of a value with what an annotation fixes: memory space, view, declared allocation. Scalars keep theirs.

    ``node`` says where the value stands. Raises PL111 for another kind, shape or dtype.
    """
    wanted = annotated.type
    if found is wanted:
        return found
    _check(tracer, found, annotated, node)
    if isinstance(found, TileType) and isinstance(wanted, TileType):
        return TileType(
            found.shape,
            found.dtype,
            annotated.space if annotated.space is not None else found.space,
            annotated.view if annotated.view is not None else found.view,
            wanted.memref if wanted.memref is not None else found.memref,
        )
    if isinstance(found, TensorType) and isinstance(wanted, TensorType):
        return found if wanted.view is None else TensorType(found.shape, found.dtype, wanted.view, found.distributed)
    return found if isinstance(found, ScalarType) else wanted


def _check(tracer: FunctionTracer, found: Type, annotated: Annotated, node: ast.expr) -> None:
    wanted = annotated.type
    if isinstance(found, TileType) and isinstance(wanted, TileType) and found.shape == wanted.shape:
        wanted = wanted.replace(view=found.view)  # a valid region that is written counts
    differs = disagreement(wanted, found)
    if differs is not None and wanted.symbolic:
        differs = disagreement(known_type(tracer, wanted), found)
    if differs is not None:
        notes = [Note("the value is here", tracer.span(node)), *why_unknown(tracer, *wanted.expressions())]
        tracer.fail(
            "PL111", f"the value has another {differs} than the annotation says", annotated.node, found=repr(found),
            expected=repr(annotated.type), notes=notes,
        )  # fmt: skip


def _check_target(tracer: FunctionTracer, value: Call, space: MemorySpace, node: ast.expr) -> None:
    """PL111 where a load or a create goes to another space than the annotation names."""
    operator = ops.find(value.op)
    written = value.keywords.get("target_memory")
    if operator is not None and operator.retargetable and written is not None and written is not space:
        tracer.fail(
            "PL111", "target_memory and the annotation name different memory spaces", node,
            found=f"target_memory={written!r}", expected=repr(space),
        )  # fmt: skip
