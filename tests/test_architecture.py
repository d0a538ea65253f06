"""The house rules that can be read off the source: who imports whom, no hidden state, files and functions of a size."""

from __future__ import annotations

import ast
import re
from pathlib import Path
from typing import NamedTuple

import pytest

from pypto_lite import ops

PACKAGE = "pypto_lite"
ROOT = Path(__file__).resolve().parent.parent / PACKAGE

ROOMS = (
    "collector",
    "diagnostics",
    "ir",
    "targets",
    "ops",
    "printer",
    "analysis",
    "passes",
    "trace",
    "interp",
    "report",
    "program",
    "language",
    "testing",
    "cli",
)
"""The rooms, lowest first: each may import itself and the ones before it."""

MAY_IMPORT_WHEN_CALLED = ("program", "cli")
"""The rooms whose functions may import: what they need is slow to import and not always needed."""

INTERNED = {("ir.interned", "_interned")}
"""The one table that grows at run time: equal types are one object. It holds no state that anything depends on."""

PATIENCE = {("collector", "_PATIENCE")}
"""How long the search for garbage was put off: it belongs to the process, as the garbage collector does."""

DISPATCH = {
    ("printer.annotations", "_WRITERS"),
    ("printer.expressions", "_COMPOSE"),
    ("printer.statements", "_WRITERS"),
}
"""The tables from a class to the method for it, which decorators fill while their module is imported."""

LAST_RESORTS = {"passes.pipeline", "passes.failure", "testing.campaign", "cli.bugs", "cli.importing"}
"""Where every exception is caught: a bug in a pass, the program that it left, what fuzzing finds, and the code of a
user's file."""

ASK_DECLARATIONS = ("printer", "analysis", "passes", "interp", "report")
"""The rooms that ask operators what they are, and know none by its name."""

OPERATORS_STAND_ON = {"ops.framework": ("ops.framework",), "ops.rules": ("ops.framework", "ops.rules")}
"""What the parts of the room of operators that declare none may import of it."""

LONGEST_FILE = 500
LONGEST_FUNCTION = 60


class Module(NamedTuple):
    """One source file; ``name`` is relative to the package, ``""`` for the package itself."""

    name: str
    is_package: bool
    text: str
    tree: ast.Module

    @property
    def room(self) -> str:
        return self.name.partition(".")[0]


class Import(NamedTuple):
    """One import of one of our own modules."""

    target: str
    line: int
    in_function: bool
    for_types_only: bool


def parsed(name: str, text: str, is_package: bool = False) -> Module:
    return Module(name, is_package, text, ast.parse(text))


def modules_of_the_package() -> dict[str, Module]:
    found: dict[str, Module] = {}
    for path in sorted(ROOT.rglob("*.py")):
        parts = path.relative_to(ROOT).with_suffix("").parts
        is_package = parts[-1] == "__init__"
        name = ".".join(parts[:-1] if is_package else parts)
        found[name] = parsed(name, path.read_text(encoding="utf-8"), is_package)
    return found


MODULES = modules_of_the_package()


def imports(module: Module, modules: dict[str, Module]) -> list[Import]:
    """What a module imports of the package, at any depth; a name imported from a package may be a module in it."""
    found: list[Import] = []
    stack: list[tuple[ast.AST, bool, bool]] = [(module.tree, False, False)]
    while stack:
        node, in_function, types_only = stack.pop()
        for target in _imported(node, module, modules):
            found.append(Import(target, node.lineno, in_function, types_only))  # type: ignore[attr-defined]
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)):
            in_function = True
        if isinstance(node, ast.If) and ast.unparse(node.test).endswith("TYPE_CHECKING"):
            stack += [(each, in_function, True) for each in node.body]
            stack += [(each, in_function, types_only) for each in node.orelse]
            continue
        stack += [(child, in_function, types_only) for child in ast.iter_child_nodes(node)]
    return found


