"""Evaluates expressions whose value is known without running the text: literals, arithmetic on them, ``math``, and
what the ``pl`` namespace offers. Nothing of the user's is called.
"""

from __future__ import annotations

import ast
import enum
import operator
from types import BuiltinFunctionType, ModuleType
from typing import TYPE_CHECKING, Any, Final, NoReturn, Protocol, TypeAlias, cast

from pypto_lite.diagnostics import Diagnostic, Span, UserError
from pypto_lite.ir import DType
from pypto_lite.trace.names.builtins import (
    AnnotationForm,
    Construct,
    Decorator,
    DynVar,
    Namespace,
    OperatorName,
    dynamic,
    similar_names,
)
from pypto_lite.trace.names.unsupported import not_supported

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Mapping, Sequence

MOST_BITS: Final = 4096
"""How large an integer may grow: evaluating a text must not take forever."""
MOST_ELEMENTS: Final = 100_000
"""How long a string or a list may grow by multiplication."""


class Scope(Protocol):
    """Where names get their values from.

    ``live`` tells whether Python itself has run the text around the expression: then values may be any objects, whose
    attributes are read and which are called as Python would. Otherwise nothing of the user's is run.
    """

    live: bool

    def value(self, node: ast.Name) -> object:
        """The value of a name; raises a coded error at ``node`` where there is none."""
        ...

    def span(self, node: ast.AST) -> Span:
        """The place of a node."""
        ...


Steps: TypeAlias = "Generator[ast.expr, object, object]"
"""Evaluates one expression: yields the expressions that it needs and gets their values."""


def evaluate(node: ast.expr, scope: Scope) -> object:
    """The value of an expression. Raises PL116, at the part that is at fault, where it is not static.

    Works with an explicit stack, so a long sum does not meet the recursion limit.
    """
    stack: list[Steps] = [_steps(node, scope)]
    value: object = None
    while stack:
        try:
            wanted = stack[-1].send(value)
        except StopIteration as finished:
            stack.pop()
            value = finished.value
        else:
            stack.append(_steps(wanted, scope))
            value = None
    return value


def _steps(node: ast.expr, scope: Scope) -> Steps:
    evaluator = _EVALUATORS.get(type(node))
    if evaluator is None:
        refuse(node, scope, f"{_description(node)} can't be evaluated without running the text")
    return evaluator(node, scope)


def refuse(node: ast.AST, scope: Scope, message: str, hint: str | None = None) -> NoReturn:
    """Raises PL116 at a node."""
    raise UserError(
        Diagnostic(
            "PL116",
            message,
            scope.span(node),
            expected="literals, arithmetic on them, functions of math, names of the pl namespace",
            hint=hint,
        )
    )


def _description(node: ast.AST) -> str:
    words = {"ListComp": "a comprehension", "DictComp": "a comprehension", "SetComp": "a comprehension"}
    words |= {"GeneratorExp": "a generator", "Lambda": "a lambda", "JoinedStr": "an f-string", "Await": "await"}
    return words.get(type(node).__name__, f"{type(node).__name__}")


def _constant(node: ast.Constant, scope: Scope) -> Steps:
    yield from ()
    return node.value


def _name(node: ast.Name, scope: Scope) -> Steps:
    yield from ()
    return scope.value(node)


def _attribute(node: ast.Attribute, scope: Scope) -> Steps:
    owner = yield node.value
    return attribute(owner, node, scope)


def attribute(owner: object, node: ast.Attribute, scope: Scope) -> object:
    """The attribute of a value. Where the text is not run, only modules, what belongs to ``pl``, dtypes and
    enumerations have some."""
    name = node.attr
    if not scope.live and (name.startswith("_") or not _has_static_attributes(owner)):
        refuse(node, scope, f"the attribute {name!r} of {owner!r} can't be evaluated without running the text")
    found = owner.find(name) if isinstance(owner, Namespace) else getattr(owner, name, _MISSING)
    if found is _MISSING or (found is None and isinstance(owner, Namespace)):
        unsupported = _unsupported(owner, name, scope.span(node))
        if unsupported is not None:
            raise UserError(unsupported)
        label = owner.__name__ if isinstance(owner, (ModuleType, type)) else repr(owner)
        members = {each: getattr(owner, each, None) for each in dir(owner) if not each.startswith("_")}
        raise UserError(
            Diagnostic("PL107", f"{label} has no name {name!r}", scope.span(node), hint=similar_names(name, members))
        )
    return found


_MISSING: Final = object()


