"""Every place at which a verifier can report something does so for one of the hand-built faults."""

from __future__ import annotations

import ast
import inspect
import sys
from typing import TYPE_CHECKING, Any

import pytest

from pypto_lite import passes
from pypto_lite.analysis import type_agreement
from pypto_lite.passes.properties import (
    in_core,
    no_nested_calls,
    printable,
    signatures,
    ssa_form,
    statement_structure,
    type_checked,
    use_after_def,
)
from tests.passes import test_structural_properties, test_type_checked

if TYPE_CHECKING:
    from types import FrameType, ModuleType

VERIFIERS = (
    in_core,
    no_nested_calls,
    printable,
    signatures,
    ssa_form,
    statement_structure,
    type_agreement,
    type_checked,
    use_after_def,
)


def reporting_lines(module: ModuleType) -> list[range]:
    """The lines of each statement that reports: adds a finding, makes a misfit, or returns the text of a fault."""
    found: list[range] = []
    for node in ast.walk(ast.parse(inspect.getsource(module))):
        reports = isinstance(node, ast.Call) and ast.unparse(node.func).split(".")[-2:] in (
            ["findings", "add"],
            ["_findings", "add"],
            ["Misfit"],
        )
        faults = isinstance(node, ast.Return) and isinstance(node.value, (ast.Constant, ast.JoinedStr))
        if reports or (faults and module is type_agreement and _has_text(node)):
            found.append(range(node.lineno, (node.end_lineno or node.lineno) + 1))
    return found


def _has_text(node: ast.AST) -> bool:
    return not isinstance(node, ast.Return) or ast.unparse(node) not in ("return None", "return True", "return False")


@pytest.fixture(scope="module")
def executed() -> dict[str, set[int]]:
    """The lines of the verifiers that run while all faults are looked for, by file."""
    lines: dict[str, set[int]] = {module.__file__ or "": set() for module in VERIFIERS}

    def trace(frame: FrameType, event: str, argument: Any) -> Any:
        seen = lines.get(frame.f_code.co_filename)
        if seen is None:
            return None
        if event == "line":
            seen.add(frame.f_lineno)
        return trace

    structural = [
        (judged, fault) for judged, _, faults in test_structural_properties.TABLE for fault in faults.values()
    ]
    typed = [(passes.TypeChecked, fault) for fault in test_type_checked.FAULTS]
    before = sys.gettrace()
    sys.settrace(trace)
    try:
        for judged, fault in [*structural, *typed]:
            passes.verify(fault(), {judged})
    finally:
        sys.settrace(before)
    return lines


@pytest.mark.parametrize("module", VERIFIERS, ids=lambda module: module.__name__.rpartition(".")[2])
def test_every_report_is_made_for_some_fault(module: ModuleType, executed: dict[str, set[int]]) -> None:
    seen = executed[module.__file__ or ""]
    silent = [lines.start for lines in reporting_lines(module) if not seen.intersection(lines)]
    assert reporting_lines(module)
    assert silent == []
