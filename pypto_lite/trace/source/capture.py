"""Finds and parses the source of decorated classes and functions, and gives places in it.

A text is parsed as a whole, once, and its definitions are indexed by line, so a file full of kernels costs one parse,
and a class that is nested in a factory, indented with tabs or followed by under-indented lines needs no cutting out.
"""

from __future__ import annotations

import ast
import linecache
import re
import sys
import warnings
from bisect import bisect_left, bisect_right
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING, Any, Final, TypeAlias, cast

from pypto_lite.diagnostics import NO_SPAN, Diagnostic, SourceText, Span, UserError
from pypto_lite.trace.source.caller import user_span

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from types import FrameType, FunctionType

Definition: TypeAlias = "ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef"

KEPT_FILES: Final = 4
"""How many parsed texts are kept: modules are imported one inside the other, but seldom deeper than this."""


MOST_OPERANDS: Final = 2900
"""How many operands one expression may join: about what Python's own parser can take on every version."""


class Comment:
    """A comment with its ``#``; ``alone`` tells whether nothing else stands on its line."""

    __slots__ = ("alone", "column", "line", "text")

    def __init__(self, line: int, column: int, text: str, alone: bool) -> None:
        self.line = line
        self.column = column
        self.text = text
        self.alone = alone


def _line_of(comment: Comment) -> int:
    return comment.line


class SourceFile:
    """One parsed source text. Shared between all definitions in it, so nobody may change its tree."""

    def __init__(self, filename: str, text: str, tree: ast.Module) -> None:
        self.source = SourceText(filename, text)
        self.tree = tree
        self._ascii = text.isascii()
        self._parents: dict[Definition, Definition | None] = {}
        self._by_line: dict[int, list[Definition]] = {}
        self._index_definitions()

    @property
    def filename(self) -> str:
        return self.source.filename

    def _index_definitions(self) -> None:
        """Indexes definitions by the line that Python's code objects call their first: that of the first decorator."""
        pending: list[tuple[ast.stmt, Definition | None]] = [(statement, None) for statement in self.tree.body]
        while pending:
            statement, parent = pending.pop()
            if isinstance(statement, (ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)):
                self._parents[statement] = parent
                self._by_line.setdefault(first_line(statement), []).append(statement)
                parent = statement
            if not isinstance(statement, _SIMPLE):
                pending.extend([(inner, parent) for inner in nested_statements(statement)])

    def definition(self, line: int, name: str) -> Definition | None:
        """The definition of ``name`` whose first line, decorators included, is ``line``."""
        return next((found for found in self._by_line.get(line, ()) if found.name == name), None)

    def classes(self, name: str) -> list[ast.ClassDef]:
        """The classes of this name, nested ones too."""
        return [found for found in self._parents if isinstance(found, ast.ClassDef) and found.name == name]

    def parent(self, definition: Definition) -> Definition | None:
        """The class or function that directly holds ``definition``."""
        return self._parents[definition]

    def span(self, node: ast.AST) -> Span:
        """The place of an expression, a statement, an argument or a keyword; NO_SPAN for nodes that have none."""
        located = cast("ast.expr", node)
        line: int | None = getattr(located, "lineno", None)
        end_line, end_column = getattr(located, "end_lineno", None), getattr(located, "end_col_offset", None)
        if line is None or end_line is None or end_column is None:
            return NO_SPAN
        column = located.col_offset
        if not self._ascii:
            column = self._characters(line, column)
            end_column = self._characters(end_line, end_column)
        return Span(self.source, line, column + 1, end_line, end_column + 1)

    def name_span(self, definition: Definition) -> Span:
        """The place of the name that a definition binds."""
        span = self.span(definition)
        text = self.source.line(span.line) or ""
        found = re.compile(rf"\b{definition.name}\b").search(text, span.column + len("def") - 1)
        if found is None:  # the name stands on a later line, after a backslash
            return self.line_span(span.line)
        return Span(self.source, span.line, found.start() + 1, span.line, found.end() + 1)

    def line_span(self, line: int) -> Span:
        """The place of all that stands on one line."""
        text = self.source.line(line) or ""
        return Span(self.source, line, len(text) - len(text.lstrip()) + 1, line, len(text.rstrip()) + 1)

    def _characters(self, line: int, offset: int) -> int:
        """How many characters the first ``offset`` bytes of a line are: ``ast`` counts bytes of UTF-8."""
        text = self.source.line(line) or ""
        return offset if text.isascii() else len(text.encode()[:offset].decode())

    def comments(self, first: int, last: int) -> Sequence[Comment]:
        """The comments from line ``first`` to line ``last``, in order."""
        start = bisect_left(self._comments, first, key=_line_of)
        return self._comments[start : bisect_right(self._comments, last, key=_line_of)]

    @cached_property
    def _comments(self) -> list[Comment]:
        text = self.source.text
        if "#" not in text:
            return []
        if re.search(_FORMATTED, text):
            text = self._without_formatted_strings()
        found: list[Comment] = []
        line, start_of_line = 1, 0
        for match in re.finditer(_STRING_OR_COMMENT, text):
            start = match.start()
            if text[start] != "#":
                continue
            newlines = text.count("\n", start_of_line, start)
            if newlines:
                line += newlines
                start_of_line = text.rindex("\n", 0, start) + 1
            alone = not text[start_of_line:start].strip()
            found.append(Comment(line, start - start_of_line + 1, match.group().rstrip(), alone))
        return found

    def _without_formatted_strings(self) -> str:
        """The text with its f-strings blanked: from Python 3.12 on they may hold their own quotes, unescaped."""
        lines = self.source.text.split("\n")
        starts = [0]
        for line in lines:
            starts.append(starts[-1] + len(line) + 1)
        parts: list[str] = []
        done = 0
        for span in sorted(map(self.span, self._formatted_strings()), key=lambda span: (span.line, span.column)):
            start = starts[span.line - 1] + span.column - 1
            end = starts[span.end_line - 1] + span.end_column - 1
            parts += [self.source.text[done:start], re.sub(r"[^\n]", " ", self.source.text[start:end])]
            done = end
        return "".join([*parts, self.source.text[done:]])

    def _formatted_strings(self) -> Iterator[ast.JoinedStr]:
        pending: list[ast.AST] = [self.tree]
        while pending:
            node = pending.pop()
            if isinstance(node, ast.JoinedStr):
                yield node
            else:
                pending.extend(ast.iter_child_nodes(node))