def _unsupported(owner: object, name: str, span: Span) -> Diagnostic | None:
    """What is to be said of a name that PyPTO's language has and ours has not, or None."""
    if isinstance(owner, Namespace):
        return not_supported(f"{owner.name}.{name}", span)
    is_language = isinstance(owner, ModuleType) and isinstance(getattr(owner, "tile", None), Namespace)
    return not_supported(name, span) if is_language else None


def _has_static_attributes(owner: object) -> bool:
    if isinstance(owner, type):
        return owner.__module__.partition(".")[0] == "pypto_lite"
    return isinstance(owner, (Namespace, ModuleType, DType, enum.Enum))


def _subscript(node: ast.Subscript, scope: Scope) -> Steps:
    owner = yield node.value
    return item(owner, (yield node.slice), node, scope)


def item(owner: Any, index: object, node: ast.Subscript, scope: Scope) -> object:
    """``owner[index]``."""
    if not scope.live and not isinstance(owner, (AnnotationForm, list, tuple, dict, str)) and owner is not tuple:
        refuse(node, scope, f"{owner!r} can't be subscripted here")
    return _computed(node, scope, operator.getitem, owner, index)


def _slice(node: ast.Slice, scope: Scope) -> Steps:
    bounds: list[object] = []
    for bound in (node.lower, node.upper, node.step):
        bounds.append(None if bound is None else (yield bound))
    return slice(*bounds)


def _sequence(node: ast.List | ast.Tuple | ast.Set, scope: Scope) -> Steps:
    values: list[Any] = []
    for element in node.elts:
        if not isinstance(element, ast.Starred):
            values.append((yield element))
            continue
        inner = yield element.value
        if not isinstance(inner, (list, tuple, set)):
            refuse(element, scope, f"{inner!r} can't be unpacked here")
        values.extend(cast("list[Any]", inner))
    return values if isinstance(node, ast.List) else tuple(values) if isinstance(node, ast.Tuple) else set(values)


def _dict(node: ast.Dict, scope: Scope) -> Steps:
    made: dict[Any, Any] = {}
    for key, value in zip(node.keys, node.values, strict=True):
        if key is None:
            refuse(value, scope, "a dictionary can't be unpacked here")
        evaluated = yield key
        made[evaluated] = yield value
    return made


def _binary(node: ast.BinOp, scope: Scope) -> Steps:
    lhs = yield node.left
    return binary(node.op, lhs, (yield node.right), node, scope)


def binary(operation: ast.operator, lhs: object, rhs: object, node: ast.expr | ast.stmt, scope: Scope) -> object:
    """``lhs operation rhs``."""
    _refuse_huge(operation, node, scope, lhs, rhs)
    return _computed(node, scope, _BINARY[type(operation).__name__], lhs, rhs)


def _refuse_huge(operation: ast.operator, node: ast.AST, scope: Scope, lhs: Any, rhs: Any) -> None:
    if isinstance(operation, ast.Pow) and isinstance(lhs, int) and isinstance(rhs, int):
        huge = lhs.bit_length() * max(rhs, 0) > MOST_BITS
    elif isinstance(operation, ast.LShift) and isinstance(rhs, int):
        huge = rhs > MOST_BITS
    elif isinstance(operation, ast.Mult):
        times, sequence = (lhs, rhs) if isinstance(lhs, int) else (rhs, lhs)
        huge = isinstance(times, int) and hasattr(sequence, "__len__") and len(sequence) * times > MOST_ELEMENTS
    else:
        huge = False
    if huge:
        refuse(node, scope, "the value is too large")


def _unary(node: ast.UnaryOp, scope: Scope) -> Steps:
    return unary(node.op, (yield node.operand), node, scope)


def unary(operation: ast.unaryop, value: object, node: ast.expr, scope: Scope) -> object:
    """``operation value``."""
    return _computed(node, scope, _UNARY[type(operation).__name__], value)


def _boolean(node: ast.BoolOp, scope: Scope) -> Steps:
    value: object = None
    for operand in node.values:
        value = yield operand
        if bool(value) is isinstance(node.op, ast.Or):
            break
    return value


def _compare(node: ast.Compare, scope: Scope) -> Steps:
    lhs = yield node.left
    result: object = True
    for comparison, right in zip(node.ops, node.comparators, strict=True):
        rhs = yield right
        result = compare(comparison, lhs, rhs, node, scope)
        if not result:
            break
        lhs = rhs
    return result


def compare(comparison: ast.cmpop, lhs: object, rhs: object, node: ast.expr, scope: Scope) -> object:
    """``lhs comparison rhs``."""
    return _computed(node, scope, _COMPARISONS[type(comparison).__name__], lhs, rhs)


def _conditional(node: ast.IfExp, scope: Scope) -> Steps:
    condition = yield node.test
    return (yield node.body if condition else node.orelse)


