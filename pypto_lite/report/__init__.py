"""What can be said about a program: its facts as data."""

from pypto_lite.report.facts import diagnostic_facts, function_facts, program_facts

__all__ = ["diagnostic_facts", "function_facts", "program_facts"]
