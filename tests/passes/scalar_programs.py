"""Random functions of scalars: as Python that can be run, as kernel source, and as IR in which names are rebound.

A program is a tree of tuples, so that hypothesis can shrink it and failures print it:

    ("set", name, value)                      ("note", value)      ("break",)     ("continue",)     ("scope", body)
    ("if", condition, then, otherwise)        otherwise is () for none
    ("choose", condition, then, otherwise, results)
                                              explicit results: (name, value in then, value in otherwise) each
    ("for", kind, variable, start, stop, step, carries, body)
    ("while", counter, limit, condition, carries, body)
                                              explicit carries: (carry, init, result, yielded value) each

    ("call", names, values)                   the two results of g

Values are ints, names and ``(operator, value, value)``; the operator ``h`` is a call of a function. A while
loop counts its counter down at the start of its body and stops at 0, so every program ends.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from hypothesis import strategies as st

from pypto_lite import ir

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

INDEX = ir.ScalarType(ir.DTYPES["INDEX"])
BOOL = ir.ScalarType(ir.DTYPES["BOOL"])

NAMES = ("a", "b", "c", "d", "i", "j")
PARAMS = ("a", "b")
COMPARISONS = ("<", "<=", "==", "!=", ">")
KINDS = {
    "range": ir.ForKind.Sequential, "parallel": ir.ForKind.Parallel,
    "unroll": ir.ForKind.Unroll, "pipeline": ir.ForKind.Pipeline,
}  # fmt: skip

Tree = tuple[Any, ...]


class Features(NamedTuple):
    """What a generated program may contain."""

    leaves: bool = True
    """break and continue"""
    explicit: bool = True
    """carries and results that are written in the program"""
    unrolled: bool = False
    """unrolled loops"""
    leaves_unrolled: bool = False
    """break in unrolled loops"""
    scopes: bool = True
    shadowing: bool = True
    """loop variables and carries of the same names as other variables, which are read after the loop"""
    functions: tuple[str, ...] = ()
    """the functions that are called: g returns two values, h one"""


class _Drawn(NamedTuple):
    statements: tuple[Tree, ...]
    defined: frozenset[str]
    left: bool
    """Whether the end is never reached."""


class _Generator:
    def __init__(self, draw: Callable[[st.SearchStrategy[Any]], Any], features: Features) -> None:
        self.draw = draw
        self.features = features
        self.counters = 0
        self.budget = 25

    def choose(self, values: Sequence[Any]) -> Any:
        return self.draw(st.sampled_from(list(values)))

    def name(self) -> str:
        return self.choose(NAMES)

    def atom(self, defined: Iterable[str]) -> Any:
        return self.choose([*sorted(defined), 1, 2, 3])

    def value(self, defined: frozenset[str]) -> Any:
        form = self.draw(st.integers(0, 4))
        if form == 4 and "h" in self.features.functions:
            return ("h", self.value(defined), self.atom(defined))
        if form == 0:
            return self.draw(st.integers(0, 5))
        if form <= 2:
            return self.atom(defined)
        operator = self.choose(["+", "-", "min", "max"])
        # The remainder keeps values small however often they are combined.
        return ("%", (operator, self.atom(defined), self.atom(defined)), 7)

    def condition(self, defined: frozenset[str]) -> Tree:
        lhs = self.value(defined) if "h" in self.features.functions else self.choose(sorted(defined))
        return (self.choose(COMPARISONS), lhs, self.atom(defined))

    def block(self, defined: frozenset[str], depth: int, loop: str | None) -> _Drawn:
        statements: list[Tree] = []
        left = False
        for _ in range(self.draw(st.integers(1, 4))):
            if self.budget <= 0 or left:
                break
            self.budget -= 1
            statement, defined, left = self.statement(defined, depth, loop)
            statements.append(statement)
        if not statements:
            statements.append(("note", 1))
        return _Drawn(tuple(statements), defined, left)

    def statement(self, defined: frozenset[str], depth: int, loop: str | None) -> tuple[Tree, frozenset[str], bool]:
        forms = ["set", "set", "set", "note"]
        if depth > 0:
            forms += ["if", "if", "for", "while"]
            if self.features.explicit:
                forms.append("choose")
            if self.features.scopes:
                forms.append("scope")
        can_leave = loop is not None and self.features.leaves
        if can_leave:
            forms.append("continue")
            if loop != "unroll" or self.features.leaves_unrolled:
                forms.append("break")
        if "g" in self.features.functions:
            forms += ["call", "call"]
        form = self.choose(forms)
        if form == "call":
            names = tuple(self.draw(st.lists(st.sampled_from(NAMES), min_size=2, max_size=2, unique=True)))
            return ("call", names, (self.value(defined), self.value(defined))), defined | set(names), False
        if form in ("break", "continue"):
            return (form,), defined, True
        if form == "set":
            name = self.name()
            return ("set", name, self.value(defined)), defined | {name}, False
        if form == "note":
            return ("note", self.value(defined)), defined, False
        return getattr(self, f"draw_{form}")(defined, depth - 1, loop)

    def draw_if(self, defined: frozenset[str], depth: int, loop: str | None) -> tuple[Tree, frozenset[str], bool]:
        condition = self.condition(defined)
        then = self.block(defined, depth, loop)
        otherwise = self.block(defined, depth, loop) if self.draw(st.booleans()) else _Drawn((), defined, False)
        after = then.defined & otherwise.defined
        if then.left or otherwise.left:
            after = otherwise.defined if then.left else then.defined
        tree = ("if", condition, then.statements, otherwise.statements)
        return tree, after, then.left and otherwise.left

    def draw_choose(self, defined: frozenset[str], depth: int, loop: str | None) -> tuple[Tree, frozenset[str], bool]:
        condition = self.condition(defined)
        then, otherwise = self.block(defined, depth, loop), self.block(defined, depth, loop)
        if then.left or otherwise.left:
            after = otherwise.defined if then.left else then.defined
            tree = ("if", condition, then.statements, otherwise.statements)
            return tree, after, then.left and otherwise.left
        names = self.draw(st.lists(st.sampled_from(NAMES), min_size=1, max_size=2, unique=True))
        results = tuple((name, self.value(then.defined), self.value(otherwise.defined)) for name in names)
        after = (then.defined & otherwise.defined) | set(names)
        return ("choose", condition, then.statements, otherwise.statements, results), after, False

    def draw_scope(self, defined: frozenset[str], depth: int, loop: str | None) -> tuple[Tree, frozenset[str], bool]:
        body = self.block(defined, depth, loop)
        return ("scope", body.statements), body.defined, body.left

    def carries(self, defined: frozenset[str], variable: str) -> list[tuple[str, Any, str]]:
        """Carries without the values that are yielded."""
        if not self.features.explicit or self.draw(st.booleans()):
            return []
        names = [name for name in NAMES if name != variable]
        if not self.features.shadowing:
            self.counters += 1
            names = [f"c{self.counters}", f"d{self.counters}"]
        carries = self.draw(st.lists(st.sampled_from(names), min_size=1, max_size=2, unique=True))
        results = self.draw(st.permutations(NAMES))
        return [(carry, self.value(defined), result) for carry, result in zip(carries, results, strict=False)]

    def draw_for(self, defined: frozenset[str], depth: int, loop: str | None) -> tuple[Tree, frozenset[str], bool]:
        variable = self.name()
        if not self.features.shadowing:
            self.counters += 1
            variable = f"k{self.counters}"
        step = self.choose([1, 1, 2, -1, -2])
        start, stop = self.draw(st.integers(-1, 3)), self.draw(st.integers(-1, 3))
        kind = "unroll" if self.features.unrolled and self.draw(st.booleans()) else "range"
        if kind == "range" and self.draw(st.booleans()):
            start = self.atom(defined)
        if kind == "range" and self.draw(st.booleans()):
            stop = self.atom(defined)
        carries = self.carries(defined, variable)
        inside = defined | {variable} | {carry for carry, _, _ in carries}
        body = self.block(inside, depth, kind)
        if body.left:
            body = body._replace(statements=body.statements[:-1] or (("note", 2),))
        made = tuple((*carry, self.value(body.defined if not body.left else inside)) for carry in carries)
        after = defined | {result for _, _, result in carries}
        return ("for", kind, variable, start, stop, step, made, body.statements), after, False

    def draw_while(self, defined: frozenset[str], depth: int, loop: str | None) -> tuple[Tree, frozenset[str], bool]:
        self.counters += 1
        counter = f"n{self.counters}"
        carries = self.carries(defined, counter)
        inside = defined | {carry for carry, _, _ in carries}
        condition = self.condition(inside)
        body = self.block(inside, depth, "while")
        if body.left:
            body = body._replace(statements=body.statements[:-1] or (("note", 2),))
        made = tuple((*carry, self.value(body.defined if not body.left else inside)) for carry in carries)
        after = defined | {result for _, _, result in carries}
        limit = self.draw(st.integers(0, 4))
        return ("while", counter, limit, condition, made, body.statements), after, False


@st.composite
def scalar_programs(draw: Callable[[st.SearchStrategy[Any]], Any], features: Features = Features()) -> Tree:  # noqa: B008
    """A tree ``(statements, names that are returned)``."""
    return _draw_program(draw, features, 1, 3)


def _draw_program(draw: Any, features: Features, fewest: int, most: int) -> Tree:
    generator = _Generator(draw, features)
    drawn = generator.block(frozenset(PARAMS), 3, None)
    more = generator.block(drawn.defined, 3, None)
    names = sorted(more.defined) * 2
    returned = draw(st.lists(st.sampled_from(names), min_size=fewest, max_size=most))
    return (*drawn.statements, *more.statements), tuple(returned)


@st.composite
def calling_programs(draw: Callable[[st.SearchStrategy[Any]], Any]) -> dict[str, Tree]:
    """Functions by name: f calls g and h, g calls h."""
    small = Features(leaves=False, scopes=False)
    h = _draw_program(draw, small, 1, 1)
    g = _draw_program(draw, small._replace(functions=("h",)), 2, 2)
    f = _draw_program(draw, small._replace(functions=("g", "h")), 1, 3)
    return {"h": h, "g": g, "f": f}


# As Python


def python_source(program: Tree, name: str = "f") -> str:
    """The program as a Python function of ``a`` and ``b``; explicit carries and results are spelled out."""
    statements, returned = program
    writer = _PythonWriter()
    writer.lines.append(f"def {name}({', '.join(PARAMS)}):")
    writer.block(statements, 1)
    writer.lines.append(f"    return {', '.join(returned)}")
    return "\n".join(writer.lines)


def run_python(program: Tree | dict[str, Tree], args: Sequence[int]) -> tuple[list[int], list[tuple[int, ...]]]:
    """What the program, or its function f, returns and notes when Python runs it."""
    notes: list[tuple[int, ...]] = []
    scope: dict[str, Any] = {"note": lambda value: notes.append((value,))}
    functions = program if isinstance(program, dict) else {"f": program}
    for name, tree in functions.items():
        exec(python_source(tree, name), scope)
    result = scope["f"](*args)
    return list(result) if isinstance(result, tuple) else [result], notes


def text(value: Any) -> str:
    """A value as Python source."""
    if not isinstance(value, tuple):
        return str(value)
    operator, lhs, rhs = value
    if operator in ("min", "max", "h"):
        return f"{operator}({text(lhs)}, {text(rhs)})"
    return f"({text(lhs)} {operator} {text(rhs)})"


class _PythonWriter:
    def __init__(self) -> None:
        self.lines: list[str] = []
        self.temporaries = 0

    def temporary(self) -> str:
        self.temporaries += 1
        return f"_{self.temporaries}"

    def write(self, depth: int, line: str) -> None:
        self.lines.append("    " * depth + line)

    def block(self, statements: Sequence[Tree], depth: int) -> None:
        if not statements:
            self.write(depth, "pass")
        for statement in statements:
            getattr(self, f"write_{statement[0]}")(depth, *statement[1:])

    def write_set(self, depth: int, name: str, value: Any) -> None:
        self.write(depth, f"{name} = {text(value)}")

    def write_call(self, depth: int, names: Any, values: Any) -> None:
        self.write(depth, f"{', '.join(names)} = g({', '.join(map(text, values))})")

    def write_note(self, depth: int, value: Any) -> None:
        self.write(depth, f"note({text(value)})")

    def write_break(self, depth: int) -> None:
        self.write(depth, "break")

    def write_continue(self, depth: int) -> None:
        self.write(depth, "continue")

    def write_if(self, depth: int, condition: Any, then: Any, otherwise: Any) -> None:
        self.write(depth, f"if {text(condition)}:")
        self.block(then, depth + 1)
        if otherwise:
            self.write(depth, "else:")
            self.block(otherwise, depth + 1)

    def write_scope(self, depth: int, body: Any) -> None:
        self.write(depth, "if True:")
        self.block(body, depth + 1)

    def write_choose(self, depth: int, condition: Any, then: Any, otherwise: Any, results: Any) -> None:
        targets = ", ".join(name for name, _, _ in results)
        for line, arm, side in (f"if {text(condition)}:", then, 1), ("else:", otherwise, 2):
            self.write(depth, line)
            self.block(arm, depth + 1)
            self.write(depth + 1, f"{targets} = {', '.join(text(result[side]) for result in results)}")

    def write_for(
        self,
        depth: int,
        kind: str,
        variable: str,
        start: Any,
        stop: Any,
        step: Any,
        carries: Any,
        body: Any,
    ) -> None:
        kept = self.begin_carries(depth, carries)
        self.write(depth, f"for {variable} in range({text(start)}, {text(stop)}, {step}):")
        for carry, name in kept:
            self.write(depth + 1, f"{carry} = {name}")
        self.block(body, depth + 1)
        self.end_carries(depth, carries, kept)

    def write_while(self, depth: int, counter: str, limit: int, condition: Any, carries: Any, body: Any) -> None:
        self.write(depth, f"{counter} = {limit}")
        kept = self.begin_carries(depth, carries)
        self.write(depth, "while True:")
        for carry, name in kept:
            self.write(depth + 1, f"{carry} = {name}")
        self.write(depth + 1, f"if not ({text(condition)} and {counter} > 0): break")
        self.write(depth + 1, f"{counter} = {counter} - 1")
        self.block(body, depth + 1)
        self.end_carries(depth, carries, kept)

    def begin_carries(self, depth: int, carries: Any) -> list[tuple[str, str]]:
        kept = [(carry, self.temporary()) for carry, _, _, _ in carries]
        if kept:
            names = ", ".join(name for _, name in kept)
            self.write(depth, f"{names} = {', '.join(text(init) for _, init, _, _ in carries)}")
        return kept

    def end_carries(self, depth: int, carries: Any, kept: Sequence[tuple[str, str]]) -> None:
        if kept:
            names = ", ".join(name for _, name in kept)
            self.write(depth + 1, f"{names} = {', '.join(text(value) for _, _, _, value in carries)}")
            self.write(depth, f"{', '.join(result for _, _, result, _ in carries)} = {names}")


# As a kernel

NOTE = """\
    @pl.function
    def note(self, value: pl.Scalar[pl.INDEX]):
        pass

