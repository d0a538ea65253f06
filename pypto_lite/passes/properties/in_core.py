"""SplitIncoreOrch and IncoreTileOps: what code on a core and code that directs cores may consist of."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pypto_lite import ir, ops
from pypto_lite.passes.properties.findings import Findings
from pypto_lite.passes.protocol import SCOPE_NOT_LOWERED, Property

if TYPE_CHECKING:
    from collections.abc import Iterable

    from pypto_lite.diagnostics import Diagnostic
    from pypto_lite.targets import Target


def check_split(program: ir.Program, target: Target | None) -> list[Diagnostic]:
    """Code on cores and code that directs them are in functions of their own: there are no scopes left.

    Orchestration functions hold no tiles and call no tile operator; in-core functions submit no tasks and call no
    orchestration function.
    """
    findings = Findings("PL308")
    for function in program.functions.values():
        findings.enter(function)
        directs, in_core = function.type is ir.FunctionType.Orchestration, function.type.is_in_core
        if directs:
            _check_no_tiles(function, function.params, findings)
        for statement in ir.statements(function):
            if isinstance(statement, ir.Scope):
                hint = _instead_of_scope(statement)
                findings.add("scopes are not lowered yet", statement, code=SCOPE_NOT_LOWERED, hint=hint)
            if directs:
                _check_orchestration(statement, findings)
            elif in_core:
                _check_in_core_calls(statement, program, findings)
    return findings.diagnostics


def _instead_of_scope(scope: ir.Scope) -> str:
    """What to write in the place of a scope."""
    called = [call for statement in scope.body.statements for call in ir.calls(statement)]
    if called and all(isinstance(call, (ir.FunctionCall, ir.Submit)) for call in called):
        return "leave the scope out: its body calls functions already"
    return "write its body as an InCore function and call that"


SplitIncoreOrch = Property("SplitIncoreOrch", check_split)


def _check_orchestration(statement: ir.Stmt, findings: Findings) -> None:
    called = False
    for call in ir.calls(statement):
        if isinstance(call, ir.Call) and _level(call) is ops.Level.TILE:
            called = True
            hint = "move the tile operators into an InCore function"
            findings.add(f"{call.op} is called in an orchestration function", _place(call, statement), hint=hint)
    if not called:
        _check_no_tiles(statement, statement.definitions(), findings)


def _check_no_tiles(owner: ir.Stmt | ir.Function, values: Iterable[ir.Var], findings: Findings) -> None:
    for value in values:
        if _tiles(value.type):
            findings.add(f"'{value.name}' is a tile in an orchestration function", owner, found=repr(value.type))


def _check_in_core_calls(statement: ir.Stmt, program: ir.Program, findings: Findings) -> None:
    for call in ir.calls(statement):
        if isinstance(call, ir.Submit):
            expected = "submits in orchestration functions only"
            findings.add("an in-core function submits a task", _place(call, statement), expected=expected)
        elif isinstance(call, ir.FunctionCall):
            callee = program.functions.get(call.function)
            if callee is not None and callee.type is ir.FunctionType.Orchestration:
                message = f"an in-core function calls the orchestration function '{call.function}'"
                findings.add(message, _place(call, statement))


def check_in_core_tiles(program: ir.Program, target: Target | None) -> list[Diagnostic]:
    """In-core functions work on tiles of two constant dimensions; of tensors they only address elements and windows.

    That holds for every tile there is: parameters, assigned values, carries, results of loops and branches, and values
    inside expressions.
    """
    findings = Findings("PL309")
    for function in program.functions.values():
        if not function.type.is_in_core:
            continue
        findings.enter(function)
        for param in function.params:
            _check_tiles(f"'{param.name}'", param.type, function, findings)
        for statement in ir.statements(function):
            _check_values(statement, findings)
    return findings.diagnostics


IncoreTileOps = Property("IncoreTileOps", check_in_core_tiles)


def _check_values(statement: ir.Stmt, findings: Findings) -> None:
    for value in statement.definitions():
        if not _is_plain_tile(value.type):
            _check_tiles(f"'{value.name}'", value.type, statement, findings)
    direct = statement.value if isinstance(statement, ir.Assign) else None
    for call in ir.calls(statement):
        if isinstance(call, ir.Call) and _level(call) is ops.Level.TENSOR and not ops.lookup(call.op).addresses:
            hint = "load the tensors into tiles and use tile operators, or call it in an orchestration function"
            findings.add(f"{call.op} is called in an in-core function", _place(call, statement), hint=hint)
        if call is not direct:
            _check_tiles("a value", call.type, _place(call, statement), findings)


def _check_tiles(what: str, held: ir.Type, owner: ir.Stmt | ir.Expr | ir.Function, findings: Findings) -> None:
    for tile in _tiles(held):
        expected = "two constant dimensions"
        if len(tile.shape) != 2:
            message = f"{what} is a tile of rank {len(tile.shape)}"
        elif not all(isinstance(extent, int) for extent in tile.shape):
            message = f"{what} is a tile whose shape is not constant"
            expected += "; the part in use may vary as valid_shape"
        else:
            continue
        findings.add(message, owner, found=repr(tile), expected=expected)


def _is_plain_tile(held: ir.Type) -> bool:
    """Whether a type is, as most are, a tile of two constant dimensions."""
    return isinstance(held, ir.TileType) and len(held.shape) == 2 and not held.symbolic


def _tiles(held: ir.Type) -> list[ir.TileType]:
    """The tile types in a type: itself, or members of a tuple (tuples of tuples do not occur)."""
    members = held.types if isinstance(held, ir.TupleType) else (held,)
    return [member for member in members if isinstance(member, ir.TileType)]


def _level(call: ir.Call) -> ops.Level | None:
    """What a call works on; None where its operator is not known."""
    operator = ops.find(call.op)
    return None if operator is None else operator.level


def _place(call: ir.Expr, statement: ir.Stmt) -> ir.Stmt | ir.Expr:
    return call if call.span else statement
