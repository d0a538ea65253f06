"""Operators whose documentation is that of their declarations, for ``help`` and notebooks."""

from __future__ import annotations

from pypto_lite import ops
from pypto_lite.trace.names.builtins import OperatorName


class DocumentedName(OperatorName):
    """An operator as the user spells it, with the documentation of all operators that the spelling can mean."""

    @property
    def __doc__(self) -> str:  # pyright: ignore[reportIncompatibleVariableOverride]
        # Put together when somebody asks: for all operators it would take longer than everything else in this room.
        texts = [
            f"pl.{self.spelling}{ops.signature(operator)}\n\n{operator.documentation}"
            for operator in ops.by_spelling(self.spelling)
        ]
        return "\n\n".join(texts)
