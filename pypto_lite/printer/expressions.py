"""The text of expressions, with as few brackets as their meaning allows."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, TypeAlias

from pypto_lite.ir import (
    Binary,
    Call,
    Cast,
    Const,
    DType,
    Expr,
    FunctionCall,
    MakeTuple,
    Node,
    ScalarType,
    Select,
    Submit,
    TupleItem,
    Unary,
    Var,
)
from pypto_lite.ir.dtypes import BOOL, FP32, INDEX
from pypto_lite.printer.annotations import Annotations
from pypto_lite.printer.literals import data, number

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from pypto_lite.printer.calls import CallForms

SELECT, OR, AND, NOT, COMPARISON = 0, 1, 2, 3, 4
BIT_OR, BIT_XOR, BIT_AND, SHIFT, SUM, PRODUCT = 5, 6, 7, 8, 9, 10
SIGN, POWER, ATOM = 11, 12, 13
"""How tightly Python binds each kind of expression."""

_BINARY: Final = {
    "or": OR, "and": AND,
    "==": COMPARISON, "!=": COMPARISON, "<": COMPARISON, "<=": COMPARISON, ">": COMPARISON, ">=": COMPARISON,
    "|": BIT_OR, "^": BIT_XOR, "&": BIT_AND, "<<": SHIFT, ">>": SHIFT,
    "+": SUM, "-": SUM, "*": PRODUCT, "/": PRODUCT, "//": PRODUCT, "%": PRODUCT, "**": POWER,
}  # fmt: skip

_BARE: Final = {int: INDEX, float: FP32, bool: BOOL}
"""The element type of a number that stands alone."""

_INDEX: Final = ScalarType(INDEX)

Text: TypeAlias = "tuple[str, int]"
"""The text of an expression, and how tightly it binds."""


_Compose: TypeAlias = "Callable[[Expressions, Any, list[Text]], Text]"
"""Puts the text of an expression together from those of its parts."""

_COMPOSE: Final[dict[type[Expr], _Compose]] = {}


def _composes(cls: type[Expr]) -> Callable[[_Compose], _Compose]:
    """Declares which method does so for a class of expressions."""

    def declare(method: _Compose) -> _Compose:
        _COMPOSE[cls] = method
        return method

    return declare


class Marks:
    """Remembers where expressions and variables come to stand, by a mark in front of each of them in the text."""

    __slots__ = ("nodes",)

    def __init__(self) -> None:
        self.nodes: list[Any] = []

    def put(self, node: Any, text: str) -> str:
        self.nodes.append(node)
        return f"\0{len(self.nodes) - 1}\1{text}"


class Expressions:
    """Writes the expressions of one function, whose variables have the given names."""

    def __init__(self, names: Mapping[Var, str], calls: CallForms, marks: Marks | None = None) -> None:
        self.names = names
        self._calls = calls
        self._marks = marks
        self.types = Annotations(self.text)

    def name(self, var: Var) -> str:
        """The name of a variable, where it is defined or read."""
        name = self.names[var]
        return name if self._marks is None else self._marks.put(var, name)

    def text(self, expression: Expr) -> str:
        """The text of an expression that stands alone: as an argument, a value, an element."""
        if self._marks is None:
            # Most expressions are variables, and lists of numbers and variables.
            if isinstance(expression, Var):
                return self.names[expression]
            if isinstance(expression, MakeTuple):
                short = self._short_list(expression)
                if short is not None:
                    return short
        return self._bound(expression)[0]

    def _short_list(self, node: MakeTuple) -> str | None:
        """A list of variables and constants; None for any other."""
        texts: list[str] = []
        for element in node.elements:
            if isinstance(element, Const):
                texts.append(str(element.value) if element.type is _INDEX else self.constant(element))
            elif isinstance(element, Var):
                texts.append(self.names[element])
            else:
                return None
        return f"[{', '.join(texts)}]"

    def typed(self, expression: Expr) -> str:
        """The same, but a constant says its element type, so that it is no plain number to whoever reads it."""
        return self.constant(expression, True) if isinstance(expression, Const) else self.text(expression)

    def texts(self, expressions: Sequence[Expr]) -> list[str]:
        return [self.text(each) for each in expressions]

    def data(self, value: Any) -> str:
        """Plain data, as attributes hold it."""
        return data(value, self.text, self.types.text)

    def attributes(self, attrs: Mapping[str, Any]) -> list[str]:
        """The ``attrs={...}`` of a call, as a list of no or one argument."""
        return [f"attrs={self.data(attrs)}"] if attrs else []

    def call_parts(self, call: Expr, without: str | None = None) -> tuple[str, list[str]] | None:
        """What a call is made of: its text up to the opening bracket, and its arguments; None where it is no call.

        ``without`` is a keyword that is left out.
        """
        if isinstance(call, Call):
            head, arguments = self.operator_call(call, self.texts(call.args), without)
        elif isinstance(call, FunctionCall):
            head, arguments = f"self.{call.function}(", [*self.texts(call.args), *self.attributes(call.attrs)]
        elif isinstance(call, Submit):
            head, arguments = self._submission(call, self.texts((*call.args, *call.dependencies)))
        else:
            return None
        return self.marked(call, head), arguments

    def _bound(self, root: Expr) -> Text:
        """The text of an expression of any depth, from the leaves up."""
        leaf = self._leaf(root)
        if leaf is not None:
            return leaf
        stack: list[tuple[Any, bool]] = [(root, False)]
        done: list[Text] = []
        while stack:
            node, ready = stack.pop()
            if ready:
                count = len(node.children())
                parts = done[len(done) - count :]
                del done[len(done) - count :]
                done.append(self._composed(node, parts))
                continue
            leaf = self._leaf(node)
            if leaf is not None:
                done.append(leaf)
                continue
            stack.append((node, True))
            stack.extend([(child, False) for child in reversed(node.children())])
        return done[0]

    def _leaf(self, node: Expr) -> Text | None:
        """The text of a variable, a constant, or a list of them; None for anything that takes more."""
        if isinstance(node, Var):
            return self.name(node), ATOM
        if isinstance(node, Const):
            text = self.constant(node)
            bare = text if self._marks is None else text[text.rindex("\1") + 1 :]
            return text, SIGN if bare[0] == "-" else ATOM
        if isinstance(node, MakeTuple) and not node.elements:
            return self.marked(node, "[]"), ATOM
        return None

    def marked(self, node: Node, text: str) -> str:
        """The text of a node, marked where marks are wanted."""
        return text if self._marks is None else self._marks.put(node, text)

    def constant(self, node: Const, typed: bool = False) -> str:
        """A constant: bare where its type is that of a bare number, or with its type."""
        text = number(node.value)
        if typed or _BARE.get(type(node.value)) is not node.type.dtype:
            text = f"pl.const({text}, pl.{node.type.dtype.name})"
        return self.marked(node, text)

    def _composed(self, node: Any, parts: list[Text]) -> Text:
        text, precedence = _COMPOSE[type(node)](self, node, parts)
        # A mark goes in front of the whole, so it comes out in front of the marks of its parts.
        return self.marked(node, text), precedence

    @_composes(Binary)
    def _binary(self, node: Binary, parts: list[Text]) -> Text:
        operator = node.operator
        left, right = parts
        if isinstance(node.lhs, Const) and (isinstance(node.rhs, Const) or operator in ("and", "or", "min", "max")):
            left = (self.constant(node.lhs, True), ATOM)  # two plain numbers would be computed on the spot
        if isinstance(node.rhs, Const) and operator in ("and", "or"):
            right = (self.constant(node.rhs, True), ATOM)
        if operator in ("min", "max"):
            return f"pl.{operator}({left[0]}, {right[0]})", ATOM
        level = _BINARY[operator]
        if level == POWER:
            return f"{_operand(left, ATOM)} ** {_operand(right, SIGN)}", POWER
        # Python reads a < b < c as a chain, everything else of one level from the left.
        least = level + 1 if level == COMPARISON else level
        return f"{_operand(left, least)} {operator} {_operand(right, level + 1)}", level

    @_composes(Unary)
    def _unary(self, node: Unary, parts: list[Text]) -> Text:
        (value,) = parts
        if isinstance(node.value, Const):
            value = (self.constant(node.value, True), ATOM)
        if node.operator == "abs":
            return f"abs({value[0]})", ATOM
        if node.operator == "not":
            return f"not {_operand(value, NOT)}", NOT
        # Python needs no brackets around a power here, but black writes them.
        text = f"({value[0]})" if value[1] == POWER else _operand(value, SIGN)
        return f"{node.operator}{text}", SIGN

    @_composes(Cast)
    def _cast(self, node: Cast, parts: list[Text]) -> Text:
        return f"pl.cast({parts[0][0]}, pl.{node.type.dtype.name})", ATOM

    @_composes(Select)
    def _select(self, node: Select, parts: list[Text]) -> Text:
        condition, then, otherwise = parts
        if isinstance(node.condition, Const):
            condition = (self.constant(node.condition, True), ATOM)
        first = _operand(then, OR)
        test = _operand(condition, OR)
        return f"{first} if {test} else {_operand(otherwise, SELECT)}", SELECT

    @_composes(MakeTuple)
    def _list(self, node: MakeTuple, parts: list[Text]) -> Text:
        return f"[{', '.join([text for text, _ in parts])}]", ATOM

    @_composes(TupleItem)
    def _item(self, node: TupleItem, parts: list[Text]) -> Text:
        return f"{_operand(parts[0], ATOM)}[{node.index}]", ATOM

    @_composes(Call)
    def _call(self, node: Call, parts: list[Text]) -> Text:
        head, arguments = self.operator_call(node, [text for text, _ in parts[: len(node.args)]], None)
        return f"{head}{', '.join(arguments)})", ATOM

    @_composes(FunctionCall)
    def _function_call(self, node: FunctionCall, parts: list[Text]) -> Text:
        arguments = [*[text for text, _ in parts[: len(node.args)]], *self.attributes(node.attrs)]
        return f"self.{node.function}({', '.join(arguments)})", ATOM

    @_composes(Submit)
    def _submit(self, node: Submit, parts: list[Text]) -> Text:
        head, arguments = self._submission(node, [text for text, _ in parts])
        return f"{head}{', '.join(arguments)})", ATOM

    def _submission(self, node: Submit, texts: list[str]) -> tuple[str, list[str]]:
        count, dependencies = len(node.args), len(node.dependencies)
        arguments = [f"self.{node.function}", *texts[:count]]
        if node.dependencies:
            arguments.append(f"deps=[{', '.join(texts[count : count + dependencies])}]")
        arguments += [f"{name}={self.data(value)}" for name, value in node.keywords.items()]
        return "pl.submit(", [*arguments, *self.attributes(node.attrs)]

    def operator_call(self, node: Call, texts: list[str], without: str | None) -> tuple[str, list[str]]:
        """The text of a call up to the opening bracket, and its arguments, where its operands have these texts."""
        head, arguments = self._calls.written(node, texts, self._literal, self.data, without)
        return head, [*arguments, *self.attributes(node.attrs)] if node.attrs else arguments

    def _literal(self, node: Const, dtype: DType) -> str:
        """A constant as an operand for which a plain number is read as ``dtype``."""
        plain = node.type.dtype is dtype and type(node.value) is (
            float if dtype.is_float else bool if dtype is BOOL else int
        )
        return self.marked(node, number(node.value)) if plain else self.constant(node, True)


def _operand(part: Text, least: int) -> str:
    """The text of an operand, in brackets where it binds less tightly than ``least``."""
    text, precedence = part
    return text if precedence >= least else f"({text})"
