"""What can be done to the syntax tree of any function so that it does something else.

Left alone is what decides nothing about a program: texts of messages, assertions, types, and memos, without which
the same comes out later.
"""

from __future__ import annotations

import ast
from functools import cached_property
from typing import TYPE_CHECKING, Final, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from tests.mutants.sources import Definition

    Operator = Callable[["Site"], Iterator[str]]
    Signatures = Mapping[str, tuple[list[str], str]]
    """Of each function that is known by its bare name: the types of its parameters, and of its result."""

TEXTS: Final = ("Diagnostic", "Note")
"""What holds the text of a message."""

_OTHERS: Final = {"Vec": "Mat", "Mat": "Vec", "Acc": "Vec", "Left": "Right", "Right": "Left"}

OTHER_SPACE: Final = {
    **{one.upper(): other.upper() for one, other in _OTHERS.items()},
    **{f"MemorySpace.{one}": f"MemorySpace.{other}" for one, other in _OTHERS.items()},
}
"""For a space, as it is written, one that it could be taken for."""

SPACES: Final = {*OTHER_SPACE, *(f"MemorySpace.{name}" for name in ("Bias", "LeftScale", "RightScale"))}

OPPOSITES: Final = {"any": "all", "all": "any", "min": "max", "max": "min"}

FLIPPED: Final[dict[type[ast.cmpop], str]] = {
    ast.Lt: "<=", ast.LtE: "<", ast.Gt: ">=", ast.GtE: ">", ast.Eq: "!=", ast.NotEq: "==",
    ast.Is: "is not", ast.IsNot: "is", ast.In: "not in", ast.NotIn: "in",
}  # fmt: skip

WALKS: Final = ("walk", "program_order")
"""What begins and ends with the block that is walked."""

EMPTY: Final = {
    "list": "[]", "Iterable": "[]", "Iterator": "iter(())", "Sequence": "()", "dict": "{}", "Mapping": "{}",
    "set": "set()", "frozenset": "frozenset()", "Spaces": "frozenset()", "tuple": "()",
}  # fmt: skip
"""For the name of a type what is empty of it."""


class Change(NamedTuple):
    """What an operator puts in the place of a node."""

    operator: str
    node: ast.expr | ast.stmt
    after: str


class Site:
    """A node of a definition, with what stands around it."""

    def __init__(self, definition: Definition, node: ast.expr | ast.stmt, parent: ast.AST, known: Signatures) -> None:
        self.definition = definition
        self.node = node
        self.parent = parent
        self.known = known

    def text(self, node: ast.expr | ast.stmt) -> str:
        return self.definition.source.text_of(node)

    @cached_property
    def returned(self) -> str:
        """The type of what the function returns."""
        node = self.definition.node
        return ast.unparse(node.returns) if isinstance(node, ast.FunctionDef) and node.returns is not None else ""

    @property
    def is_test(self) -> bool:
        """Whether the node decides which way to go."""
        parent = self.parent
        if isinstance(parent, ast.comprehension):
            return self.node in parent.ifs
        return isinstance(parent, (ast.If, ast.IfExp)) and parent.test is self.node

    def reads(self, container: str) -> bool:
        """Whether the definition looks at a container that it also stores into."""
        stored = [each for each in ast.walk(self.definition.node) if isinstance(each, ast.Subscript)]
        targets = {id(each.value) for each in stored if isinstance(each.ctx, ast.Store)}
        return any(
            isinstance(each, (ast.Attribute, ast.Name)) and id(each) not in targets and self.text(each) == container
            for each in ast.walk(self.definition.node)
        )


def changes(definition: Definition, known: Signatures) -> Iterator[Change]:
    """All that the operators make of a definition."""
    node = definition.node
    if isinstance(node, ast.FunctionDef) and _only_writes_text(node):
        return
    for site in _sites(definition, known):
        for name, operator in OPERATORS.items():
            for after in operator(site):
                yield Change(name, site.node, after)


def _only_writes_text(node: ast.FunctionDef) -> bool:
    returned = "" if node.returns is None else ast.unparse(node.returns)
    return node.name == "__repr__" or returned in ("str", "str | None") or "Note" in returned


def _sites(definition: Definition, known: Signatures) -> Iterator[Site]:
    """The statements and expressions that may be changed, in order."""
    node = definition.node
    if isinstance(node, ast.AnnAssign):
        assert node.value is not None
        pending: list[tuple[ast.AST, ast.AST]] = [(node.value, node)]
    else:
        defaults = [each for each in (*node.args.defaults, *node.args.kw_defaults) if each is not None]
        pending = [(each, node) for each in reversed([*defaults, *node.body])]
    while pending:
        each, parent = pending.pop()
        if _is_left_alone(each):
            continue
        if isinstance(each, (ast.expr, ast.stmt)):
            yield Site(definition, each, parent, known)
        children = [child for child in ast.iter_child_nodes(each) if child not in _types_in(each)]
        pending += [(child, each) for child in reversed(children)]


