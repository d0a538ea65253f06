"""What can be said about a program: its facts as data, and why its tiles live where they do."""

from pypto_lite.report.facts import diagnostic_facts, function_facts, program_facts
from pypto_lite.report.why import Why, why

__all__ = ["Why", "diagnostic_facts", "function_facts", "program_facts", "why"]
