"""Random calls of operators: a signature of the operator, filled with the values that are known."""

from __future__ import annotations

from functools import cache, partial
from typing import TYPE_CHECKING, Any, Final

from pypto_lite import ir, ops
from pypto_lite.analysis.routes import Routes
from pypto_lite.diagnostics import UserError
from pypto_lite.ir.dtypes import BOOL, FP32, INDEX
from pypto_lite.ops import Core, OperandKind
from pypto_lite.ops.control import printing
from pypto_lite.ops.memory import transfers
from pypto_lite.testing.scopes import Drawn, FunctionText, Value, VisibleValues
from pypto_lite.testing.signatures import TENSOR_SHAPE, Signature, signatures

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from pypto_lite.ir import DType, Expr
    from pypto_lite.ops import Operand, Operator
    from pypto_lite.targets import Target
    from pypto_lite.testing.choices import Choices

NUMBERS: Final = (1, 2, 0, 8, 3)
"""The literals of calls."""

SCALE_LAYOUTS: Final = {
    ir.MemorySpace.LeftScale: ir.TensorLayout.MX_A_ZZ,
    ir.MemorySpace.RightScale: ir.TensorLayout.MX_B_NN,
}
"""How scales lie in the tensor that they are loaded from, by where they are read."""

READ: Final = "tensor.read"

LAST_WINDOW: Final = 32
"""Where windows into tensors begin at most, and how large they are at most: so they stay inside."""