# Patterns, which ``re`` compiles and keeps when they are first needed.
_STRING_OR_COMMENT: Final = (
    r'(?s)"""(?:[^\\"]|\\.|"(?!""))*"""'
    r"|'''(?:[^\\']|\\.|'(?!''))*'''"
    r'|"(?:[^\\"\n]|\\.)*"'
    r"|'(?:[^\\'\n]|\\.)*'"
    r"|#[^\n]*"
)
_STRUCTURE: Final = _STRING_OR_COMMENT + r"|[()\[\]{},:;\n]|\\\n|[=!<>]=|\*\*|//|<<|>>|[-+*/%@&|^<>=]"
_FORMATTED: Final = r"\b[rR]?[fF][rR]?[\"']"
"""What an f-string begins with."""


def first_line(definition: Definition) -> int:
    """The line of the first decorator, else of the definition itself."""
    return definition.decorator_list[0].lineno if definition.decorator_list else definition.lineno


_SIMPLE: Final = (ast.Assign, ast.AnnAssign, ast.Expr, ast.AugAssign, ast.Return)
"""Statements, of those that kernels mostly consist of, that hold no others."""


def nested_statements(statement: ast.stmt) -> Iterator[ast.stmt]:
    """The statements in the blocks of a statement."""
    for field in ("body", "orelse", "finalbody"):
        yield from getattr(statement, field, ())
    for arm in (*getattr(statement, "handlers", ()), *getattr(statement, "cases", ())):
        yield from arm.body


