"""Where the tensors that a function is called with come from: the evidence that two of them cannot overlap.

Only a call straight from a root orchestration function, with a candidate whose storage was allocated there, counts as
evidence. Everything else is unknown, and unknown means that nothing is moved.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from pypto_lite import ir, ops
from pypto_lite.analysis.alias_classes import AliasClasses
from pypto_lite.ir import FunctionType, ParamDirection, TensorType

if TYPE_CHECKING:
    from collections.abc import Iterable

    from pypto_lite.diagnostics import Span


class Refusal:
    """A rule that forbids a move, and the place that it is about."""

    __slots__ = ("message", "rule", "span")

    def __init__(self, rule: str, message: str, span: Span) -> None:
        self.rule = rule
        self.message = message
        self.span = span


class _LocalWrites(NamedTuple):
    """The storages of a function's tensors, and for each that is written the first call that does."""

    storages: AliasClasses
    writes: dict[ir.Var, ir.Expr]


class Provenance:
    """The call sites of a program, and the storage behind each tensor of its root orchestration functions."""

    def __init__(self, program: ir.Program) -> None:
        self._program = program
        self._sites: dict[str, list[tuple[ir.Function, ir.FunctionCall | ir.Submit]]] = {}
        self._roots: dict[str, dict[ir.Var, ir.Var]] = {}
        self._refusals: dict[ir.Var, Refusal | None] = {}
        self._local: dict[str, _LocalWrites] = {}
        for function in program.functions.values():
            for node in ir.walk(function.body):
                if isinstance(node, (ir.FunctionCall, ir.Submit)):
                    self._sites.setdefault(node.function, []).append((function, node))

    def refuse(self, function: ir.Function, param: ir.Var) -> Refusal | None:
        """Why the storage behind a parameter may change while the function runs, or None where it provably does not."""
        if param not in self._refusals:
            self._refusals[param] = self._refuse(function, param)
        return self._refusals[param]

    def _refuse(self, function: ir.Function, param: ir.Var) -> Refusal | None:
        index = function.params.index(param)
        if function.directions[index] is not ParamDirection.In:
            direction = function.directions[index].name
            return Refusal("source-not-in", f"{param.name!r} is an {direction} parameter", param.span)
        sites = self._sites.get(function.name, [])
        if not sites:
            return Refusal("no-call-site", f"nothing in the program calls {function.name!r}", function.span)
        for caller, call in sites:
            refusal = self._refuse_site(function, index, caller, call)
            if refusal is not None:
                return refusal
        return self._refuse_local_write(function, param)

    def _refuse_site(
        self, function: ir.Function, index: int, caller: ir.Function, call: ir.FunctionCall | ir.Submit
    ) -> Refusal | None:
        if isinstance(call, ir.Submit):
            return Refusal("submit-site", f"{function.name!r} is submitted, not called", call.span)
        if caller.type is not FunctionType.Orchestration or caller.name in self._sites:
            message = f"{caller.name!r}, which calls {function.name!r}, is no root orchestration function"
            return Refusal("not-a-root-call", message, call.span)
        roots = self._storage_of(caller)
        candidate = _root(roots, call.args[index])
        if candidate is None or candidate in caller.params:
            name = function.params[index].name
            return Refusal("source-not-created", f"what is passed as {name!r} was not made by tensor.create", call.span)
        for other, (param, direction) in enumerate(zip(function.params, function.directions, strict=True)):
            if direction is ParamDirection.In or not isinstance(param.type, TensorType):
                continue
            written = _root(roots, call.args[other])
            if written is None:
                message = f"the storage passed as {param.name!r}, which is written, is not known"
                return Refusal("written-root-unknown", message, call.span)
            if written is candidate:
                message = f"{param.name!r}, which is written, is passed the storage of {function.params[index].name!r}"
                return Refusal("source-aliases-write", message, call.span)
        return None

    def _refuse_local_write(self, function: ir.Function, param: ir.Var) -> Refusal | None:
        """A place in the function itself that may write to the parameter's storage."""
        known = self._local.get(function.name)
        if known is None:
            known = self._local[function.name] = self._local_writes(function)
        write = known.writes.get(known.storages.root(param))
        if write is None:
            return None
        return Refusal("source-written-locally", f"{write!r} writes to {param.name!r}", write.span)

    def _local_writes(self, function: ir.Function) -> _LocalWrites:
        found = _LocalWrites(_tensor_storages(function), {})
        for node in ir.walk(function.body):
            if isinstance(node, (ir.Call, ir.FunctionCall)):
                written = written_tensors(node) if isinstance(node, ir.Call) else self._written_by_callee(node)
                for each in written:
                    found.writes.setdefault(found.storages.root(each), node)
        return found

    def _written_by_callee(self, call: ir.FunctionCall) -> list[ir.Var]:
        """The tensors that a called function may write to."""
        callee = self._program.functions.get(call.function)
        directions = callee.directions if callee is not None else (ParamDirection.InOut,) * len(call.args)
        return [
            argument
            for argument, direction in zip(call.args, directions, strict=False)
            if isinstance(argument, ir.Var) and direction is not ParamDirection.In
        ]

    def _storage_of(self, caller: ir.Function) -> dict[ir.Var, ir.Var]:
        """For each tensor of a function whose storage is known: the parameter or the creation that it goes back to."""
        known = self._roots.get(caller.name)
        if known is None:
            known = self._roots[caller.name] = {p: p for p in caller.params if isinstance(p.type, TensorType)}
            for node in ir.walk(caller.body):
                if isinstance(node, ir.Assign):
                    root = _source_root(known, node)
                    if root is not None:
                        known[node.var] = root
        return known


def _source_root(known: dict[ir.Var, ir.Var], stmt: ir.Assign) -> ir.Var | None:
    value = stmt.value
    if isinstance(value, ir.Call):
        operator = ops.find(value.op)
        if operator is None:
            return None
        if operator.allocates:
            return stmt.var
        return None if operator.allocation_of is None else _root(known, value.args[operator.allocation_of])
    return _root(known, value)


def _root(known: dict[ir.Var, ir.Var], value: ir.Expr) -> ir.Var | None:
    return known.get(value) if isinstance(value, ir.Var) else None


def written_tensors(call: ir.Call) -> list[ir.Var]:
    """The tensors that a call writes to."""
    operator = ops.find(call.op)
    if operator is None:
        return []
    return [
        argument
        for operand, argument in zip(operator.operands, call.args, strict=False)
        if isinstance(argument, ir.Var)
        and isinstance(argument.type, TensorType)
        and operand.effect_with(call.keywords) is not ops.Effect.READ
    ]


def _tensor_storages(function: ir.Function) -> AliasClasses:
    """Which tensors of a function may be one storage: whatever a value is made from, joined with, or written into."""
    storages = AliasClasses()
    for stmt in ir.statements(function):
        if isinstance(stmt, ir.Assign) and isinstance(stmt.var.type, TensorType):
            _share(storages, stmt.var, stmt.value.operands() or (stmt.value,))
        for phi in stmt.phis():
            results = () if phi.result is None else (phi.result,)
            _share(storages, phi.var, [*[each.value for each in phi.incoming], *results])
    return storages


def _share(storages: AliasClasses, var: ir.Var, others: Iterable[ir.Expr]) -> None:
    for other in others:
        if isinstance(var.type, TensorType) and isinstance(other, ir.Var) and isinstance(other.type, TensorType):
            storages.share(var, other)
