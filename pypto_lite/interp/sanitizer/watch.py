"""The checks of a sanitized run: the steps that they add to the code, and what they remember while it runs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

from pypto_lite import ir, ops
from pypto_lite.analysis.accesses import written_operands
from pypto_lite.analysis.records import DECISIONS, TARGET
from pypto_lite.analysis.routes import Routes
from pypto_lite.diagnostics import NO_SPAN, Diagnostic, UserError
from pypto_lite.interp.checks import UNCHECKED, Checks
from pypto_lite.interp.errors import Use, lacking
from pypto_lite.interp.extents import ARRAY_TYPES
from pypto_lite.interp.operands import corner
from pypto_lite.interp.sanitizer import problems
from pypto_lite.interp.sanitizer.accesses import accesses
from pypto_lite.interp.sanitizer.contents import Buffer, Content, allocated_bytes, content_of
from pypto_lite.interp.sanitizer.iterations import ParallelLoop
from pypto_lite.interp.sanitizer.memory import Activation
from pypto_lite.interp.sanitizer.regions import region_check
from pypto_lite.interp.sanitizer.report import Sanitizer
from pypto_lite.interp.sanitizer.scratch import destroyed, forget, is_scratch, work_in
from pypto_lite.interp.sanitizer.spaces import Operand, Result, check_carried, check_joins
from pypto_lite.interp.storage import Array, Numbers, all_defined
from pypto_lite.ir import ForKind, TileType
from pypto_lite.targets import Target

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from pypto_lite.diagnostics import Span
    from pypto_lite.interp.calls import Site
    from pypto_lite.interp.code import Code, Frame, Step


def checks_for(program: ir.Program, sanitize: bool | str | Target | Sanitizer) -> Checks:
    """The checks of a run: none, or those of a sanitizer, whose notes are warnings unless the caller has it."""
    if not isinstance(sanitize, (bool, str, Target, Sanitizer)):  # pyright: ignore[reportUnnecessaryIsInstance]
        message = f"sanitize is True, a target or a Sanitizer, and this is a {type(sanitize).__name__}"
        raise UserError(Diagnostic("PL502", message))
    if sanitize is False:
        return UNCHECKED
    if not isinstance(sanitize, Sanitizer):
        sanitize = Sanitizer(None if sanitize is True else sanitize, warns=True)
    return Watch(program, sanitize)


class Watch(Checks):
    """Watches one run."""

    __slots__ = (
        "_activations", "_is_placed_program", "_last_writes", "_loops", "_noted", "_numbers", "_outputs", "_placed",
        "_routes", "_sanitizer", "_target", "_time",
    )  # fmt: skip

    def __init__(self, program: ir.Program, sanitizer: Sanitizer) -> None:
        self._sanitizer = sanitizer
        self._target = sanitizer.target or program.record(TARGET)
        self._routes = Routes(self._target)
        self._is_placed_program = bool(program.record(DECISIONS)) if sanitizer.placed is None else sanitizer.placed
        self._placed = False
        """Whether the tiles of the function that is being compiled are placed."""
        self._outputs: list[tuple[ir.Var, int]] = []
        """The ``Out`` parameters of that function, and their slots."""
        self._time = 0
        self._activations: list[Activation] = []
        self._loops: list[ParallelLoop] = []
        self._last_writes: dict[int, Span] = {}
        """By the identity of an array that owns storage: where it was written last."""
        self._numbers = Numbers()
        self._noted: set[tuple[str, ir.Call]] = set()

    # Functions

    def enter_function(self, code: Code, function: ir.Function) -> None:
        self._placed = function.type.is_in_core and self._is_placed_program
        name = function.name
        self._outputs = [
            (param, code.slot(param))
            for param, direction in zip(function.params, function.directions, strict=True)
            if direction is ir.ParamDirection.Out and isinstance(param.type, ARRAY_TYPES)
        ]
        _add(code, lambda frame: self._activations.append(Activation(name, len(self._loops))))

    def leave_function(self, code: Code) -> None:
        outputs = self._outputs

        def leave(frame: Frame) -> None:
            self._leave(self._activations.pop())
            if not self._activations:  # else others may still write what this function has left
                for param, slot in outputs:
                    self._check_output(param, frame[slot])

        _add(code, leave)

    def _leave(self, activation: Activation) -> None:
        del self._loops[activation.loops :]
        for space, peak in activation.peaks().items():
            self._sanitizer.saw(activation.function, space, peak.used)
            limit = None if self._target is None else self._target.capacity(space)
            if limit is not None and peak.used > limit:
                raise problems.does_not_fit(activation.function, space, peak, limit, self._target)

    def _check_output(self, param: ir.Var, array: Array) -> None:
        mask = None if array.mask is None else array.mask[corner(array.valid)]
        if mask is not None and not all_defined(mask):
            last_write = self._last_writes.get(id(array.owner), NO_SPAN)
            self._sanitizer.note(problems.incomplete_output(param, lacking(mask), last_write))

    # Calls of operators

    def call(self, code: Code, site: Site, arguments: Mapping[str, int], step: Step) -> Step:
        operands = _tile_operands(code, site, arguments)
        before = [*self._space_checks(site, operands), *self._uses(site, operands)]
        before.append(lambda frame: self._note_accesses(site, frame))
        after = [self._contents(site, operands), *_worked_in(site, operands)]
        if site.evaluator.writes is not None:
            written = site.slot_of(site.evaluator.writes)
            after.append(lambda frame: self._last_writes.update({id(frame[written].owner): site.span}))
        regions = region_check(site)
        if regions is not None:
            after.append(regions)

        def checked(frame: Frame) -> int:
            self._time += 1
            for check in before:
                check(frame)
            following = step(frame)
            for check in after:
                check(frame)
            return following

        return checked

    def _space_checks(self, site: Site, operands: Sequence[Operand]) -> list[Callable[[Frame], None]]:
        if not self._placed:
            return []
        checks: list[Callable[[Frame], None]] = [each.check for each in operands if each.declared.spaces]
        move = site.operator.implicit_move
        if move is not None:
            by_place = {each.declared.index: each for each in operands}
            source, target = by_place[move.source], by_place[move.destination]
            checks.append(lambda frame: check_carried(source, target, self._routes, frame))
        return checks

    def _uses(self, site: Site, operands: Sequence[Operand]) -> list[Callable[[Frame], None]]:
        """What follows from the operands being read: how long their buffers are in use, and notes."""
        if site.operator.view_of is not None:
            return []
        scratch = [each for each in operands if is_scratch(site, each)]
        return [self._use(site, each, scratch) for each in operands]

    def _use(self, site: Site, operand: Operand, scratch: Sequence[Operand]) -> Callable[[Frame], None]:
        name, evaluator = operand.declared.name, site.evaluator
        unshared = not site.operator.in_place_safe or operand.declared.index in site.operator.no_alias
        is_read = name in evaluator.parameters and name not in evaluator.sized and operand not in scratch
        accumulates = name == evaluator.accumulates
        skip = site.slot_of("init_cond") if accumulates and "init_cond" in evaluator.parameters else None

        def use(frame: Frame) -> None:
            content = operand.content(frame, 2 * self._time)
            content.use(2 * self._time + unshared, site.span)
            if not is_read or (skip is not None and frame[skip]):
                return
            by = content.overwritten_by
            if by is not None:
                self._note(site, problems.overwritten(operand.use, content, by, site.span))
            note = destroyed(site, frame, operand, scratch)
            if note is not None and name != evaluator.writes:
                self._note(site, note)
            if accumulates and _lacks_values(frame[operand.slot]):
                self._note(site, problems.empty_accumulator(operand.use, frame[operand.slot].made_at, site.span))

        return use

    def _note(self, site: Site, note: Diagnostic) -> None:
        if (note.code, site.call) not in self._noted:
            self._noted.add((note.code, site.call))
            self._sanitizer.note(note)

    def _note_accesses(self, site: Site, frame: Frame) -> None:
        if not self._loops:
            return
        innermost = self._loops[-1]  # it watches whatever one around it does
        for access in accesses(site, frame, self._numbers, innermost.watches):
            for loop in self._loops:
                if loop.watches(access.array):
                    loop.note(access, site.span)

    def _contents(self, site: Site, operands: Sequence[Operand]) -> Callable[[Frame], None]:
        """Gives what a call makes its buffer: that of an operand, or one of its own."""
        operator, target = site.operator, site.target
        shared = {operator.view_of, operator.tied_operand, *written_operands(site.call, operator)}
        source = next((each for each in operands if each.declared.index in shared), None)
        if source is None:
            return lambda frame: self._allocate(site, site.call.type, frame[target])
        turns = operator.transposes
        writes_anew = operator.view_of is None and site.evaluator.writes is None

        def keep(frame: Frame) -> None:
            content = source.content(frame)
            if turns:
                content = content.as_turned()
            elif writes_anew:
                content = content.buffer.content = Content(content.buffer, operator.name, site.span)
            if isinstance(frame[target], Array):
                frame[target].content = content

        return keep

    def _allocate(self, site: Site, type_: ir.Type, value: Any) -> None:
        members = [(type_, value)]
        if isinstance(type_, ir.TupleType):
            members = [*zip(type_.types, cast("tuple[Any, ...]", value), strict=True)]
        for member, each in members:
            if isinstance(member, TileType) and isinstance(each, Array):
                is_empty = each.mask is not None and not each.mask.any()
                each.content = Buffer(site.span, None if is_empty else 2 * self._time + 1).content

    # Values that get a name

    def assigned(self, code: Code, statement: ir.Assign) -> None:
        var, value, slot = statement.var, statement.value, code.slot(statement.var)
        if not self._placed:
            return
        if not isinstance(value, ir.Call):
            self.joined(code, (var,), (slot,))
        elif isinstance(var.type, TileType):
            result = Result(var.name, var.type, value, code, self._routes)
            _add(code, lambda frame: self._place(result, frame, frame[slot]))
        elif isinstance(var.type, ir.TupleType):
            for index, type_ in enumerate(var.type.types):
                if isinstance(type_, TileType):
                    member = Result(f"{var.name}[{index}]", type_, value, code, self._routes)
                    _add(code, lambda frame, member=member, index=index: self._place(member, frame, frame[slot][index]))

    def _place(self, result: Result, frame: Frame, value: Array) -> None:
        space = result.space(frame)
        buffer = content_of(value, result.type, 2 * self._time + 1).buffer
        if buffer.name or space is None:
            return
        buffer.space, buffer.name = space, result.name
        buffer.size = allocated_bytes(result.type.dtype, value.shape)
        self._activations[-1].add(buffer)

    def joined(self, code: Code, joins: Sequence[ir.Var], slots: Sequence[int]) -> None:
        if not self._placed:
            return
        tiles = [(join, slot) for join, slot in zip(joins, slots, strict=False) if isinstance(join.type, TileType)]
        if tiles:
            _add(code, lambda frame: check_joins(tiles, frame))

    # Parallel loops

    def enter_loop(self, code: Code, loop: ir.For, carried: Sequence[int]) -> None:
        if loop.kind is ForKind.Parallel:
            known = set(ir.walk(loop.body))
            is_read = [carry in known for carry in loop.carries]

            def enter(frame: Frame) -> None:
                self._loops.append(ParallelLoop(loop, is_read, [frame[slot] for slot in carried], self._time))

            _add(code, enter)

    def next_iteration(self, code: Code, loop: ir.For, carried: Sequence[int]) -> None:
        if loop.kind is ForKind.Parallel:
            var = code.slot(loop.var)
            _add(code, lambda frame: self._loops[-1].advance(frame[var], [frame[slot] for slot in carried]))

    def leave_loop(self, code: Code, loop: ir.For, carried: Sequence[int]) -> None:
        if loop.kind is ForKind.Parallel:
            _add(code, lambda frame: self._loops.pop().compare([frame[slot] for slot in carried]))


def _add(code: Code, action: Callable[[Frame], Any]) -> None:
    """Adds a step that does something and goes on."""
    following = code.following

    def step(frame: Frame) -> int:
        action(frame)
        return following

    code.add(step)


def _worked_in(site: Site, operands: Sequence[Operand]) -> list[Callable[[Frame], None]]:
    """Keeps what becomes of operands in which the call works, or which it writes."""
    after: list[Callable[[Frame], None]] = []
    for each in operands:
        if is_scratch(site, each):
            after.append(lambda frame, each=each: work_in(site, frame, each))
        elif each.declared.name == site.evaluator.writes:
            after.append(lambda frame, each=each: forget(each.content(frame).buffer, frame[each.slot]))
    return after


def _lacks_values(array: Array) -> bool:
    """Whether an element of the valid region has no value."""
    return array.mask is not None and not all_defined(array.mask[corner(array.valid)])


def _tile_operands(code: Code, site: Site, arguments: Mapping[str, int]) -> list[Operand]:
    """The tiles that a call is given, scratch too."""
    found: list[Operand] = []
    for declared, arg in ops.match_operands(site.operator, site.call.args):
        if arg is None or not isinstance(arg.type, TileType):
            continue
        if isinstance(arg, ir.Var):
            use = Use(site.operator.name, declared.name, arg.name)
            found.append(Operand(declared, code.slot(arg), arg.type, use))
        elif declared.name in site.given:
            use = Use(site.operator.name, declared.name, None)
            found.append(Operand(declared, arguments[declared.name], arg.type, use))
    return found
