"""Statements without blocks, but for assignments: expressions for their effect, returns, jumps, and what is refused."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Final

from pypto_lite.ir import Break, Continue, Evaluate, Expr
from pypto_lite.trace.expressions.calls import construct_called
from pypto_lite.trace.expressions.values import describe
from pypto_lite.trace.names.builtins import STATIC_ASSERT, STATIC_PRINT, YIELD
from pypto_lite.trace.statements.messages import static_assert, static_print
from pypto_lite.trace.statements.returns import finish, returned_values
from pypto_lite.trace.statements.yields import trace_yield
from pypto_lite.trace.tracer import CALLS, FunctionTracer, simple_statement

if TYPE_CHECKING:
    from pypto_lite.trace.statements.frames import Frame


@simple_statement(ast.Expr)
def _expression(tracer: FunctionTracer, node: ast.Expr) -> None:
    value_node = node.value
    if isinstance(value_node, ast.Constant) and isinstance(value_node.value, str):
        tracer.add_comments(text_as_comments(value_node.value))
        return
    if isinstance(value_node, ast.Constant) and value_node.value is ...:
        return
    if isinstance(value_node, ast.Call):
        construct = construct_called(tracer, value_node)
        if construct is YIELD:
            trace_yield(tracer, value_node, None, None)
            return
        if construct is STATIC_PRINT:
            static_print(tracer, value_node)
            return
        if construct is STATIC_ASSERT:
            static_assert(tracer, value_node)
            return
    value = tracer.whole(value_node)
    if value_node in tracer.references.performed:
        return
    if not isinstance(value, CALLS) or not isinstance(value_node, ast.Call):
        found = describe(value) if isinstance(value, Expr) else None
        tracer.fail(
            "PL103", "the statement has no effect", node, found=found, hint="bind the value to a name, or remove it"
        )
    tracer.emit(Evaluate(value, tracer.span(node)))


def text_as_comments(text: str) -> list[str]:
    """A string that stands as a statement, such as a docstring, as comments."""
    lines = text.expandtabs().strip().split("\n")
    indents = [len(line) - len(line.lstrip()) for line in lines[1:] if line.strip()]
    indent = min(indents, default=0)
    return [f"# {line}".rstrip() for line in (lines[0].rstrip(), *[line[indent:].rstrip() for line in lines[1:]])]


@simple_statement(ast.Pass)
def _pass(tracer: FunctionTracer, node: ast.Pass) -> None:
    """Nothing."""


@simple_statement(ast.Return)
def _return(tracer: FunctionTracer, node: ast.Return) -> None:
    finish(tracer, returned_values(tracer, node), node)


@simple_statement(ast.Break)
def _break(tracer: FunctionTracer, node: ast.Break) -> None:
    _loop_around(tracer, node, "break")
    tracer.emit(Break(tracer.span(node)))


@simple_statement(ast.Continue)
def _continue(tracer: FunctionTracer, node: ast.Continue) -> None:
    loop = _loop_around(tracer, node, "continue")
    if loop.repeat is not None:
        loop.repeat()
    tracer.emit(Continue(tracer.span(node)))


def _loop_around(tracer: FunctionTracer, node: ast.stmt, word: str) -> Frame:
    """The innermost loop, which the statement is about."""
    for frame in reversed(tracer.frames):
        if frame.kind == "loop":
            break
        if frame.kind == "scope" and any(each.kind == "loop" for each in tracer.frames):
            tracer.fail("PL306", f"{word} can't leave a scope", node, hint="put the loop into the scope")
    else:
        tracer.fail("PL306", f"{word} stands outside a loop", node)
    tracer.frames[-1].left = word
    tracer.jumps = True
    return frame


_REFUSED: Final[dict[type[ast.stmt], tuple[str, str | None]]] = {
    ast.Import: ("import", "import at the top of the module"),
    ast.ImportFrom: ("import", "import at the top of the module"),
    ast.Global: ("global", "a kernel can read module constants, and bind names of its own"),
    ast.Nonlocal: ("nonlocal", "a kernel can read outer names, and bind names of its own"),
    ast.Delete: ("del", "leave the name alone, it costs nothing"),
    ast.Raise: ("raise", "pl.static_assert checks while tracing"),
    ast.Assert: ("assert", "pl.static_assert checks while tracing"),
    ast.Try: ("try", "kernels have no exceptions"),
    ast.FunctionDef: ("a nested function", "define it outside, under @pl.inline, and call it"),
    ast.AsyncFunctionDef: ("a nested function", "define it outside, under @pl.inline, and call it"),
    ast.ClassDef: ("a nested class", "define it outside"),
    ast.AsyncFor: ("async for", "kernels are not asynchronous: for i in pl.range(...)"),
    ast.AsyncWith: ("async with", "kernels are not asynchronous: with pl.at(...)"),
    ast.Match: ("match", "use if and elif"),
}


@simple_statement(*_REFUSED)
def _refused(tracer: FunctionTracer, node: ast.stmt) -> None:
    what, hint = _REFUSED[type(node)]
    tracer.fail("PL103", f"{what} is not supported in a kernel", tracer.header_span(node), hint=hint)
