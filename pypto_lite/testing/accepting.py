"""Rewrites expected classes in test files: the body of ``class After`` becomes what a pass really gives.

Python's ``ast`` finds the class and the end of its body; the text is cut there, so that all other bytes of the file
stay as they are.
"""

from __future__ import annotations

import ast
import io
import re
import tokenize
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple

from pypto_lite import ir, printer

if TYPE_CHECKING:
    from collections.abc import Sequence

_BEHIND: Final = re.compile(r"\A[ \t]*#[^\r\n]*")
"""A comment behind the last statement of a body."""

LANGUAGE: Final = ("pypto_lite.language", "pypto.language")

MEMBER_INDENT: Final = 4
"""How far the members of a printed class are indented."""


class Rewrite(NamedTuple):
    """A class in a file, by the first line of its statement or its decorators, and the text of its members."""

    file: str
    line: int
    name: str
    members: str
    prelude: tuple[str, ...]
    """The names, such as symbolic dimensions, that the members need from outside."""

    def __str__(self) -> str:
        return f"class {self.name} in {self.file}, line {self.line}"


class RewriteError(Exception):
    """Why a class can't be rewritten, in a sentence."""


def rewriting(expected: ir.Program, actual: ir.Program) -> Rewrite:
    """How the class that ``expected`` was traced from becomes ``actual``. Raises RewriteError."""
    source = Path(expected.span.filename or "")
    if not expected.span or not source.is_file():
        raise RewriteError(f"{expected.name!r} is no class in a file")
    head, _, body = printer.python_print(actual, concise=True).partition(f"class {actual.name}:\n")
    members = "".join(line for line in body.splitlines(keepends=True) if not line.lstrip().startswith("#"))
    prelude = tuple(re.findall(r"^(\w+) = ", head, re.MULTILINE))
    rewrite = Rewrite(str(source), expected.span.line, expected.name, members, prelude)
    rewritten(source.read_bytes(), [rewrite])  # tells now what would fail at the end
    return rewrite


def apply(rewrites: Sequence[Rewrite]) -> None:
    """Rewrites all the classes, each file once."""
    for file, of_file in groupby(sorted(rewrites), lambda each: each.file):
        path = Path(file)
        path.write_bytes(rewritten(path.read_bytes(), list(of_file)))


def rewritten(source: bytes, rewrites: Sequence[Rewrite]) -> bytes:
    """The bytes of a file with the bodies of some classes rewritten. Raises RewriteError."""
    encoding, _ = tokenize.detect_encoding(io.BytesIO(source).readline)
    text = source.decode(encoding)
    try:
        module = ast.parse(source)
    except SyntaxError as error:
        raise RewriteError(f"the file is no Python: {error}") from None
    for rewrite in sorted(rewrites, key=lambda each: -each.line):
        text = _with_body(text, module, rewrite)
    return text.encode(encoding)


def _with_body(text: str, module: ast.Module, rewrite: Rewrite) -> str:
    found = _class(module, rewrite)
    missing = set(rewrite.prelude) - {node.id for node in ast.walk(module) if isinstance(node, ast.Name)}
    if missing:
        raise RewriteError(f"the new body of {rewrite} needs names that the file does not have: {sorted(missing)}")
    lines = list(io.StringIO(text, newline=""))
    body = [each for each in found.body if not _is_docstring(each)] or found.body
    begin = _offset(lines, *_start(body[0]))
    end = _offset(lines, body[-1].end_lineno or 0, body[-1].end_col_offset or 0)
    before = text[:begin]
    line = before[max(before.rfind("\n"), before.rfind("\r")) + 1 :]
    ending = re.search(r"\r\n|\r|\n", text)
    newline = ending.group() if ending is not None else "\n"
    indent = line
    if line.strip():  # the body begins behind the colon
        indent = re.match(r"\s*", lines[found.lineno - 1]).group() + " " * MEMBER_INDENT  # type: ignore[union-attr]
        before = before.rstrip() + newline + indent
    members = [each[MEMBER_INDENT:] for each in _spelled(rewrite.members, module).rstrip("\n").split("\n")]
    told = f"{newline}".join([members[0], *(indent + each if each else "" for each in members[1:])])
    return before + told + _BEHIND.sub("", text[end:], count=1)


def _class(module: ast.Module, rewrite: Rewrite) -> ast.ClassDef:
    for node in ast.walk(module):
        if isinstance(node, ast.ClassDef) and node.name == rewrite.name:
            first = min([node.lineno, *(decorator.lineno for decorator in node.decorator_list)])
            if first <= rewrite.line <= node.lineno:
                return node
    raise RewriteError(f"there is no {rewrite}: has the file changed?")


def _is_docstring(statement: ast.stmt) -> bool:
    value = statement.value if isinstance(statement, ast.Expr) else None
    return isinstance(value, ast.Constant) and isinstance(value.value, str)


def _start(statement: ast.stmt) -> tuple[int, int]:
    """The line and the column, in bytes, where a statement begins with its decorators."""
    decorators = statement.decorator_list if isinstance(statement, (ast.FunctionDef, ast.ClassDef)) else []
    if decorators:
        # The @ stands in front of the expression, on its line or above it, and nothing else does.
        return decorators[0].lineno, statement.col_offset
    return statement.lineno, statement.col_offset


def _offset(lines: Sequence[str], line: int, column: int) -> int:
    """Where in the text a line and a column in bytes are."""
    before = sum(len(each) for each in lines[: line - 1])
    return before + len(lines[line - 1].encode()[:column].decode())


def _spelled(members: str, module: ast.Module) -> str:
    """The members with the language called as the file calls it. Raises RewriteError where it does not import it."""
    names = [
        alias.asname or alias.name
        for node in ast.walk(module)
        if isinstance(node, (ast.Import, ast.ImportFrom))
        for alias in node.names
        if (alias.name if isinstance(node, ast.Import) else f"{node.module}.{alias.name}") in LANGUAGE
    ]
    if "pl" in names:
        return members
    if not names:
        raise RewriteError("the file does not import pypto_lite.language")
    return re.sub(r"(?<![\w.'\"])pl(?=\.)", names[0], members)
