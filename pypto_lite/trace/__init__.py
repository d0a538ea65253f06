"""From Python source to IR: source capture, names, annotations, expressions, statements."""

from pypto_lite.trace.definitions.programs import parse, parse_as_written, trace_function, trace_program_class
from pypto_lite.trace.source.text import read_text

__all__ = ["parse", "parse_as_written", "read_text", "trace_function", "trace_program_class"]
