"""From Python source to IR: source capture, names, annotations, expressions, statements."""

from pypto_lite.trace.programs import parse, trace_function, trace_program_class
from pypto_lite.trace.text import read_text

__all__ = ["parse", "read_text", "trace_function", "trace_program_class"]
