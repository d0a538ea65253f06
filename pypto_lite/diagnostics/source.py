"""Source texts and spans: where in which file something stands. Kept as numbers, rendered late."""

from __future__ import annotations


class SourceText:
    """One source text that spans point into.

    ``first_line`` is the line number of the text's first line in its file, so a text that is a part of a
    file (a decorated class) still gives the file's own line numbers.
    """

    __slots__ = ("_lines", "filename", "first_line", "text")

    def __init__(self, filename: str, text: str, first_line: int = 1) -> None:
        self.filename = filename
        self.text = text
        self.first_line = first_line
        self._lines: list[str] | None = None

    def line(self, number: int) -> str | None:
        """The text of file line ``number``, without its line end, or None outside this text."""
        if self._lines is None:
            # Not str.splitlines: Python counts lines by \n, \r\n and \r only.
            self._lines = self.text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
        index = number - self.first_line
        return self._lines[index] if 0 <= index < len(self._lines) else None


class Span:
    """A stretch of source text: lines count from 1, columns from 1 in characters, the end is exclusive."""

    __slots__ = ("column", "end_column", "end_line", "line", "source")

    def __init__(self, source: SourceText | None, line: int, column: int, end_line: int, end_column: int) -> None:
        self.source = source
        self.line = line
        self.column = column
        self.end_line = end_line
        self.end_column = end_column

    @property
    def filename(self) -> str | None:
        return self.source.filename if self.source is not None else None

    def __bool__(self) -> bool:
        return self.source is not None

    def __repr__(self) -> str:
        return f"{self.filename}:{self.line}:{self.column}" if self else "no span"


NO_SPAN = Span(None, 0, 0, 0, 0)
"""The span of what has no place in a source text: nodes that passes build, programs built by hand."""
