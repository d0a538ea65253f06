"""The facts of a lowered program as plain data, ready for JSON: where each tile lives, and what moves.

All lists are in program order, nested blocks in place: a loop's carries come before its body and its results after
it, a branch's results after both arms. Names are the printed ones. A path such as ``body/for0/if1/then`` names a
statement list: statements are numbered per kind within the list that holds them, and scopes add nothing.
"""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, Any, TypeAlias

from pypto_lite import ir, ops
from pypto_lite.analysis.records import DECISIONS, USAGE
from pypto_lite.ir import Point
from pypto_lite.printer import names

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from pypto_lite.analysis.records import Usage
    from pypto_lite.diagnostics import Diagnostic

Facts: TypeAlias = "dict[str, Any]"

TILE_FACTS = ("space", "shape", "dtype", "blayout", "slayout", "fractal")


def program_facts(
    program: ir.Program, *, file: str, target: str | None, diagnostics: Iterable[Diagnostic] = ()
) -> Facts:
    """The whole program: its functions' facts by name, and what was found in it. ``file`` and ``target`` as given."""
    inserted = frozenset([decision.subject for decision in program.record(DECISIONS) if decision.inserted])
    return {
        "file": file,
        "program": program.name,
        "target": target,
        "functions": {
            name: function_facts(each, inserted, program.record(USAGE).get(name, {}))
            for name, each in program.functions.items()
        },
        "diagnostics": [diagnostic_facts(diagnostic) for diagnostic in diagnostics],
    }


def diagnostic_facts(diagnostic: Diagnostic) -> Facts:
    """One diagnostic; file, line and column are None where it has no place in a text."""
    span = diagnostic.span
    return {
        "code": diagnostic.code,
        "severity": diagnostic.severity.value,
        "message": diagnostic.message,
        "file": span.filename,
        "line": span.line if span else None,
        "column": span.column if span else None,
    }


def function_facts(
    function: ir.Function,
    inserted: frozenset[ir.Var] = frozenset(),
    usages: Mapping[ir.MemorySpace, Usage] = MappingProxyType({}),
) -> Facts:
    """One function; ``inserted`` are the values that placement added, ``usages`` what it needs of each memory."""
    named = names(function)
    collector = _Collector(named, inserted)
    collector.collect(function.body)
    return {
        "type": function.type.name,
        "tiles": collector.tiles,
        "moves": collector.moves,
        "loads": collector.loads,
        "creates": collector.creates,
        "memory": {space.name: _usage_facts(usage, named) for space, usage in usages.items()},
    }


def _usage_facts(usage: Usage, named: Mapping[ir.Var, str]) -> Facts:
    return {
        "capacity": usage.capacity,
        "peak": usage.peak,
        "total": usage.total,
        "at_peak": [{"name": named[buffer.value], "bytes": buffer.size} for buffer in usage.at_peak],
    }


class _Collector:
    """Collects the facts of one function in program order."""

    def __init__(self, names: Mapping[ir.Var, str], inserted: frozenset[ir.Var]) -> None:
        self.tiles: list[Facts] = []
        self.moves: list[Facts] = []
        self.loads: list[Facts] = []
        self.creates: list[Facts] = []
        self._names = names
        self._inserted = inserted

    def collect(self, body: ir.Block) -> None:
        lists = [_Numbering("body")]
        paths: list[str] = []
        """Those of the statements around, by which their blocks are named."""
        for point, stmt, region in ir.program_order(body):
            if point is Point.STATEMENT:
                if isinstance(stmt, ir.Assign):
                    self._add_assignment(stmt, lists[-1].path)
            elif point is Point.ENTER:
                paths.append(lists[-1].of(stmt))
                self._add_tiles([phi.var for phi in stmt.phis()] if isinstance(stmt, ir.Loop) else (), role="carry")
            elif point is Point.LEAVE:
                paths.pop()
                role = "loop_result" if isinstance(stmt, ir.Loop) else "branch_result"
                self._add_tiles(stmt.exit_definitions(), role)
            elif point is Point.END:
                lists.pop()
            elif isinstance(stmt, ir.Scope):  # its statements count among those around it
                lists.append(lists[-1])
            elif isinstance(stmt, ir.If):
                arm = "then" if region is not None and region.block is stmt.then_body else "else"
                lists.append(_Numbering(f"{paths[-1]}/{arm}"))
            else:
                lists.append(_Numbering(paths[-1]))

    def _add_assignment(self, statement: ir.Assign, path: str) -> None:
        role = "inserted" if statement.var in self._inserted else "value"
        self._add_tiles((statement.var,), role)
        call = statement.value
        if not isinstance(call, ir.Call):
            return
        operator = ops.find(call.op)
        if operator is None or not isinstance(statement.var.type, ir.TileType):
            return
        if operator is ops.MOVE:
            self._add_move(statement.var, call, path)
        elif operator.loads:
            self.loads.append(self._with_target(statement.var, call))
        elif operator.allocates:
            self.creates.append(self._with_target(statement.var, call))

    def _add_tiles(self, values: Iterable[ir.Var], role: str) -> None:
        for value in values:
            if isinstance(value.type, ir.TileType):
                facts = value.type.facts()
                kept = {key: facts[key] for key in TILE_FACTS}
                self.tiles.append({"name": self._names[value], "role": role, **kept})

    def _add_move(self, result: ir.Var, call: ir.Call, path: str) -> None:
        source = call.args[0]
        self.moves.append(
            {
                "name": self._names[result],
                "source": self._names[source] if isinstance(source, ir.Var) else repr(source),
                "from": _space_name(source.type),
                "to": _space_name(result.type),
                "block": path,
                "origin": "inserted" if result in self._inserted else "written",
            }
        )

    def _with_target(self, result: ir.Var, call: ir.Call) -> Facts:
        target = call.keywords.get("target_memory")
        return {"name": self._names[result], "target_memory": target.name if target is not None else None}


def _space_name(value_type: ir.Type) -> str | None:
    space = value_type.space if isinstance(value_type, ir.TileType) else None
    return space.name if space is not None else None


class _Numbering:
    """The path of a statement list, and how many statements of each kind it had so far."""

    def __init__(self, path: str) -> None:
        self.path = path
        self._counts = {"for": 0, "while": 0, "if": 0}

    def of(self, stmt: ir.Stmt) -> str:
        """The path of the next loop or branch; that of the list for any other statement."""
        kind = _KINDS.get(type(stmt))
        if kind is None:
            return self.path
        self._counts[kind] += 1
        return f"{self.path}/{kind}{self._counts[kind] - 1}"


_KINDS: dict[type[ir.Stmt], str] = {ir.For: "for", ir.While: "while", ir.If: "if"}
