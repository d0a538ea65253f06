"""Reads a text as a module without running it: its constants, its imports of ours, and the kernels in it."""

from __future__ import annotations

import ast
import builtins
import math
from types import ModuleType
from typing import TYPE_CHECKING, Any, Final, Literal, cast

from pypto_lite.diagnostics import Diagnostic, UserError
from pypto_lite.trace.expressions.static_values import evaluate
from pypto_lite.trace.names.builtins import Decorator, missing_name, similar_names
from pypto_lite.trace.names.environment import Environment, Unavailable
from pypto_lite.trace.source.capture import Definition, SourceFile, nested_statements

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

PACKAGES: Final = ("pypto_lite", "pypto")
"""The packages whose ``language`` a text may import: ours, and the one that we stand in for."""


class Kernel:
    """A decorated definition of a text, and what its names mean."""

    __slots__ = ("definition", "environment", "kind")

    def __init__(
        self,
        kind: Literal["program", "function", "inline"],
        definition: ast.ClassDef | ast.FunctionDef,
        environment: Environment,
    ) -> None:
        self.kind: Literal["program", "function", "inline"] = kind
        self.definition = definition
        self.environment = environment


class TextModule:
    """The module-level names of a text, as running it would bind them, and its decorated definitions in order.

    ``pl`` is the language from the start, so a text need not import it; one that binds the name means something else.
    A name that is bound to anything without a static value is Unavailable, which is an error where a kernel uses it
    and only there: a text may well import what its kernels don't need.
    """

    def __init__(self, file: SourceFile, language: ModuleType) -> None:
        self.kernels: list[Kernel] = []
        self.unknown_decorators: list[UserError] = []
        """Why decorators of module-level definitions may or may not be ours: nobody knows what they are."""
        self._file = file
        self._language = language
        self._names: dict[str, Any] = {"__name__": "<text>", "pl": language}
        self._functions: dict[str, Kernel] = {}
        # A kernel may call functions that are defined behind it, so this scope fills up after it was handed out.
        self._environment = self._snapshot(self._names)
        self._run(file.tree.body)

    def _snapshot(self, names: Mapping[str, Any]) -> Environment:
        return Environment(self._file, (names, self._functions, vars(builtins)), live=False)

    def _run(self, statements: Iterable[ast.stmt]) -> None:
        """Binds names as the statements would. Nesting is bounded by Python's parser, hence the recursion is."""
        for statement in statements:
            match statement:
                case ast.Import():
                    self._import(statement)
                case ast.ImportFrom():
                    self._import_from(statement)
                case ast.Assign():
                    self._assign(statement.targets, statement.value)
                case ast.AnnAssign(value=ast.expr() as value):
                    self._assign([statement.target], value)
                case ast.AugAssign(target=ast.Name() as target):
                    operation = ast.BinOp(ast.Name(target.id, ast.Load()), statement.op, statement.value)
                    ast.copy_location(operation.left, target)
                    self._assign([target], ast.copy_location(operation, statement))
                case ast.ClassDef() | ast.FunctionDef() | ast.AsyncFunctionDef():
                    self._define(statement)
                case ast.If():
                    self._branch(statement)
                case ast.Try():
                    self._forget(statement, "a name bound under try")
                    self._run([*statement.body, *statement.orelse, *statement.finalbody])
                case ast.Expr(value=ast.Call(func=ast.Attribute(value=ast.Name() as owner))):
                    self._may_change(owner)
                case ast.Delete():
                    self._forget(statement, "a deleted name")
                case _:
                    self._forget(statement, "a name bound in a block")

    def _import(self, statement: ast.Import) -> None:
        for alias in statement.names:
            root = alias.name.partition(".")[0]
            part = part_of_language(alias.name)
            if alias.name == "math":
                self._names[alias.asname or "math"] = math
            elif part is not None and alias.asname is None:  # the name that is bound is the package's
                package = ModuleType(root)
                package.__dict__["language"] = self._language
                self._names[root] = package
            elif part is not None and alias.asname is not None:
                found = self._missing(f"{root}.language", self._language, part, alias) if part else self._language
                self._names[alias.asname] = found
            else:
                reason = f"import of {alias.name}"
                self._names[alias.asname or root] = Unavailable(reason, self._file.span(alias))

    def _import_from(self, statement: ast.ImportFrom) -> None:
        source = statement.module or ""
        part = part_of_language(source) if statement.level == 0 else None
        for alias in statement.names:
            bound = alias.asname or alias.name
            if statement.level == 0 and source == "math":
                module: Any = math
            elif part == "":
                module = self._language
            elif part is not None:
                owner = source.removesuffix(f".{part}")
                self._names[bound] = self._missing(owner, self._language, part, alias)
                continue
            elif statement.level == 0 and source in PACKAGES and alias.name == "language":
                self._names[bound] = self._language
                continue
            elif (statement.module, alias.name) == ("typing", "TYPE_CHECKING"):
                self._names[bound] = False
                continue
            else:
                reason = f"import from {'.' * statement.level}{source}"
                self._names[bound] = Unavailable(reason, self._file.span(alias))
                continue
            if alias.name == "*":
                public = getattr(module, "__all__", None) or [name for name in dir(module) if not name.startswith("_")]
                self._names.update({name: getattr(module, name) for name in public})
            elif alias.name in dir(module):
                self._names[bound] = getattr(module, alias.name)
            else:
                self._names[bound] = self._missing(source, module, alias.name, alias)

    def _missing(self, owner: str, module: ModuleType, path: str, alias: ast.alias) -> Unavailable:
        """What an import binds that names something which the language, or ``math``, does not have."""
        span = self._file.span(alias)
        members = {name: getattr(module, name) for name in dir(module)}
        name = path.partition(".")[0]
        if module is self._language:
            problem = missing_name(name, owner, members, span)
        else:
            problem = Diagnostic("PL107", f"{owner} has no name {name!r}", span, hint=similar_names(name, members))
        return Unavailable(problem.message, span, problem)

    def _assign(self, targets: list[ast.expr], value: ast.expr) -> None:
        try:
            evaluated: Any = evaluate(value, self._environment)
        except UserError as error:
            evaluated = Unavailable(error.diagnostics[0].message, self._file.span(value))
        for target in targets:
            self._bind(target, evaluated)

    def _bind(self, target: ast.expr, value: Any) -> None:
        match target:
            case ast.Name():
                self._names[target.id] = value
            case ast.Tuple() | ast.List() if not any(isinstance(element, ast.Starred) for element in target.elts):
                if isinstance(value, (tuple, list)) and len(cast("tuple[Any, ...]", value)) == len(target.elts):
                    for element, each in zip(target.elts, cast("tuple[Any, ...]", value), strict=True):
                        self._bind(element, each)
                else:
                    self._forget(target, "a part of something that can't be taken apart")
            case ast.Subscript(value=ast.Name() as owner):
                self._may_change(owner)
            case _:
                self._forget(target, "an assignment that can't be followed")

    def _define(self, statement: Definition) -> None:
        kind = self._kind(statement)
        if kind is not None and isinstance(statement, (ast.ClassDef, ast.FunctionDef)):
            kernel = Kernel(kind, statement, self._snapshot(dict(self._names)))
            self.kernels.append(kernel)
            self._names[statement.name] = kernel
            if kind != "program":
                self._functions[statement.name] = kernel
            return
        what = "a class" if isinstance(statement, ast.ClassDef) else "a function that is no kernel"
        self._names[statement.name] = Unavailable(what, self._file.name_span(statement))

    def _kind(self, statement: Definition) -> Literal["program", "function", "inline"] | None:
        """What the first of our decorators makes of a definition, or None where there is none of ours."""
        for decorator in statement.decorator_list:
            function = decorator.func if isinstance(decorator, ast.Call) else decorator
            try:
                value = evaluate(function, self._environment)
            except UserError as error:
                self.unknown_decorators.append(error)
                continue
            if isinstance(value, Decorator):
                return value.kind
        return None

    def _branch(self, statement: ast.If) -> None:
        try:
            chosen = evaluate(statement.test, self._environment)
        except UserError:
            self._forget(statement, "a name bound under a condition")
        else:
            self._run(statement.body if chosen else statement.orelse)

    def _may_change(self, owner: ast.Name) -> None:
        """A method call or an item assignment may have changed the object behind a name."""
        if isinstance(self._names.get(owner.id), (list, dict, set)):
            self._names[owner.id] = Unavailable("an object that is changed later", self._file.span(owner))

    def _forget(self, node: ast.AST, reason: str) -> None:
        for name, place in _bound_names(node):
            self._names[name] = Unavailable(reason, self._file.span(place))


