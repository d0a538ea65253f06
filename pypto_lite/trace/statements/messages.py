"""``pl.static_print`` and ``pl.static_assert``: what happens while tracing."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from pypto_lite.ir import Expr
from pypto_lite.trace.expressions import static_values
from pypto_lite.trace.expressions.attributes import is_plain
from pypto_lite.trace.expressions.conditions import truth
from pypto_lite.trace.expressions.values import describe
from pypto_lite.trace.names.constants import known, why_unknown

if TYPE_CHECKING:
    from pypto_lite.trace.tracer import FunctionTracer


def static_print(tracer: FunctionTracer, node: ast.Call) -> None:
    """Prints values that are known while tracing, and the types of the others."""
    separator = " "
    for keyword in node.keywords:
        value = tracer.operand(keyword.value)
        if keyword.arg != "sep" or not isinstance(value, str):
            tracer.fail("PL205", "pl.static_print takes no keyword but sep, a string", keyword)
        separator = value
    tracer.program.print(separator.join([_text(tracer, argument) for argument in node.args]))


def static_assert(tracer: FunctionTracer, node: ast.Call) -> None:
    """Checks a condition that is known while tracing. Raises PL117 where it does not hold."""
    if not 1 <= len(node.args) <= 2 or node.keywords:
        tracer.fail("PL202", "pl.static_assert takes a condition and a message", node, expected="(condition, message)")
    test = node.args[0]
    value = known(tracer, tracer.operand(test))
    if isinstance(value, Expr):
        tracer.fail(
            "PL116", "the condition is not known while tracing", test, found=describe(value),
            expected="a condition on constants, shapes and dtypes", notes=why_unknown(tracer, value),
        )  # fmt: skip
    if not truth(tracer, value, test):
        message = f": {_text(tracer, node.args[1])}" if len(node.args) == 2 else ""
        tracer.fail("PL117", f"the static assertion does not hold{message}", test)


def _text(tracer: FunctionTracer, node: ast.expr) -> str:
    """The text of an argument. Values of the kernel are shown by name and type."""
    if isinstance(node, ast.JoinedStr):
        return "".join([_part(tracer, part) for part in node.values])
    if isinstance(node, ast.Starred):
        tracer.fail("PL104", "a kernel can't unpack with *", node, hint="write the arguments out")
    value = tracer.operand(node)
    return value if isinstance(value, str) else describe(value) if isinstance(value, Expr) else str(value)


def _part(tracer: FunctionTracer, node: ast.expr) -> str:
    """A part of an f-string: text, or a value with a conversion and a format."""
    if not isinstance(node, ast.FormattedValue):
        return _text(tracer, node)
    value = tracer.operand(node.value)
    if isinstance(value, Expr):
        return describe(value)
    if not is_plain(value):
        return str(value)
    if node.conversion != -1:
        value = {"r": repr, "s": str, "a": ascii}[chr(node.conversion)](value)
    form = "" if node.format_spec is None else _text(tracer, node.format_spec)
    try:
        return format(value, form)
    except (TypeError, ValueError) as error:
        static_values.refuse(node, tracer.environment, f"the value can't be formatted: {error}")