def parse_source(text: str, filename: str) -> SourceFile:
    """Parses a text. Raises a coded error where it is no Python, or nested too deeply for Python's parser."""
    return _parse(_normalised(text), filename)


def parse_file(text: str, filename: str) -> SourceFile:
    """Parses the text of a file, which is kept from one of its kernels to the next. Raises as ``parse_source`` does."""
    return _parse_once(_normalised(text), filename)


def _normalised(text: str) -> str:
    text = text.removeprefix("\ufeff")
    return text.replace("\r\n", "\n").replace("\r", "\n") if "\r" in text else text


def _parse(text: str, filename: str) -> SourceFile:
    _refuse_unencodable(text, filename)
    if sum(map(text.count, "+-*/%&|^<>")) >= MOST_OPERANDS:
        longest, start = _longest_chain(text)
        if longest > MOST_OPERANDS:
            raise _too_deep(text, filename, start)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # Python has given, or will give, its own warnings about the text
            tree = ast.parse(text, filename)
    except SyntaxError as error:
        raise UserError(_syntax_diagnostic(error, text, filename)) from None
    except (RecursionError, MemoryError):
        raise _too_deep(text, filename, _longest_chain(text)[1]) from None
    return SourceFile(filename, text, tree)


_parse_once = lru_cache(maxsize=KEPT_FILES)(_parse)  # keyed by the text, so it can't be stale


def _longest_chain(text: str) -> tuple[int, int]:
    """The most operands joined by operators without brackets between them, and the offset where they begin.

    Each of them nests the tree one level deeper, and some versions of Python crash rather than refuse to parse it.
    """
    longest, longest_start = 0, 0
    count, start = 1, 0
    outer: list[tuple[int, int]] = []
    for match in re.finditer(_STRUCTURE, text):
        mark = match.group()
        if mark in "([{":
            outer.append((count, start))
            count, start = 1, match.end()
        elif mark in ")]}":
            count, start = outer.pop() if outer else (1, match.end())
        elif mark in ",:;=" or (mark == "\n" and not outer):
            count, start = 1, match.end()
        elif mark[0] in "+-*/%@&|^<>":
            count += 1
            if count > longest:
                longest, longest_start = count, start
    return longest, longest_start


def _too_deep(text: str, filename: str, start: int) -> UserError:
    start += len(text[start:]) - len(text[start:].lstrip())
    source = SourceText(filename, text)
    line = text.count("\n", 0, start) + 1
    column = start - (text.rfind("\n", 0, start) + 1) + 1
    span = Span(source, line, column, line, len(source.line(line) or "") + 1)
    message = "the expression has too many operands for Python's parser"
    return UserError(
        Diagnostic("PL118", message, span, expected=f"at most {MOST_OPERANDS}", hint="split it into several statements")
    )


def _refuse_unencodable(text: str, filename: str) -> None:
    """Refuses what Python's parser raises other errors than SyntaxError for: NUL and halves of surrogate pairs."""
    found = re.search("[\0\ud800-\udfff]", text)
    if found is None:
        return
    line = text.count("\n", 0, found.start()) + 1
    column = found.start() - (text.rfind("\n", 0, found.start()) + 1) + 1
    shown = SourceText(filename, re.sub("[\ud800-\udfff]", "\ufffd", text))
    span = Span(shown, line, column, line, column + 1)
    raise UserError(Diagnostic("PL101", f"the character {found.group()!r} can't stand in Python source", span))


def _syntax_diagnostic(error: SyntaxError, text: str, filename: str) -> Diagnostic:
    source = SourceText(filename, text)
    line = max(error.lineno or 1, 1)
    column = max(error.offset or 1, 1)
    end_line = max(error.end_lineno or line, line)
    end_column = error.end_offset or 0
    if end_line == line and end_column <= column:
        end_column = column + 1
    span = Span(source, line, column, end_line, end_column)
    if "too many levels of indentation" in error.msg or "too many nested" in error.msg:
        return Diagnostic("PL118", error.msg, span, hint="move inner blocks into functions")
    return Diagnostic("PL101", error.msg, span)


