"""Scopes: ``with`` blocks of ``pl.at``, ``pl.spmd`` and their relatives, and loops over ``pl.spmd``.

They are kept as they are written; lowering them is a later step.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from pypto_lite.ir import Expr, ScalarType, Scope, ScopeKind, Var
from pypto_lite.ir.dtypes import INDEX
from pypto_lite.trace.expressions.attributes import data_or_value
from pypto_lite.trace.expressions.operator_calls import arguments_of
from pypto_lite.trace.expressions.scalars import index
from pypto_lite.trace.names.bindings import check_loop_variable, no_longer
from pypto_lite.trace.names.builtins import AT, CLUSTER, MANUAL_SCOPE, SCOPE, SPMD, Construct
from pypto_lite.trace.names.symbol_table import Variable
from pypto_lite.trace.statements.frames import Frame
from pypto_lite.trace.statements.returns import last_block
from pypto_lite.trace.tracer import FunctionTracer, Steps, compound_statement

if TYPE_CHECKING:
    from collections.abc import Mapping

KINDS: Final[Mapping[Construct, ScopeKind]] = {
    AT: ScopeKind.At,
    SPMD: ScopeKind.Spmd,
    CLUSTER: ScopeKind.Cluster,
    SCOPE: ScopeKind.Runtime,
    MANUAL_SCOPE: ScopeKind.Manual,
}
_EXPECTED: Final = "with pl.at(...), pl.spmd(n), pl.cluster(), pl.scope() or pl.manual_scope()"


class Header(NamedTuple):
    """What the call of a scope says."""

    kind: ScopeKind
    args: tuple[Expr, ...]
    keywords: Mapping[str, Any]


@compound_statement(ast.With)
def _with(tracer: FunctionTracer, node: ast.With) -> Steps:
    is_last = tracer.is_last
    returns = (
        tracer.frames[-1].returns and is_last and all(each.kind in ("function", "scope") for each in tracer.frames)
    )
    headers = [tracer.attempt(_header_of_item, item) for item in node.items]
    comments = tracer.take_comments()
    opened: list[Any] = []
    for _ in headers:
        frame = Frame("scope", tracer.frames[-1].block, returns=returns)
        opened.append((tracer.open_block(node, frame, own_names=False), frame))
    if returns:
        yield last_block(tracer, [(node.body, node.lineno + 1)])
    else:
        yield tracer.block(node.body, node.lineno + 1)
    for position in range(len(headers) - 1, -1, -1):
        header, (outer, frame) = headers[position], opened[position]
        body = tracer.close_block(node, outer)
        own_comments = comments if position == 0 else ()
        tracer.emit(
            Scope(header.kind, header.args, header.keywords, None, body, tracer.header_span(node), own_comments)
        )
        if frame.left == "return":
            tracer.frames[-1].left = "return"
            tracer.frames[-1].returned = frame.returned


def _header_of_item(tracer: FunctionTracer, item: ast.withitem) -> Header:
    call = item.context_expr
    construct = tracer.evaluate(call.func) if isinstance(call, ast.Call) else None
    if not isinstance(call, ast.Call) or not isinstance(construct, Construct) or construct not in KINDS:
        tracer.fail("PL103", "with is for scopes in a kernel", call, expected=_EXPECTED)
    if item.optional_vars is not None:
        hint = "for i in pl.spmd(n) gives the number of the block"
        tracer.fail("PL103", "a scope gives no value", item.optional_vars, hint=hint)
    return read_header(tracer, construct, call)


def read_header(tracer: FunctionTracer, construct: Construct, node: ast.Call) -> Header:
    """What the call of a scope says: its operands and its keywords, which are plain data or expressions."""
    arguments = arguments_of(tracer, node)
    if construct is SPMD and len(arguments.positional) + ("core_num" in arguments.named) != 1:
        tracer.fail("PL202", "pl.spmd takes one number", node, expected="pl.spmd(n)")
    if construct is not SPMD and arguments.positional:
        tracer.fail("PL202", f"{construct!r} takes keywords only", arguments.positional[0].node)
    args = [tracer.fit(index(tracer, each.value, each.node, "the number of blocks")) for each in arguments.positional]
    keywords = {name: data_or_value(tracer, name, *each) for name, each in arguments.named.items()}
    return Header(KINDS[construct], tuple(args), keywords)


def trace_spmd_loop(tracer: FunctionTracer, node: ast.For, call: ast.Call) -> Steps:
    """``for i in pl.spmd(n)``: a scope whose index is bound to a name."""
    if not isinstance(node.target, ast.Name):
        tracer.fail("PL108", "a loop over pl.spmd has one variable", node.target, expected="for i in pl.spmd(n):")
    header = tracer.attempt(lambda tracer, node: read_header(tracer, SPMD, node), call)
    comments = tracer.take_comments()
    span = tracer.span(node.target)
    var = Var(node.target.id, ScalarType(INDEX), span)
    check_loop_variable(tracer, node.target)
    outer = tracer.open_block(node, Frame("scope", tracer.frames[-1].block), own_names=False)
    tracer.names.set(node.target.id, Variable(var, var, tracer.frames[-1].block, span))
    yield tracer.block(node.body, node.lineno + 1)
    body = tracer.close_block(node, outer)
    tracer.names.set(node.target.id, no_longer(span))
    tracer.emit(Scope(header.kind, header.args, header.keywords, var, body, tracer.header_span(node), comments))
