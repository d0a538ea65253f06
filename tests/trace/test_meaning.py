"""A kernel means what Python means by the same text: random natural Python on scalars and arrays, run both ways.

The text is executed by Python with plain functions in the place of ``pl``, and traced; the traced program is in SSA
form and is run by a few lines that know nothing of names. Reads outside an array raise, so a part that Python does not
evaluate must not be evaluated by the kernel either.
"""

from __future__ import annotations

import re
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import HealthCheck, assume, event, given, settings
from hypothesis import strategies as st

import pypto_lite.language as pl
from pypto_lite import ir, passes
from pypto_lite.diagnostics import UserError
from pypto_lite.passes import SSAForm, StructuredCtrlFlow, TypeChecked, UseAfterDef

NAMES = ("a", "b", "c", "d")
EXTENT = 4
HEAD = """import pypto_lite.language as pl

@pl.program
class P:
    @pl.function
    def f(self, a: pl.Scalar[pl.INDEX], b: pl.Scalar[pl.INDEX], c: pl.Scalar[pl.INDEX], d: pl.Scalar[pl.INDEX],
          table: pl.Array[4, pl.INDEX]):
"""


# Running the IR


class Runner:
    """Runs a function on scalars and arrays; arrays are tuples, since updates make new ones."""

    def __init__(self) -> None:
        self.values: dict[ir.Var, Any] = {}
        self.steps = 0

    def function(self, function: ir.Function, args: list[Any]) -> tuple[Any, ...]:
        self.values.update(zip(function.params, args, strict=True))
        result = self.block(function.body)
        assert result is not None
        return result

    def block(self, block: ir.Block) -> tuple[Any, ...] | None:
        """What the block yields or returns."""
        result = None
        for statement in block.statements:
            result = self.statement(statement)
        return result

    def statement(self, statement: ir.Stmt) -> tuple[Any, ...] | None:
        match statement:
            case ir.Assign():
                self.values[statement.var] = self.value(statement.value)
            case ir.Evaluate():
                self.value(statement.value)
            case ir.Yield() | ir.Return():
                return tuple([self.value(each) for each in statement.values])
            case ir.If():
                taken = statement.then_body if self.value(statement.condition) else statement.else_body
                found = self.block(taken) if taken is not None else None
                self.bind(statement.results, found or ())
            case ir.For():
                carried = tuple([self.value(each) for each in statement.inits])
                bounds = [self.value(each) for each in (statement.start, statement.stop, statement.step)]
                for position in range(*bounds):
                    self.count()
                    self.values[statement.var] = position
                    self.bind(statement.carries, carried)
                    carried = self.block(statement.body) or ()
                self.bind(statement.results, carried)
            case ir.While():
                carried = tuple([self.value(each) for each in statement.inits])
                self.bind(statement.carries, carried)
                while self.value(statement.condition):
                    self.count()
                    carried = self.block(statement.body) or ()
                    self.bind(statement.carries, carried)
                self.bind(statement.results, carried)
            case _:
                raise AssertionError(statement)
        return None

    def bind(self, variables: tuple[ir.Var, ...], values: tuple[Any, ...]) -> None:
        self.values.update(zip(variables, values, strict=True))

    def count(self) -> None:
        self.steps += 1
        assert self.steps < 100_000

    def value(self, expression: ir.Expr) -> Any:
        match expression:
            case ir.Var():
                return self.values[expression]
            case ir.Const():
                return expression.value
            case ir.Binary(operator="and"):
                return bool(self.value(expression.lhs) and self.value(expression.rhs))
            case ir.Binary(operator="or"):
                return bool(self.value(expression.lhs) or self.value(expression.rhs))
            case ir.Binary(operator=("min" | "max") as name):
                return {"min": min, "max": max}[name](self.value(expression.lhs), self.value(expression.rhs))
            case ir.Binary():
                text = f"(lhs {expression.operator} rhs)"
                return eval(text, {"lhs": self.value(expression.lhs), "rhs": self.value(expression.rhs)})
            case ir.Unary(operator="abs"):
                return abs(self.value(expression.value))
            case ir.Unary():
                return eval(f"({expression.operator} value)", {"value": self.value(expression.value)})
            case ir.Select():
                chosen = expression.then if self.value(expression.condition) else expression.otherwise
                return self.value(chosen)
            case ir.TupleItem():
                return self.value(expression.tuple)[expression.index]
            case ir.Call(op="array.get_element"):
                array, index = map(self.value, expression.args)
                if not 0 <= index < EXTENT:
                    raise IndexError
                return array[index]
            case ir.Call(op="array.update_element"):
                array, index, value = map(self.value, expression.args)
                if not 0 <= index < EXTENT:
                    raise IndexError
                return (*array[:index], value, *array[index + 1 :])
            case _:
                raise AssertionError(expression)