def function_source(function: FunctionType) -> tuple[SourceFile, ast.FunctionDef]:
    """The source of an undecorated Python function: the file it stands in and its definition."""
    code = function.__code__
    if code.co_name == "<lambda>":
        raise UserError(
            Diagnostic("PL115", "a lambda can't be a kernel", user_span(), expected="a function made with def")
        )
    file = _file_of(code.co_filename, function.__globals__, function.__qualname__)
    found = file.definition(code.co_firstlineno, code.co_name)
    if found is None or not _has_parameters(found, function):
        raise _no_source(function.__qualname__, code.co_filename)
    if not isinstance(found, ast.FunctionDef):
        raise UserError(
            Diagnostic("PL110", "a kernel can't be asynchronous", file.name_span(found), expected="def, not async def")
        )
    return file, found


def _has_parameters(definition: Definition, function: FunctionType) -> bool:
    """Whether the parameters agree: another text at the same lines is a changed file, or another ``<string>``."""
    if isinstance(definition, ast.ClassDef):
        return False
    arguments = definition.args
    written = [each.arg for each in (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs)]
    code = function.__code__
    compiled = code.co_varnames[: code.co_argcount + code.co_kwonlyargcount]
    # In a class, Python puts the class's name in front of names that begin with two underscores.
    return len(written) == len(compiled) and all(map(str.endswith, compiled, written))


def class_source(
    cls: type, functions: Iterable[FunctionType], frame: FrameType | None
) -> tuple[SourceFile, ast.ClassDef]:
    """The source of a class: the file it stands in and its definition.

    ``functions`` are the functions that the class body made. Where there is none, the class is looked for at the line
    that ``frame``, the code that applies the decorator, has reached.
    """
    for function in functions:
        file, definition = function_source(function)
        parent = file.parent(definition)
        if isinstance(parent, ast.ClassDef) and parent.name == cls.__name__:
            return file, parent
    if frame is None:
        raise _no_source(cls.__qualname__, "")
    file = _file_of(frame.f_code.co_filename, frame.f_globals, cls.__qualname__)
    line = frame.f_lineno
    for found in file.classes(cls.__name__):
        if first_line(found) <= line <= (found.end_lineno or found.lineno):
            return file, found
    raise _no_source(cls.__qualname__, file.filename)


def _file_of(filename: str, module_globals: dict[str, Any], name: str) -> SourceFile:
    """The parsed file that code was compiled from, where Python keeps its text: on disk, in an archive, in a notebook
    cell, or in anything that registers itself in ``linecache``."""
    linecache.checkcache(filename)
    text = "".join(linecache.getlines(filename, module_globals))
    if not text and filename == "<string>" and module_globals.get("__name__") == "__main__":
        text = _command_line_text(sys.orig_argv) or ""
    if not text:
        raise _no_source(name, filename)
    return parse_file(text, filename)


def _command_line_text(arguments: Sequence[str]) -> str | None:
    """The text after ``-c`` on Python's command line, which no Python before 3.13 keeps elsewhere."""
    position = 1
    while position < len(arguments):
        argument = arguments[position]
        position += 1
        if not argument.startswith("-") or argument in ("-", "--"):
            return None  # a script: what follows is its own
        if argument.startswith("--"):
            position += argument == "--check-hash-based-pycs"
            continue
        for index, letter in enumerate(argument[1:], 2):
            if letter not in "cmWX":
                continue
            rest = argument[index:]
            if letter == "c":
                return rest or (arguments[position] if position < len(arguments) else None)
            if letter == "m":
                return None
            position += not rest
            break
    return None


def _no_source(name: str, filename: str) -> UserError:
    where = f" of {filename}" if filename else ""
    return UserError(
        Diagnostic(
            "PL102",
            f"the source text{where} can't be found, or is not the one that {name!r} was made from",
            user_span(),
            expected="code in a file, in a notebook cell, or after python -c",
            hint="put the kernel into a file, or hand its text to pl.parse(text)",
        )
    )
