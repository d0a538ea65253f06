"""Which source comments belong to which statement."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from pypto_lite.trace.source.capture import Definition, SourceFile, first_line

if TYPE_CHECKING:
    from collections.abc import Sequence


class Comments:
    """Hands out the comments of a file, each of them once, while its statements are traced.

    A comment belongs to the statement on its line, else to the statement below it; behind the last statement of a block
    it belongs to the block, if it is indented like it.
    """

    def __init__(self, file: SourceFile) -> None:
        self._file = file
        self._taken: set[int] = set()
        self.exist = "#" in file.source.text

    def before(self, node: ast.stmt, start: int) -> list[str]:
        """The comments from line ``start`` to the end of a statement, or to the end of its header if it has blocks."""
        return self._take(start, header_end(node))

    def _take(self, first: int, last: int) -> list[str]:
        found: list[str] = []
        for comment in self._file.comments(first, last):
            if comment.line not in self._taken:
                self._taken.add(comment.line)
                found.append(comment.text)
        return found

    def behind(self, body: Sequence[ast.stmt]) -> list[str]:
        """The comments behind the last statement of a block that are indented like it.

        An ``elif`` is the only statement of a block that is indented like the branch around it: what stands there
        belongs to the next statement.
        """
        if self._is_elif(body[0]):
            return []
        column = body[0].col_offset + 1
        last = line = body[-1].end_lineno or body[-1].lineno
        while True:
            text = self._file.source.line(line + 1)
            if text is None or (text.strip() and not text.lstrip().startswith("#")):
                break
            line += 1
        found: list[str] = []
        for comment in self._file.comments(last + 1, line):
            if comment.column < column:
                break
            if comment.line not in self._taken:
                self._taken.add(comment.line)
                found.append(comment.text)
        return found

    def _is_elif(self, node: ast.stmt) -> bool:
        line = self._file.source.line(node.lineno)
        return isinstance(node, ast.If) and line is not None and line.lstrip().startswith("elif")


def header_end(node: ast.stmt) -> int:
    """The last line of a statement, or of what stands in front of its first block."""
    if isinstance(node, (ast.If, ast.While)):
        return node.test.end_lineno or node.lineno
    if isinstance(node, ast.For):
        return node.iter.end_lineno or node.lineno
    if isinstance(node, ast.With):
        return node.items[-1].context_expr.end_lineno or node.lineno
    if isinstance(node, ast.FunctionDef):
        arguments = node.args
        parts = [*arguments.posonlyargs, *arguments.args, *([node.returns] if node.returns is not None else [])]
        return max([part.end_lineno or 0 for part in parts], default=node.lineno)
    return node.end_lineno or node.lineno


def comments_above(file: SourceFile, definition: Definition) -> int:
    """The first line of the comments above a definition; deeper indented ones belong to what is above them."""
    first = first_line(definition)
    while True:
        text = file.source.line(first - 1)
        if text is None or (text.strip() and not text.lstrip().startswith("#")):
            return first
        if text.strip() and len(text) - len(text.lstrip()) > definition.col_offset:
            return first
        first -= 1