# Random Python


@st.composite
def expressions(draw: st.DrawFn, depth: int = 2) -> str:
    """An integer expression; reads of the table may be outside it."""
    kinds = ["name", "number"]
    if depth > 0:
        kinds += ["binary", "conditional", "read", "guarded read", "unary", "min"]
    kind = draw(st.sampled_from(kinds))
    smaller = expressions(depth - 1)
    match kind:
        case "name":
            return draw(st.sampled_from(NAMES))
        case "number":
            return str(draw(st.integers(0, 5)))
        case "binary":
            operator = draw(st.sampled_from(["+", "-", "*", "//", "%", "&", "|", "^", "<<"]))
            rhs = str(draw(st.integers(1, 3))) if operator in ("//", "%", "<<") else draw(smaller)
            return f"({draw(smaller)} {operator} {rhs})"
        case "conditional":
            return f"({draw(smaller)} if {draw(conditions(depth - 1))} else {draw(smaller)})"
        case "read":
            return f"table[({draw(smaller)}) % 4]"
        case "guarded read":
            index = draw(st.sampled_from(NAMES))
            return f"(table[{index}] if 0 <= {index} < 4 else {draw(smaller)})"
        case "unary":
            return f"(-{draw(smaller)})"
        case _:
            return f"min({draw(smaller)}, {draw(smaller)})"


@st.composite
def conditions(draw: st.DrawFn, depth: int = 2) -> str:
    kind = draw(st.sampled_from(["compare", "chain", "and", "or", "not", "guard"] if depth > 0 else ["compare"]))
    values = expressions(max(depth - 1, 0))
    operators = st.sampled_from(["<", "<=", ">", ">=", "==", "!="])
    match kind:
        case "compare":
            return f"({draw(values)} {draw(operators)} {draw(values)})"
        case "chain":
            rest = [f"{draw(operators)} {draw(values)}" for _ in range(draw(st.integers(2, 4)))]
            return f"({draw(values)} {' '.join(rest)})"
        case "not":
            return f"(not {draw(conditions(depth - 1))})"
        case "guard":
            index = draw(st.sampled_from(NAMES))
            return f"(0 <= {index} and {index} < 4 and table[{index}] {draw(operators)} {draw(values)})"
        case _:
            return f"({draw(conditions(depth - 1))} {kind} {draw(conditions(depth - 1))})"


@st.composite
def blocks(draw: st.DrawFn, depth: int, in_loop: bool, loops: tuple[str, ...] = ()) -> list[str]:
    """The lines of a block. Values are kept small, so that nothing overflows."""
    lines: list[str] = []
    for _ in range(draw(st.integers(1, 4))):
        lines += draw(statements(depth, in_loop, loops))
    if in_loop and draw(st.integers(0, 5)) == 0:
        lines += [draw(st.sampled_from(["break", "continue"]))]
    return lines or ["pass"]