"""


def kernel_source(program: Tree) -> str:
    """The program as a text with a function ``f`` in the language of kernels."""
    statements, returned = program
    writer = _KernelWriter()
    params = ", ".join(f"{name}: pl.Scalar[pl.INDEX]" for name in PARAMS)
    writer.lines += ["import pypto_lite.language as pl", "", "@pl.program", "class P:", NOTE.rstrip(), ""]
    writer.lines += ["    @pl.function", f"    def f(self, {params}):"]
    writer.block(statements, 2)
    writer.lines.append(f"        return {', '.join(returned)}")
    return "\n".join(writer.lines) + "\n"


class _KernelWriter(_PythonWriter):
    def write_note(self, depth: int, value: Any) -> None:
        self.write(depth, f"self.note({text(value)})")

    def write_scope(self, depth: int, body: Any) -> None:
        self.write(depth, "with pl.scope():")
        self.block(body, depth + 1)

    def write_choose(self, depth: int, condition: Any, then: Any, otherwise: Any, results: Any) -> None:
        targets = ", ".join(name for name, _, _ in results)
        for line, arm, side in (f"if {text(condition)}:", then, 1), ("else:", otherwise, 2):
            self.write(depth, line)
            self.block(arm, depth + 1)
            self.write(depth + 1, f"{targets} = pl.yield_({', '.join(text(result[side]) for result in results)})")

    def write_for(
        self,
        depth: int,
        kind: str,
        variable: str,
        start: Any,
        stop: Any,
        step: Any,
        carries: Any,
        body: Any,
    ) -> None:
        target = f"{variable}, ({self.names(carries)},)" if carries else variable
        inits = f", init_values=({self.inits(carries)},)" if carries else ""
        self.write(depth, f"for {target} in pl.{kind}({text(start)}, {text(stop)}, {step}{inits}):")
        self.block(body, depth + 1)
        self.final(depth, carries)

    def write_while(self, depth: int, counter: str, limit: int, condition: Any, carries: Any, body: Any) -> None:
        self.write(depth, f"{counter} = {limit}")
        test = f"{text(condition)} and {counter} > 0"
        if carries:
            self.write(depth, f"for {self.names(carries)}, in pl.while_(init_values=({self.inits(carries)},)):")
            self.write(depth + 1, f"pl.cond({test})")
        else:
            self.write(depth, f"while {test}:")
        self.write(depth + 1, f"{counter} = {counter} - 1")
        self.block(body, depth + 1)
        self.final(depth, carries)

    def names(self, carries: Any) -> str:
        return ", ".join(carry for carry, _, _, _ in carries)

    def inits(self, carries: Any) -> str:
        return ", ".join(text(init) for _, init, _, _ in carries)

    def final(self, depth: int, carries: Any) -> None:
        if carries:
            results = ", ".join(result for _, _, result, _ in carries)
            self.write(depth + 1, f"{results} = pl.yield_({', '.join(text(value) for _, _, _, value in carries)})")


# As IR


def build(program: Tree, name: str = "f", type_: ir.FunctionType = ir.FunctionType.Opaque) -> ir.Function:
    """The program as a function in which one Var stands for each name, however often it is bound."""
    statements, returned = program
    builder = _Builder()
    params = tuple(builder.var(name) for name in PARAMS)
    body = builder.block(statements, (ir.Return(tuple(builder.var(name) for name in returned)),))
    directions = (ir.ParamDirection.In,) * len(params)
    return ir.Function(name, type_, params, directions, (INDEX,) * len(returned), body)


def build_calling(functions: dict[str, Tree]) -> ir.Program:
    """Functions of which all but f are inline functions."""
    made = {
        name: build(tree, name, ir.FunctionType.Opaque if name == "f" else ir.FunctionType.Inline)
        for name, tree in functions.items()
    }
    return ir.Program("P", made)


def as_program(function: ir.Function) -> ir.Program:
    return ir.Program("P", {function.name: function})


class _Builder:
    def __init__(self) -> None:
        self.variables: dict[str, ir.Var] = {}

    def var(self, name: str) -> ir.Var:
        return self.variables.setdefault(name, ir.Var(name, INDEX))

    def value(self, value: Any) -> ir.Expr:
        if isinstance(value, int):
            return ir.index_const(value)
        if isinstance(value, str):
            return self.var(value)
        operator, lhs, rhs = value
        if operator == "h":
            return ir.FunctionCall("h", (self.value(lhs), self.value(rhs)), INDEX)
        type_ = BOOL if operator in (*ir.COMPARISONS, "and") else INDEX
        return ir.Binary(operator, self.value(lhs), self.value(rhs), type_)

    def block(self, statements: Sequence[Tree], final: tuple[ir.Stmt, ...] = ()) -> ir.Block:
        made = [each for statement in statements for each in getattr(self, f"build_{statement[0]}")(*statement[1:])]
        return ir.Block((*made, *final))

    def build_set(self, name: str, value: Any) -> list[ir.Stmt]:
        return [ir.Assign(self.var(name), self.value(value))]

    def build_call(self, names: Any, values: Any) -> list[ir.Stmt]:
        both = ir.TupleType((INDEX, INDEX))
        results = ir.Var("results", both)
        call = ir.FunctionCall("g", tuple(map(self.value, values)), both)
        items = [ir.Assign(self.var(name), ir.TupleItem(results, i, INDEX)) for i, name in enumerate(names)]
        return [ir.Assign(results, call), *items]

    def build_note(self, value: Any) -> list[ir.Stmt]:
        return [ir.Evaluate(ir.Call("test.note", (self.value(value),), {}, ir.UNKNOWN))]

    def build_break(self) -> list[ir.Stmt]:
        return [ir.Break()]

    def build_continue(self) -> list[ir.Stmt]:
        return [ir.Continue()]

    def build_if(self, condition: Any, then: Any, otherwise: Any) -> list[ir.Stmt]:
        else_body = self.block(otherwise) if otherwise else None
        return [ir.If(self.value(condition), self.block(then), else_body, ())]

    def build_scope(self, body: Any) -> list[ir.Stmt]:
        return [ir.Scope(ir.ScopeKind.Runtime, (), {}, None, self.block(body))]

    def build_choose(self, condition: Any, then: Any, otherwise: Any, results: Any) -> list[ir.Stmt]:
        arms = [
            self.block(arm, (ir.Yield(tuple(self.value(result[side]) for result in results)),))
            for arm, side in ((then, 1), (otherwise, 2))
        ]
        return [ir.If(self.value(condition), *arms, tuple(self.var(name) for name, _, _ in results))]

    def build_for(
        self, kind: str, variable: str, start: Any, stop: Any, step: Any, carries: Any, body: Any
    ) -> list[ir.Stmt]:
        bounds = [self.value(bound) for bound in (start, stop, step)]
        inits, carry_vars, results, final = self.carries(carries)
        loop_body = self.block(body, final)
        return [ir.For(KINDS[kind], self.var(variable), *bounds, inits, carry_vars, loop_body, results)]

    def build_while(self, counter: str, limit: int, condition: Any, carries: Any, body: Any) -> list[ir.Stmt]:
        inits, carry_vars, results, final = self.carries(carries)
        counted = ("set", counter, ("-", counter, 1))
        full = self.value(("and", condition, (">", counter, 0)))
        loop = ir.While(full, inits, carry_vars, self.block((counted, *body), final), results)
        return [ir.Assign(self.var(counter), ir.index_const(limit)), loop]

    def carries(
        self, carries: Any
    ) -> tuple[tuple[ir.Expr, ...], tuple[ir.Var, ...], tuple[ir.Var, ...], tuple[ir.Stmt, ...]]:
        inits = tuple(self.value(init) for _, init, _, _ in carries)
        carry_vars = tuple(self.var(carry) for carry, _, _, _ in carries)
        results = tuple(self.var(result) for _, _, result, _ in carries)
        final = (ir.Yield(tuple(self.value(value) for _, _, _, value in carries)),) if carries else ()
        return inits, carry_vars, results, final