class RandomCalls:
    """Draws calls of operators for one function."""

    def __init__(
        self, choices: Choices, function: FunctionText, targets: Sequence[Target | None], *, reads: bool = False
    ) -> None:
        self._choices = choices
        self._function = function
        self._reads = reads
        """Whether conditions read elements of tensors."""
        self._routes = [Routes(target) for target in targets]

    def draw(self, operator: Operator, scope: VisibleValues) -> Drawn | None:
        """A call; None where what is at hand does not fit. Operands that are missing are loaded before it."""
        signature = self._signature(operator, scope)
        if signature is None:
            return None
        args: list[Expr] = []
        defined = True
        keywords = self._choices.together(lambda: self._keywords(signature))
        matched = ops.match_operands(operator, signature.args)
        for operand, wanted in matched:
            if wanted is None:
                continue
            arg, known = self._choices.together(partial(self._operand, operator, operand, wanted, scope))
            args.append(arg)
            defined = defined and known
        self._let_windows_slide(operator, args, scope)
        for candidate in (keywords, signature.keywords):
            try:
                call = ops.call(operator, args, candidate)
                for known in _with_known_regions(args):
                    ops.call(operator, known, candidate)
            except UserError:
                continue
            return Drawn(operator, call, defined and self._makes_values(operator))
        return None

    def _signature(self, operator: Operator, scope: VisibleValues) -> Signature | None:
        """A signature, most often one whose first operand is at hand."""
        known = _in_core_signatures(operator)
        if not known:
            return None
        present = {_key(value.type) for value in scope if value.defined}
        fitting = [each for each in known if each.args and _key(each.args[0].type) in present]
        return self._choices.pick(fitting if fitting and not self._choices.chance(8) else known)

    def _keywords(self, signature: Signature) -> Mapping[str, Any]:
        position = self._choices.below(len(signature.options) + 1) if self._choices.chance(2) else 0
        return signature.keywords if position == 0 else {**signature.keywords, **signature.options[position - 1]}

    def _makes_values(self, operator: Operator) -> bool:
        """Whether a result has values where the operands have: not that of an operator that reads nothing."""
        return operator.computes is not None and bool(operator.computes.parameters)

    # Operands

    def _operand(self, operator: Operator, operand: Operand, wanted: Expr, scope: VisibleValues) -> tuple[Expr, bool]:
        """An operand like the one that is wanted, and whether what it gives to the result has values."""
        if isinstance(wanted, (ir.MakeTuple, ir.Const)):
            return wanted, True
        if isinstance(wanted.type, ir.ScalarType):
            return self.scalar(wanted.type.dtype, scope), True
        evaluator = operator.computes
        assert evaluator is not None
        unread = operand.name not in evaluator.parameters or operand.name in evaluator.sized
        undefined = unread or operand.name == evaluator.accumulates or operand.name in evaluator.moves
        if isinstance(wanted.type, ir.TensorType):
            return self._tensor(operand, wanted.type, scope), True
        usable = [
            value
            for value in scope.of(type(wanted.type))
            if _fits(value.type, wanted.type) and (value.defined or undefined) and self.reaches(value, operand.spaces)
        ]
        position = self._choices.below(min(len(usable), 5) + (not isinstance(wanted.type, ir.ArrayType)))
        if position < len(usable):
            value = usable[position]
            return value.var, value.defined or unread or operand.name == evaluator.accumulates
        if isinstance(wanted.type, ir.TileType):
            if operand.spaces and not self._loads_reach(operand.spaces):
                return self.created(wanted.type, scope), operand.name == evaluator.accumulates
            return self.loaded(wanted.type, operand.spaces, scope), True
        assert isinstance(wanted.type, ir.ArrayType)
        create = ops.call("array.create", [ir.index_const(wanted.type.extent)], {"dtype": wanted.type.dtype})
        return self._named(create, False, scope), False

    def reaches(self, value: Value, spaces: Sequence[ir.MemorySpace]) -> bool:
        """Whether a tile can come into one of the spaces on all targets."""
        if not isinstance(value.type, ir.TileType) or not spaces or value.type.space in spaces:
            return True
        if value.type.space is None:
            # It was loaded, or follows what was; a tile without values can live anywhere.
            return not value.defined or self._loads_reach(spaces)
        return self._all_reach(value.type.space, spaces)

    def _all_reach(self, source: ir.MemorySpace, spaces: Sequence[ir.MemorySpace]) -> bool:
        return all(any(routes.chain(source, space) for space in spaces) for routes in self._routes)

    def _loads_reach(self, spaces: Sequence[ir.MemorySpace]) -> bool:
        return any(source in spaces or self._all_reach(source, spaces) for source in transfers.LOADED_INTO)

    def _tensor(self, operand: Operand, wanted: ir.TensorType, scope: VisibleValues) -> Expr:
        same = [value for value in scope.of(ir.TensorType) if _key(value.type) == _key(wanted) and value.defined]
        if same and not operand.may_write and self._choices.chance(2):
            return self._choices.pick(same).var
        if wanted.shape != TENSOR_SHAPE:
            return ops.call("tensor.create", [ir.make_tuple(wanted.shape)], {"dtype": wanted.dtype})
        return self._function.tensor(wanted.dtype, written=operand.may_write)

    def created(self, wanted: ir.TileType, scope: VisibleValues) -> Expr:
        """An empty tile of this shape, element type and valid region."""
        call = ops.call("tile.create", [ir.make_tuple(wanted.shape)], {"dtype": wanted.dtype})
        made = self._named(call, False, scope)
        if wanted.valid_shape == wanted.shape:
            return made
        region = map(ir.dim_expr, wanted.valid_shape)
        return self._named(ops.call("tile.set_validshape", [made, *region]), False, scope)

    def _named(self, call: ir.Call, defined: bool, scope: VisibleValues) -> ir.Var:
        value = Value(ir.Var(self._function.fresh("t"), call.type), defined)
        self._function.assign(value.var.name, call)
        scope.add(value)
        return value.var

    def loaded(
        self, wanted: ir.TileType, spaces: Sequence[ir.MemorySpace], scope: VisibleValues, *, whole: bool = False
    ) -> Expr:
        """A tile of this shape and element type, loaded from a tensor; sometimes written as an operand itself.

        Often only a part of it is valid, unless it is to be ``whole``.
        """
        scales = next((space for space in spaces if space in SCALE_LAYOUTS), None)
        tensor = self._function.tensor(wanted.dtype) if scales is None else self._scales(wanted.dtype, scales)
        keywords: dict[str, Any] = {}
        cube = bool(spaces) and ir.MemorySpace.Vec not in spaces
        if scales is not None or self._choices.chance(5):
            keywords["target_memory"] = ir.MemorySpace.Mat if cube else ir.MemorySpace.Vec
        window = ir.make_tuple(wanted.shape)
        offsets = [self._offset(extent, scope) for extent in wanted.shape]
        valid = ir.make_tuple(wanted.valid_shape)
        if not whole and scales is None and self._choices.chance(6):
            valid = _list([self._valid_extent(extent, scope) for extent in wanted.shape])
        call = ops.call("tile.load", [tensor, _list(offsets), window, valid], keywords)
        return call if self._choices.chance(4) else self._named(call, True, scope)

    def _scales(self, dtype: DType, space: ir.MemorySpace) -> ir.Var:
        """The parameter that scales are loaded from, which lie as they are read."""
        type_ = ir.TensorType(TENSOR_SHAPE, dtype, ir.TensorView(layout=SCALE_LAYOUTS[space]))
        return self._function.parameter(f"x_{space.name.lower()}", type_, ir.ParamDirection.In)

    def _valid_extent(self, extent: ir.Dim, scope: VisibleValues) -> Expr:
        """How far an axis is valid: all, a half, or what comes out at run time."""
        choice = self._choices.below(3)
        if not isinstance(extent, int) or choice == 0:
            return ir.dim_expr(extent)
        return ir.index_const(max(1, extent // 2)) if choice == 1 else self.clamped(scope, extent)

    def _offset(self, extent: ir.Dim, scope: VisibleValues) -> Expr:
        room = TENSOR_SHAPE[0] - extent if isinstance(extent, int) else 0
        steps = tuple(range(0, max(room, 0) + 1, 16))
        if steps[-1] and self._choices.chance(6):
            return self.clamped(scope, min(steps[-1], LAST_WINDOW))
        return ir.index_const(self._choices.pick(steps))

    def _let_windows_slide(self, operator: Operator, args: list[Expr], scope: VisibleValues) -> None:
        """Replaces zeros in an offset by scalar expressions, sometimes, where the window leaves room for that."""
        lists = [position for position, arg in enumerate(args) if isinstance(arg, ir.MakeTuple)]
        tiles = [arg.type for arg in args if isinstance(arg.type, ir.TileType)]
        zeros = [position for position in lists if all(dim == 0 for dim in _dims(args[position]))]
        if len(zeros) != 1 or not tiles or not self._choices.chance(3):
            return
        whole = tiles[0].valid_shape
        windows = [_dims(args[position]) for position in lists if position not in zeros]
        part = windows[0] if windows else tiles[1].shape if len(tiles) > 1 else (1,) * len(whole)
        if len(part) != len(whole) or len(_dims(args[zeros[0]])) != len(whole):
            return
        offsets = [
            self.clamped(scope, outer - inner)
            if isinstance(outer, int) and isinstance(inner, int) and outer > inner
            else ir.index_const(0)
            for outer, inner in zip(whole, part, strict=True)
        ]
        args[zeros[0]] = _list(offsets)

    # Scalars

    def scalar(self, dtype: DType, scope: VisibleValues) -> Expr:
        """A scalar of an element type: a literal, a value, a condition."""
        if dtype is BOOL:
            return self.condition(scope)
        known = scope.scalars(dtype) if dtype is not INDEX else []
        position = self._choices.below(len(NUMBERS) + min(len(known), 3))
        if position < len(NUMBERS):
            return ir.const(NUMBERS[position], dtype)
        return known[position - len(NUMBERS)].var

    def index(self, scope: VisibleValues, depth: int = 2) -> Expr:
        """An expression of type INDEX of any value."""
        known = scope.scalars(INDEX)
        if depth and self._choices.chance(3):
            name = self._choices.pick(("+", "*", "-", "min", "max", "//", "%", "if"))
            lhs = self.index(scope, depth - 1)
            if name in ("//", "%"):
                return ir.Binary(name, lhs, ir.index_const(1 + self._choices.below(4)), ir.ScalarType(INDEX))
            rhs = self.index(scope, depth - 1)
            if name == "if":
                return ir.Select(self.condition(scope, depth - 1), lhs, rhs, ir.ScalarType(INDEX))
            return ir.Binary(name, lhs, rhs, ir.ScalarType(INDEX))
        position = self._choices.below(min(len(known), 3) + 2)
        if position == 0:
            return ir.index_const(self._choices.below(5))
        return self._function.scalar(INDEX) if position > len(known) else known[position - 1].var

    def clamped(self, scope: VisibleValues, most: int) -> Expr:
        """An expression of type INDEX from 0 to ``most``."""
        type_ = ir.ScalarType(INDEX)
        least = ir.Binary("max", self._choices.together(lambda: self.index(scope, 1)), ir.index_const(0), type_)
        return ir.Binary("min", least, ir.index_const(most), type_)

    def condition(self, scope: VisibleValues, depth: int = 2) -> Expr:
        """An expression of type BOOL: comparisons of scalars and of elements of a tensor, and what combines them."""
        if depth and self._choices.chance(3):
            name = self._choices.pick(("and", "or", "not"))
            lhs = self.condition(scope, depth - 1)
            if name == "not":
                return ir.Unary(name, lhs, ir.ScalarType(BOOL))
            return ir.Binary(name, lhs, self.condition(scope, depth - 1), ir.ScalarType(BOOL))
        relation = self._choices.pick(ir.COMPARISONS)
        if self._reads and self._choices.chance(4):
            lhs = ops.call(READ, [self._function.tensor(FP32), self.place(scope)])
            rhs: Expr = ir.const(float(self._choices.below(3)), FP32)
        else:
            lhs, rhs = self.index(scope, 1), self.index(scope, 1)
        return ir.Binary(relation, lhs, rhs, ir.ScalarType(BOOL))

    def place(self, scope: VisibleValues) -> Expr:
        """Where an element of a tensor is."""
        last = TENSOR_SHAPE[0] - 1
        return ir.make_tuple([ir.expr_dim(self.clamped(scope, last)) for _ in TENSOR_SHAPE])


def _dims(arg: Expr) -> tuple[ir.Dim, ...]:
    assert isinstance(arg, ir.MakeTuple)
    return ir.tuple_dims(arg)


def _list(elements: Sequence[Expr]) -> ir.MakeTuple:
    return ir.MakeTuple(tuple(elements), ir.TupleType([element.type for element in elements]))


def _with_known_regions(args: Sequence[Expr]) -> Iterator[Sequence[Expr]]:
    """The operands with valid extents that may come out at run time: a pass that finds them out asks the rule again."""
    types = [arg.type for arg in args if isinstance(arg.type, ir.TileType)]
    extents = {repr(extent) for type_ in types for extent in type_.valid_shape if isinstance(extent, ir.Expr)}
    for pattern in ((0, 0), (1, 1), (0, 1)) if extents else ():
        known = {extent: pattern[position % 2] for position, extent in enumerate(sorted(extents))}
        yield [_with_region(arg, known) for arg in args]


def _with_region(arg: Expr, known: Mapping[str, int]) -> Expr:
    type_ = arg.type
    if not isinstance(type_, ir.TileType) or not type_.symbolic:
        return arg
    valid = tuple([known.get(repr(extent), extent) for extent in type_.valid_shape])
    return ir.Var("t", type_.replace(view=type_.effective_view.replace(valid_shape=valid)))


def _fits(type_: ir.Type, wanted: ir.Type) -> bool:
    """Whether a value of a type can be the operand that is wanted; a part that is valid is wanted just so."""
    if isinstance(type_, ir.TileType) and isinstance(wanted, ir.TileType) and wanted.valid_shape != wanted.shape:
        return _key(type_) == _key(wanted) and type_.valid_shape == wanted.valid_shape
    return _key(type_) == _key(wanted)


def _key(type_: ir.Type) -> Any:
    """What operands must have in common to stand for one another: not space, layout and valid region."""
    if isinstance(type_, (ir.TileType, ir.TensorType)):
        return type(type_), type_.shape, type_.dtype
    return type_


class Group:
    """Operators that are drawn about as often as those of another group."""

    __slots__ = ("name", "operators")

    def __init__(self, name: str, operators: Sequence[Operator]) -> None:
        self.name = name
        self.operators = tuple(operators)


@cache
def _in_core_signatures(operator: Operator) -> tuple[Signature, ...]:
    """The signatures of an operator that hold on a core."""
    return tuple([each for each in signatures(operator) if all(map(_is_in_core, (*each.args, each.result)))])


def _is_in_core(part: Expr | ir.Type) -> bool:
    """Whether tiles are of two dimensions, as they have to be on a core."""
    type_ = part if isinstance(part, ir.Type) else part.type
    return not isinstance(type_, ir.TileType) or len(type_.shape) == 2


def drawable(operator: Operator) -> bool:
    """Whether calls of an operator are drawn: what it computes is known, and it prints nothing."""
    return operator.computes is not None and operator.rule.__module__ != printing.__name__


def is_of_kernels(operator: Operator) -> bool:
    """Whether a kernel can call the operator; orchestration calls those on tensors."""
    return not is_of_tensors(operator) or operator.addresses


def is_of_tensors(operator: Operator) -> bool:
    return operator.level is ops.Level.TENSOR


def exists_on(operator: Operator, targets: Sequence[Target | None]) -> bool:
    """Whether all the targets have a space for each operand."""
    routes = [Routes(target) for target in targets]
    return all(
        any(each.exists(space) for space in operand.spaces)
        for operand in operator.operands
        if operand.spaces
        for each in routes
    )


def groups(operators: Sequence[Operator]) -> tuple[Group, ...]:
    """The operators by what they do to placement; groups without any are left out."""
    by_name: dict[str, list[Operator]] = {"vector": [], "view": [], "cube": [], "memory": [], "other": []}
    for operator in operators:
        by_name[_group(operator)].append(operator)
    return tuple([Group(name, members) for name, members in by_name.items() if members])


def _group(operator: Operator) -> str:
    if operator.view_of is not None:
        return "view"
    if operator.core is Core.CUBE:
        return "cube"
    if isinstance(operator.result_space, ops.ByKeyword) or any(each.may_write for each in operator.operands):
        return "memory"
    has_tiles = any(each.kind is OperandKind.TILE for each in operator.operands)
    return "vector" if has_tiles and operator.core is Core.VECTOR else "other"