@st.composite
def statements(draw: st.DrawFn, depth: int, in_loop: bool, loops: tuple[str, ...]) -> list[str]:
    kinds = ["assign", "assign", "augmented", "swap", "write"]
    if depth > 0:
        kinds += ["if", "if else", "elif", "for", "while"]
        kinds += ["leave", "leave"] if in_loop else []
    kind = draw(st.sampled_from(kinds))
    name = draw(st.sampled_from(NAMES))

    def inner(in_loop: bool = in_loop, loops: tuple[str, ...] = loops) -> list[str]:
        return [f"    {line}" for line in draw(blocks(depth - 1, in_loop, loops))]

    match kind:
        case "assign":
            return [f"{name} = ({draw(expressions())}) % 7"]
        case "augmented":
            return [f"{name} += {draw(expressions(1))}", f"{name} %= 5"]
        case "swap":
            other = draw(st.sampled_from(NAMES))
            return [f"{name}, {other} = {other}, {name}"] if name != other else []
        case "write":
            return [f"table[({draw(expressions(1))}) % 4] = ({draw(expressions(1))}) % 9"]
        case "if":
            return [f"if {draw(conditions())}:", *inner()]
        case "if else":
            return [f"if {draw(conditions())}:", *inner(), "else:", *inner()]
        case "elif":
            return [f"if {draw(conditions())}:", *inner(), f"elif {draw(conditions())}:", *inner(), "else:", *inner()]
        case "leave":
            word = draw(st.sampled_from(["break", "continue"]))
            return (
                [f"if {draw(conditions(1))}:", *inner()[:2], f"    {word}"]
                if depth == 1
                else [f"if {draw(conditions(1))}:", f"    {word}"]
            )
        case "for":
            variable = f"i{len(loops)}"
            bounds = draw(st.sampled_from(["3", "1, 4", "0, 5, 2", "a % 3", "b % 2, 4"]))
            body = inner(True, (*loops, variable))
            use = f"    {draw(st.sampled_from(NAMES))} += {variable}"
            return [f"for {variable} in pl.range({bounds}):", use, *body]
        case _:
            counter = f"w{len(loops)}"
            body = inner(True, (*loops, counter))
            test = draw(conditions(1))
            return [f"{counter} = 0", f"while {counter} < 4 and {test}:", f"    {counter} += 1", *body]


def without_unreachable(lines: list[str]) -> list[str]:
    """The lines without those that follow a break or a continue in their block, which kernels don't allow."""
    kept: list[str] = []
    skipped: int | None = None
    for line in lines:
        indent = len(line) - len(line.lstrip())
        if skipped is not None and indent >= skipped:
            continue
        skipped = None
        kept.append(line)
        if line.strip() in ("break", "continue"):
            skipped = indent
    return kept


class Table(list[int]):
    """An array as the kernel sees it: reading outside is an error, also with negative indices."""

    def __getitem__(self, index: Any) -> Any:
        if not 0 <= index < EXTENT:
            raise IndexError
        return super().__getitem__(index)


def run_as_python(lines: list[str], args: list[int], table: list[int]) -> tuple[Any, ...]:
    scope: dict[str, Any] = {"pl": SimpleNamespace(range=range)}
    body = "\n".join(f"    {line}" for line in lines)
    exec(f"def f(a, b, c, d, table):\n{body}\n    return a, b, c, d, tuple(table)", scope)
    return scope["f"](*args, Table(table))


def traced(lines: list[str]) -> ir.Program:
    body = "\n".join(f"        {line}" for line in lines)
    try:
        program = pl.parse(f"{HEAD}{body}\n        return a, b, c, d, table\n")
    except UserError as error:
        assume("never reached" not in str(error))  # both arms of a branch jump
        raise
    assert isinstance(program, ir.Program)
    return program


@given(blocks(3, False), st.lists(st.integers(0, 6), min_size=4, max_size=4))
@settings(max_examples=300, deadline=None)
def test_a_kernel_means_what_python_means(lines: list[str], args: list[int]) -> None:
    lines = without_unreachable(lines)
    expected = run_as_python(lines, args, [3, 1, 4, 1])

    program = traced(lines)

    assert passes.verify(program, {SSAForm, UseAfterDef, TypeChecked, StructuredCtrlFlow}) == []
    assert Runner().function(program.functions["f"], [*args, (3, 1, 4, 1)]) == expected