def _call(node: ast.Call, scope: Scope) -> Steps:
    function = yield node.func
    args: list[object] = []
    for argument in node.args:
        if isinstance(argument, ast.Starred):
            refuse(argument, scope, "arguments can't be unpacked here")
        args.append((yield argument))
    keywords: dict[str, object] = {}
    for keyword in node.keywords:
        if keyword.arg is None:
            refuse(keyword.value, scope, "arguments can't be unpacked here")
        keywords[keyword.arg] = yield keyword.value
    return called(function, args, keywords, node, scope)


def called(
    function: Any, args: Sequence[object], keywords: Mapping[str, object], node: ast.Call, scope: Scope
) -> object:
    """``function(*args, **keywords)``."""
    options = isinstance(function, Decorator) and not args  # ``pl.function(type=...)`` under a name of its own
    if not (callable(function) if scope.live else options or _may_be_called(function)):
        refuse(node, scope, f"a call of {_callee(function)} can't be evaluated without running the text")
    if (
        not scope.live
        and getattr(function, "__name__", "") in _GROWING
        and any(isinstance(n, int) and n > MOST_BITS for n in args)
    ):
        refuse(node, scope, "the value is too large")
    return _computed(node, scope, function, *args, **keywords)


def _may_be_called(function: object) -> bool:
    if isinstance(function, BuiltinFunctionType):
        return function.__module__ == "math" or function in _BUILTINS or isinstance(function.__self__, DType)
    if isinstance(getattr(function, "__self__", None), DType) or isinstance(function, AnnotationForm):
        return True
    return function is dynamic or function is DynVar or function in _BUILTINS


def _callee(function: object) -> str:
    if isinstance(function, (Construct, OperatorName, Decorator)):
        return repr(function)
    return getattr(function, "__name__", repr(function))


def _computed(node: ast.AST, scope: Scope, function: Any, *args: Any, **keywords: Any) -> object:
    """Applies one of our own or Python's own functions, and turns its complaint into ours."""
    try:
        return function(*args, **keywords)
    except UserError as error:
        ours = function is dynamic or isinstance(function, (AnnotationForm, Construct, Decorator, OperatorName))
        raise UserError(*[each.at(scope.span(node)) if ours else each for each in error.diagnostics]) from None
    except (ArithmeticError, AttributeError, LookupError, TypeError, ValueError) as error:
        refuse(node, scope, f"the value can't be computed: {error}")


_BUILTINS: Final[Mapping[Any, str]] = {
    function: function.__name__
    for function in (abs, bool, float, int, len, list, max, min, pow, range, round, str, sum, tuple)
}
_GROWING: Final = frozenset(("comb", "factorial", "perm", "pow", "range"))
"""Functions whose results are far larger than their arguments."""

_BINARY: Final[Mapping[str, Callable[..., Any]]] = {
    python: getattr(operator, name)
    for python, name in {
        "Add": "add",
        "Sub": "sub",
        "Mult": "mul",
        "Div": "truediv",
        "FloorDiv": "floordiv",
        "Mod": "mod",
        "Pow": "pow",
        "LShift": "lshift",
        "RShift": "rshift",
        "BitAnd": "and_",
        "BitOr": "or_",
        "BitXor": "xor",
        "MatMult": "matmul",
    }.items()
}
_UNARY: Final[Mapping[str, Callable[..., Any]]] = {
    python: getattr(operator, name)
    for python, name in {"USub": "neg", "UAdd": "pos", "Invert": "invert", "Not": "not_"}.items()
}


def _is_in(lhs: Any, rhs: Any) -> bool:
    return lhs in rhs


def _is_not_in(lhs: Any, rhs: Any) -> bool:
    return lhs not in rhs


_COMPARISONS: Final[Mapping[str, Callable[..., Any]]] = {
    "Eq": operator.eq,
    "NotEq": operator.ne,
    "Lt": operator.lt,
    "LtE": operator.le,
    "Gt": operator.gt,
    "GtE": operator.ge,
    "Is": operator.is_,
    "IsNot": operator.is_not,
    "In": _is_in,
    "NotIn": _is_not_in,
}
_EVALUATORS: Final[Mapping[type[ast.expr], Callable[..., Steps]]] = {
    ast.Constant: _constant,
    ast.Name: _name,
    ast.Attribute: _attribute,
    ast.Subscript: _subscript,
    ast.Slice: _slice,
    ast.List: _sequence,
    ast.Tuple: _sequence,
    ast.Set: _sequence,
    ast.Dict: _dict,
    ast.BinOp: _binary,
    ast.UnaryOp: _unary,
    ast.BoolOp: _boolean,
    ast.Compare: _compare,
    ast.IfExp: _conditional,
    ast.Call: _call,
}
