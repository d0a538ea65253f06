"""Expressions: from syntax trees to values, known ones and those of the IR."""