@given(blocks(3, False), st.lists(st.integers(0, 6), min_size=4, max_size=4))
@settings(max_examples=300, deadline=None, suppress_health_check=[HealthCheck.filter_too_much])
def test_a_name_that_is_accepted_has_a_value(lines: list[str], args: list[int]) -> None:
    """As above, with a name that nothing binds in front of the block: where it may be read, it has been bound."""
    lines = [re.sub(r"\bd\b", "e", line) for line in without_unreachable(lines)]

    try:
        program = traced(lines)
    except UserError as error:
        if error.code not in ("PL105", "PL106"):
            raise
        event("refused")
        return

    expected = run_as_python(lines, args, [3, 1, 4, 1])
    assert passes.verify(program, {SSAForm, UseAfterDef, TypeChecked, StructuredCtrlFlow}) == []
    assert Runner().function(program.functions["f"], [*args, (3, 1, 4, 1)]) == expected


@given(blocks(3, False))
@settings(max_examples=100, deadline=None)
def test_printed_text_is_traced_to_the_same_program(lines: list[str]) -> None:
    program = traced(without_unreachable(lines))

    for concise in (False, True):
        again = pl.parse(program.as_python(concise))
        ir.assert_structural_equal(again, program)


PARTICULAR = [
    ["while a < 4 and table[a] != 4:", "    a += 1"],
    ["while table[a % 4] < 4:", "    a += 1", "    if b > 2:", "        b = 0", "        continue", "    b += 1"],
    ["for i in pl.range(3):", "    while i < 3:", "        i += 1", "        a += i"],
    ["for i in pl.range(3):", "    i = i + 1", "    a += i"],
    ["for i in pl.range(2):", "    a, b = b, a", "    c, a, b = a, b, c"],
    ["a = b = c + 1", "b += 1"],
    ["a = 1 if 0 < table[0] < table[2] < 5 else 2", "b = 1 if 9 < table[0] < table[a + 9] < table[b + 9] else 2"],
    ["a = 1 if 0 <= -table[0] < 4 <= table[2] else 2", "b = 1 if 0 < 1 < table[0] < table[1] else 2"],
    ["if 0 < 1 < table[a % 4] < a:", "    a = a % 7"],
    ["a = table[0] + (table[1] if c > 100 and table[c] > 0 else table[2])"],
    ["a = 1 if a > 3 else 2 if b > 3 else table[3] if 0 <= c < 4 else 4"],
    ["if a > 2:", "    e = 1", "else:", "    if b > 2:", "        e = 2", "    else:", "        e = 3", "a = e"],
    ["for i in pl.range(4):", "    if i == 2:", "        break", "    else:", "        e = i * 2", "    a += e"],
    ["table[0] += table[1]", "table[table[0] % 4] += 1"],
    [
        "for i in pl.range(4):",
        "    if i == 1:",
        "        e = 5",
        "    else:",
        "        if i == 3:",
        "            break",
        "        else:",
        "            e = i",
        "        e = e + 1",
        "    a += e",
    ],
]


@pytest.mark.parametrize("lines", PARTICULAR)
@pytest.mark.parametrize("args", [[0, 1, 2, 3], [3, 2, 1, 0], [5, 6, 5, 6]])
def test_particular_kernels_mean_what_python_means(lines: list[str], args: list[int]) -> None:
    expected = run_as_python(lines, args, [3, 1, 4, 1])

    program = traced(lines)

    assert Runner().function(program.functions["f"], [*args, (3, 1, 4, 1)]) == expected


@pytest.mark.parametrize("lines", PARTICULAR)
def test_the_text_of_particular_kernels_is_traced_to_the_same_program(lines: list[str]) -> None:
    program = traced(lines)

    ir.assert_structural_equal(pl.parse(program.as_python()), program)