def _imported(node: ast.AST, module: Module, modules: dict[str, Module]) -> list[str]:
    if isinstance(node, ast.Import):
        names = [alias.name for alias in node.names]
        return [name.removeprefix(PACKAGE).lstrip(".") for name in names if name.split(".")[0] == PACKAGE]
    if not isinstance(node, ast.ImportFrom):
        return []
    base = node.module or ""
    if node.level:
        package = module.name.split(".") if module.is_package else module.name.split(".")[:-1]
        above = package[: len(package) - node.level + 1]
        base = ".".join([PACKAGE, *above, *([base] if base else [])])
    if base.split(".")[0] != PACKAGE:
        return []
    base = base.removeprefix(PACKAGE).lstrip(".")
    inside = [f"{base}.{alias.name}".lstrip(".") for alias in node.names]
    return [each if each in modules else base for each in inside]


def upward_imports(modules: dict[str, Module]) -> list[str]:
    wrong: list[str] = []
    for module in modules.values():
        if module.room not in ROOMS:
            continue
        allowed = ROOMS[: ROOMS.index(module.room) + 1]
        for each in imports(module, modules):
            if each.target.partition(".")[0] not in (*allowed, ""):
                wrong.append(f"{module.name}:{each.line} imports {each.target}")
            if each.in_function and module.room not in MAY_IMPORT_WHEN_CALLED:
                wrong.append(f"{module.name}:{each.line} imports {each.target} inside a function")
    return wrong


def circles(modules: dict[str, Module]) -> list[list[str]]:
    """The groups of modules that import each other when they are loaded."""
    graph = {
        name: {
            each.target
            for each in imports(module, modules)
            if not each.in_function and not each.for_types_only and each.target in modules and each.target != name
        }
        for name, module in modules.items()
    }
    reachable = {name: _reachable(name, graph) for name in graph}
    groups = {frozenset(other for other in reachable[name] if name in reachable[other]) for name in graph}
    return sorted(sorted(group) for group in groups if len(group) > 1)


def _reachable(start: str, graph: dict[str, set[str]]) -> set[str]:
    seen = {start}
    stack = [start]
    while stack:
        for following in graph[stack.pop()] - seen:
            seen.add(following)
            stack.append(following)
    return seen


MUTATORS = {
    "add", "append", "appendleft", "clear", "discard", "extend", "insert", "pop", "popitem", "popleft", "remove",
    "setdefault", "update",
}  # fmt: skip


def written_state(module: Module, decorators: frozenset[str] = frozenset()) -> list[str]:
    """Names of the module that functions write: rebinding by ``global``, and changes of a container in place.

    A decorator that fills a table of its module while modules are loaded is how dispatch tables are made.
    """
    names = {
        target.id
        for node in module.tree.body
        if isinstance(node, (ast.Assign, ast.AnnAssign, ast.AugAssign))
        for target in (node.targets if isinstance(node, ast.Assign) else [node.target])
        if isinstance(target, ast.Name)
    }
    wrong: list[str] = []
    stack: list[ast.AST] = [module.tree]
    functions: list[ast.FunctionDef | ast.AsyncFunctionDef] = []
    while stack:
        node = stack.pop()
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            if node.name in decorators:
                continue
            functions.append(node)
        stack += ast.iter_child_nodes(node)
    for function in functions:
        local = {node.id for node in ast.walk(function) if isinstance(node, ast.Name) and not _is_read(node)}
        local |= {argument.arg for argument in ast.walk(function.args) if isinstance(argument, ast.arg)}
        for node in ast.walk(function):
            if isinstance(node, ast.Global):
                wrong += [f"{module.name}:{node.lineno} rebinds {name}" for name in node.names]
            name = _changed_name(node)
            if name in names - local and (module.name, name) not in INTERNED | PATIENCE | DISPATCH:
                wrong.append(f"{module.name}:{node.lineno} changes {name}")  # type: ignore[attr-defined]
    return sorted(set(wrong))


def decorators_of(modules: dict[str, Module]) -> frozenset[str]:
    """The names of the functions that decorate others at the top of modules."""
    used = [
        decorator.func if isinstance(decorator, ast.Call) else decorator
        for module in modules.values()
        for node in module.tree.body
        if isinstance(node, (ast.FunctionDef, ast.ClassDef))
        for decorator in node.decorator_list
    ]
    return frozenset(decorator.id for decorator in used if isinstance(decorator, ast.Name))


DECORATORS = decorators_of(MODULES)