def _is_left_alone(node: ast.AST) -> bool:
    if isinstance(node, ast.If):
        return all(isinstance(each, ast.Raise) for each in node.body)
    if isinstance(node, ast.Call):
        return _name(node.func) in TEXTS
    return isinstance(node, (ast.JoinedStr, ast.Raise, ast.Assert, ast.arguments))


def _types_in(node: ast.AST) -> list[ast.AST | None]:
    if isinstance(node, ast.AnnAssign):
        return [node.annotation]
    return [node.returns] if isinstance(node, ast.FunctionDef) else []


def _name(func: ast.expr) -> str:
    """The bare name of what is called."""
    return func.id if isinstance(func, ast.Name) else func.attr if isinstance(func, ast.Attribute) else ""


def _narrows(node: ast.expr) -> bool:
    """Whether a condition only asks for a type, so that what follows would fail without it."""
    if isinstance(node, ast.UnaryOp):
        return _narrows(node.operand)
    if isinstance(node, ast.Compare):
        return isinstance(node.comparators[0], ast.Constant) and node.comparators[0].value is None
    if not isinstance(node, ast.Call):
        return False
    if isinstance(node.args[0] if node.args else None, ast.GeneratorExp):
        return _narrows(node.args[0].elt)
    return _name(node.func) in ("isinstance", "is_tile")


# Conditions


def _negates(site: Site) -> Iterator[str]:
    node = site.node
    if site.is_test and not _narrows(node) and not (isinstance(node, ast.Compare) and len(node.ops) == 1):
        yield f"(not ({site.text(site.node)}))"


def _flips(site: Site) -> Iterator[str]:
    node = site.node
    if not isinstance(node, ast.Compare) or (_narrows(node) and (site.is_test or isinstance(site.parent, ast.BoolOp))):
        return
    operands = [site.text(each) for each in (node.left, *node.comparators)]
    for changed in range(len(node.ops)):
        signs = [ast.unparse(ast.Compare(_NOTHING, [op], [_NOTHING])).split("_")[1].strip() for op in node.ops]
        signs[changed] = FLIPPED[type(node.ops[changed])]
        yield f"({operands[0]} " + " ".join(f"{a} {b}" for a, b in zip(signs, operands[1:], strict=True)) + ")"


_NOTHING: Final = ast.Name("_", ast.Load())


def _drops_an_operand(site: Site) -> Iterator[str]:
    node = site.node
    if not isinstance(node, ast.BoolOp) or any(site.text(each).endswith(".span") for each in node.values):
        return
    sign = " and " if isinstance(node.op, ast.And) else " or "
    for dropped in node.values:
        if not _narrows(dropped):
            yield "(" + sign.join(f"({site.text(each)})" for each in node.values if each is not dropped) + ")"


def _another_constant(site: Site) -> Iterator[str]:
    node = site.node
    if isinstance(node, ast.Constant) and isinstance(node.value, bool):
        yield str(not node.value)


# Statements


def _drops_the_statement(site: Site) -> Iterator[str]:
    node = site.node
    if isinstance(node, ast.Expr):
        if not isinstance(node.value, (ast.Constant, ast.Yield, ast.YieldFrom)):
            yield "pass"
    elif isinstance(node, ast.Assign):
        target = node.targets[0]
        if isinstance(target, ast.Name):
            rebinds = any(isinstance(each, ast.Name) and each.id == target.id for each in ast.walk(node.value))
        elif isinstance(target, ast.Subscript):
            rebinds = not site.reads(site.text(target.value))
        else:
            parts = target.elts if isinstance(target, ast.Tuple) else [target]
            begins = site.definition.name.endswith(".__init__")
            rebinds = all(isinstance(each, ast.Attribute) for each in parts) and not begins
        if rebinds and len(node.targets) == 1:
            yield "pass"
    elif isinstance(node, (ast.AugAssign, ast.Delete, ast.Continue, ast.Break)):
        yield "pass"


def _returns_something_else(site: Site) -> Iterator[str]:
    node = site.node
    if not isinstance(site.parent, ast.Return) or isinstance(node, ast.Constant):
        return
    if site.returned == "bool":
        yield from ("True", "False")
    elif site.returned.endswith("| None"):
        yield "None"
    elif (empty := EMPTY.get(site.returned.partition("[")[0])) is not None and ast.unparse(node) != empty:
        if empty != "()" or site.returned.endswith(", ...]"):
            yield empty


# Loops


def _iterable(site: Site) -> bool:
    """Whether the node is what a loop or a comprehension goes over, and all that it gives can matter."""
    parent, node = site.parent, site.node
    if not isinstance(parent, (ast.For, ast.comprehension)) or parent.iter is not node:
        return False
    if isinstance(node, ast.Call):
        return _name(node.func) not in WALKS
    if isinstance(node, ast.Name):
        grows = isinstance(parent, ast.For) and f"{node.id}." in "\n".join(map(ast.unparse, parent.body))
        return not grows and not node.id[0].isupper()
    return True