def part_of_language(module: str) -> str | None:
    """For a module of the language its path in there, which is empty for the language itself; None for any other."""
    root, _, rest = module.partition(".")
    package, _, path = rest.partition(".")
    return path if root in PACKAGES and package == "language" else None


def _bound_names(root: ast.AST) -> Iterator[tuple[str, ast.AST]]:
    """The names that a statement or a target binds or deletes in its own scope, and where."""
    pending: list[ast.AST] = [root]
    while pending:
        node = pending.pop()
        match node:
            case ast.Name(ctx=ast.Store() | ast.Del()):
                yield node.id, node
            case ast.Import() | ast.ImportFrom():
                for alias in node.names:
                    yield (alias.asname or alias.name).partition(".")[0], alias
            case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef():
                yield node.name, node
            case ast.ExceptHandler(name=str() as name) | ast.MatchAs(name=str() as name):
                yield name, node
                pending.extend(ast.iter_child_nodes(node))
            case _:
                pending.extend(ast.iter_child_nodes(node))


def hidden_programs(module: TextModule, file: SourceFile) -> Iterator[ast.ClassDef]:
    """Classes that look like programs but stand where only running the text would reach them."""
    known = {kernel.definition for kernel in module.kernels}
    pending: list[ast.stmt] = list(file.tree.body)
    while pending:
        statement = pending.pop(0)
        if isinstance(statement, ast.ClassDef) and statement not in known:
            for decorator in statement.decorator_list:
                function = decorator.func if isinstance(decorator, ast.Call) else decorator
                name = function.attr if isinstance(function, ast.Attribute) else getattr(function, "id", None)
                if name == "program":
                    yield statement
        pending[:0] = nested_statements(statement)