def _is_read(node: ast.Name) -> bool:
    return isinstance(node.ctx, ast.Load)


def _changed_name(node: ast.AST) -> str | None:
    """The name of what a statement or a call changes in place."""
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in MUTATORS:
        changed = node.func.value
    elif isinstance(node, (ast.Subscript, ast.Attribute)) and isinstance(node.ctx, (ast.Store, ast.Del)):
        changed = node.value
    else:
        return None
    return changed.id if isinstance(changed, ast.Name) else None


def long_functions(module: Module) -> list[str]:
    return [
        f"{module.name}:{node.lineno} {node.name} has {lines} lines"
        for node in ast.walk(module.tree)
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef))
        and (lines := (node.end_lineno or node.lineno) - node.lineno + 1) > LONGEST_FUNCTION
    ]


def broad_excepts(module: Module) -> list[str]:
    if module.name in LAST_RESORTS:
        return []
    return [
        f"{module.name}:{node.lineno} catches everything"
        for node in ast.walk(module.tree)
        if isinstance(node, ast.ExceptHandler)
        and (node.type is None or re.search(r"\b(Base)?Exception\b", ast.unparse(node.type)))
    ]


def imports_of_declarations(module: Module, modules: dict[str, Module]) -> list[str]:
    """What a module that declares no operators imports of those that do."""
    folder = ".".join(module.name.split(".")[:2])
    allowed = OPERATORS_STAND_ON.get(folder)
    return [
        f"{module.name}:{each.line} imports {each.target}"
        for each in (imports(module, modules) if allowed is not None else ())
        if each.target.startswith("ops") and not each.target.startswith(allowed or ())
    ]


def named_operators(module: Module) -> list[str]:
    """The strings that are the name of an operator, or the part of one that says its level."""
    known = {*ops.operators(), *[f"{level.value}." for level in ops.Level]}
    return [
        f"{module.name}:{node.lineno} names {node.value}"
        for node in ast.walk(module.tree)
        if isinstance(node, ast.Constant) and node.value in known
    ]


def marks(module: Module) -> list[str]:
    return [
        f"{module.name}:{number} {line.strip()}"
        for number, line in enumerate(module.text.splitlines(), 1)
        if re.search(r"\b(TODO|FIXME|XXX|HACK)\b", line)
    ]


each_module = pytest.mark.parametrize("module", MODULES.values(), ids=[name or PACKAGE for name in MODULES])


def test_every_room_is_known() -> None:
    rooms = {module.room for module in MODULES.values()} - {"", "__main__"}
    assert rooms <= set(ROOMS)


def test_no_room_imports_one_above_it() -> None:
    assert upward_imports(MODULES) == []


def test_no_modules_import_each_other() -> None:
    assert circles(MODULES) == []


@each_module
def test_no_function_writes_the_state_of_its_module(module: Module) -> None:
    assert written_state(module, DECORATORS) == []


@each_module
def test_a_file_says_first_what_it_is_for(module: Module) -> None:
    assert ast.get_docstring(module.tree)


@each_module
def test_no_file_is_too_long(module: Module) -> None:
    assert len(module.text.splitlines()) <= LONGEST_FILE


@each_module
def test_no_function_is_too_long(module: Module) -> None:
    assert long_functions(module) == []


@each_module
def test_nothing_catches_every_exception(module: Module) -> None:
    assert broad_excepts(module) == []


def test_how_operators_are_declared_depends_on_none_of_them() -> None:
    assert [found for each in MODULES.values() for found in imports_of_declarations(each, MODULES)] == []


@pytest.mark.parametrize("room", ASK_DECLARATIONS)
def test_what_works_for_all_operators_names_none(room: str) -> None:
    assert [found for each in MODULES.values() if each.room == room for found in named_operators(each)] == []


@each_module
def test_nothing_is_marked_as_unfinished(module: Module) -> None:
    assert marks(module) == []


# The checks themselves


def _rooms(**texts: str) -> dict[str, Module]:
    made = {name.replace("__", "."): text for name, text in texts.items()}
    return {name: parsed(name, text, is_package="." not in name) for name, text in made.items()}


