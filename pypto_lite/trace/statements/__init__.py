"""Statements: from syntax trees to statements of the IR."""
