"""Bodies of functions: from the statements of a definition to an ``ir.Function``."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from pypto_lite import ir
from pypto_lite.ir import Block, Function, FunctionType, Var
from pypto_lite.trace.definitions.copy_out import check_handed_back
from pypto_lite.trace.source.comments import comments_above
from pypto_lite.trace.statements.returns import end, last_block
from pypto_lite.trace.statements.simple import text_as_comments

if TYPE_CHECKING:
    from pypto_lite.trace.definitions.signatures import Signature
    from pypto_lite.trace.tracer import FunctionTracer


def returns_nothing(definition: ast.FunctionDef) -> bool:
    """Whether no return of a function has a value."""
    pending: list[ast.stmt] = list(definition.body)
    while pending:
        node = pending.pop()
        if isinstance(node, ast.Return):
            if node.value is not None and not (isinstance(node.value, ast.Constant) and node.value.value is None):
                return False
        elif isinstance(node, (ast.If, ast.For, ast.While)):
            pending += [*node.body, *node.orelse]
        elif isinstance(node, ast.With):
            pending += node.body
    return True


def trace_body(tracer: FunctionTracer, signature: Signature) -> Function:
    """Traces the body of a function whose parameters are bound already. The result need not be in SSA form."""
    definition = tracer.definition
    tracer.results = signature.results
    tracer.function_type = signature.type
    if signature.type is FunctionType.Inline:
        tracer.references.params = signature.params
    comments: list[str] = []
    if tracer.comments.exist:
        comments = tracer.comments.before(definition, comments_above(tracer.file, definition))
    body, start = definition.body, definition.lineno + 1
    docstring = ast.get_docstring(definition, clean=False)
    if docstring is not None:
        comments += text_as_comments(docstring)
        start = (body[0].end_lineno or start) + 1
        body = body[1:]
    tracer.run(last_block(tracer, [(body, start)] if body else []))
    frame = tracer.frames[0]
    if frame.left != "return":
        end(tracer, definition)
    check_handed_back(tracer)
    types = tuple([value.type for value in frame.returned])
    results = types if signature.results is None else (*signature.results, *types[len(signature.results) :])
    span = tracer.header_span(definition)
    block = Block(tuple(tracer.statements), span, (), tracer.take_comments())
    if tracer.versions:
        block = _with_one_variable_for_each_name(block, tracer.versions)
    return Function(
        signature.name, signature.type, signature.params, signature.directions, results, block, signature.attrs, span,
        tuple(comments),
    )  # fmt: skip


def _with_one_variable_for_each_name(block: Block, versions: dict[Var, Var]) -> Block:
    """The block with the variables of the IR in the place of those that stand for them."""

    def in_its_place(var: Var) -> Var:
        return versions.get(var, var)

    return ir.rewrite(block, {Var: in_its_place})