def _skips_the_first(site: Site) -> Iterator[str]:
    if _iterable(site):
        yield f"[*{_starred(site)}][1:]"


def _skips_the_last(site: Site) -> Iterator[str]:
    if _iterable(site):
        yield f"[*{_starred(site)}][:-1]"


def _starred(site: Site) -> str:
    return f"({site.text(site.node)})"


def _takes_the_last(site: Site) -> Iterator[str]:
    """The last of what ``next`` looks for, not the first."""
    node = site.node
    if isinstance(node, ast.GeneratorExp) and isinstance(site.parent, ast.Call) and _name(site.parent.func) == "next":
        yield f"reversed([*({site.text(node)})])"


def _ignores_a_filter(site: Site) -> Iterator[str]:
    if isinstance(site.parent, ast.comprehension) and site.is_test and not _narrows(site.node):
        yield "True"


# Values


def _another_space(site: Site) -> Iterator[str]:
    if isinstance(site.node, (ast.Name, ast.Attribute)):
        other = OTHER_SPACE.get(site.text(site.node))
        if other is not None:
            yield other


def _another_preference(site: Site) -> Iterator[str]:
    node = site.node
    if isinstance(node, ast.Tuple) and len(node.elts) > 1 and all(_is_space(site, each) for each in node.elts):
        first, second, *rest = (site.text(each) for each in node.elts)
        yield f"({', '.join([second, first, *rest])})"


def _drops_an_element(site: Site) -> Iterator[str]:
    """One space of several, or one list of several that make up a list."""
    node = site.node
    if not isinstance(node, (ast.Tuple, ast.Set, ast.List)) or len(node.elts) < 2:
        return
    for dropped in node.elts:
        if isinstance(dropped, ast.Starred) or all(_is_space(site, each) for each in node.elts):
            rest = "".join(f"{site.text(each)}, " for each in node.elts if each is not dropped)
            yield f"[{rest}]" if isinstance(node, ast.List) else f"({rest})"


def _is_space(site: Site, node: ast.expr) -> bool:
    return isinstance(node, (ast.Name, ast.Attribute)) and site.text(node) in SPACES


def _the_opposite(site: Site) -> Iterator[str]:
    if isinstance(site.node, ast.Name) and isinstance(site.parent, ast.Call) and site.parent.func is site.node:
        other = OPPOSITES.get(site.node.id)
        if other is not None:
            yield other


def _one_side_only(site: Site) -> Iterator[str]:
    node = site.node
    if isinstance(node, ast.BinOp) and isinstance(node.op, (ast.Sub, ast.Add, ast.BitOr, ast.BitAnd)):
        yield f"({site.text(node.left)})"
        if isinstance(node.op, (ast.BitOr, ast.BitAnd)):
            yield f"({site.text(node.right)})"


def _the_other_end(site: Site) -> Iterator[str]:
    node = site.node
    if isinstance(node, ast.Subscript) and isinstance(node.ctx, ast.Load):
        index = ast.unparse(node.slice)
        other = {"0": "-1", "-1": "0", "1:": ":", ":-1": ":"}.get(index)
        if other is not None:
            yield f"{site.text(node.value)}[{other}]"


# Calls


def _argument_instead(site: Site) -> Iterator[str]:
    node = site.node
    if not isinstance(node, ast.Call) or not node.args:
        return
    name = _name(node.func)
    parameters, returned = site.known.get(name, ([], ""))
    if name == "reversed" or (parameters and parameters[0] == returned):
        yield f"({site.text(node.args[0])})"


def _swaps_arguments(site: Site) -> Iterator[str]:
    node = site.node
    if not isinstance(node, ast.Call):
        return
    parameters, _ = site.known.get(_name(node.func), ([], ""))
    args = [site.text(each) for each in node.args]
    for first in range(min(len(args), len(parameters)) - 1):
        if parameters[first] == parameters[first + 1] and args[first] != args[first + 1]:
            swapped = [*args[:first], args[first + 1], args[first], *args[first + 2 :]]
            swapped += [f"{each.arg}={site.text(each.value)}" for each in node.keywords]
            yield f"{site.text(node.func)}({', '.join(swapped)})"


OPERATORS: Final[dict[str, Operator]] = {
    "negates": _negates,
    "flips": _flips,
    "drops-an-operand": _drops_an_operand,
    "another-constant": _another_constant,
    "drops-the-statement": _drops_the_statement,
    "returns-something-else": _returns_something_else,
    "skips-the-first": _skips_the_first,
    "skips-the-last": _skips_the_last,
    "takes-the-last": _takes_the_last,
    "ignores-a-filter": _ignores_a_filter,
    "another-space": _another_space,
    "another-preference": _another_preference,
    "drops-an-element": _drops_an_element,
    "the-opposite": _the_opposite,
    "one-side-only": _one_side_only,
    "the-other-end": _the_other_end,
    "argument-instead": _argument_instead,
    "swaps-arguments": _swaps_arguments,
}