@pytest.mark.parametrize(
    "text",
    [
        "from pypto_lite import passes",
        "from pypto_lite.passes import verify",
        "import pypto_lite.passes",
        "from .. import passes",
        "if TYPE_CHECKING:\n    from pypto_lite.passes import Pass",
    ],
)
def test_an_upward_import_is_found(text: str) -> None:
    assert len(upward_imports(_rooms(ir__types=text, passes=""))) == 1


def test_a_downward_import_is_fine() -> None:
    assert upward_imports(_rooms(passes__simplify="from pypto_lite import ir\nfrom . import protocol", ir="")) == []


@pytest.mark.parametrize(("room", "count"), [("passes", 1), ("cli", 0)])
def test_an_import_inside_a_function_is_found(room: str, count: int) -> None:
    text = "def run():\n    from pypto_lite import ir"
    assert len(upward_imports(_rooms(**{f"{room}__main": text, "ir": ""}))) == count


def test_a_circle_is_found() -> None:
    apart = _rooms(ir__a="from pypto_lite.ir import b", ir__b="from pypto_lite.ir import c", ir__c="", ir="")
    assert circles(apart) == []
    closed = _rooms(ir__a="from pypto_lite.ir import b", ir__b="from pypto_lite.ir.a import x", ir="")
    assert circles(closed) == [["ir.a", "ir.b"]]


def test_an_import_for_types_closes_no_circle() -> None:
    typed = _rooms(
        ir__a="from pypto_lite.ir import b", ir__b="if TYPE_CHECKING:\n    from pypto_lite.ir.a import x", ir=""
    )
    assert circles(typed) == []


@pytest.mark.parametrize(
    "body",
    [
        "global SEEN; SEEN = {}",
        "SEEN[key] = 1",
        "SEEN.update(a=1)",
        "del SEEN[key]",
        "SEEN.total = 1",
        "SEEN[key] += 1",
    ],
)
def test_written_state_is_found(body: str) -> None:
    assert len(written_state(parsed("ir.interned", f"SEEN = {{}}\ndef note(key):\n    {body}"))) == 1


@pytest.mark.parametrize("body", ["seen = {}; seen[key] = 1", "return SEEN[key]", "SEEN = {}; SEEN[key] = 1"])
def test_local_and_read_state_is_fine(body: str) -> None:
    assert written_state(parsed("ir.interned", f"SEEN = {{}}\ndef note(key):\n    {body}")) == []


def test_a_decorator_may_fill_a_table_while_the_module_is_loaded() -> None:
    table = parsed(
        "ops.table", "RULES = {}\ndef rule(key):\n    def note(made):\n        RULES[key] = made\n    return note\n"
    )
    user = parsed("ops.one", "from pypto_lite.ops.table import rule\n@rule(1)\ndef one(): ...")
    assert written_state(table) != []
    assert written_state(table, decorators_of({"ops.table": table, "ops.one": user})) == []


@pytest.mark.parametrize("caught", ["except:", "except Exception:", "except (ValueError, BaseException) as error:"])
def test_a_broad_except_is_found(caught: str) -> None:
    assert len(broad_excepts(parsed("ir.interned", f"try:\n    pass\n{caught}\n    pass"))) == 1


def test_a_long_function_is_found() -> None:
    body = "    pass\n" * LONGEST_FUNCTION
    assert len(long_functions(parsed("ir.interned", f"def long():\n{body}"))) == 1


@pytest.mark.parametrize(
    ("name", "count"), [("ops.framework.lookup", 1), ("ops.rules.layouts", 1), ("ops.vector.sorting", 0)]
)
def test_an_import_of_a_declaration_is_found(name: str, count: int) -> None:
    module = parsed(name, "from pypto_lite.ops.vector import unary")
    assert len(imports_of_declarations(module, {"ops.vector.unary": module, name: module})) == count


@pytest.mark.parametrize(
    "text", ['call.op == "tile.move"', 'call.op in {"tensor.slice"}', 'name.startswith("tile.")', 'f"tile.{name}"']
)
def test_a_named_operator_is_found(text: str) -> None:
    assert len(named_operators(parsed("passes.one", text))) == 1


def test_a_mark_is_found() -> None:
    assert len(marks(parsed("ir.interned", "x = 1  # TO" + "DO later"))) == 1
