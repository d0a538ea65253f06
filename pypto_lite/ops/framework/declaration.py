"""What is known about one operator: its operands, keywords, type rule, memory rule, effects and documentation."""

from __future__ import annotations

import enum
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from pypto_lite.ir import MemorySpace, PipeType, TileLayout, Type
from pypto_lite.ops.framework.meaning import SURROUNDINGS, Meaning
from pypto_lite.ops.framework.parameters import Effect, Keyword, Operand, OperandKind, Parameter, TakesDType
from pypto_lite.ops.framework.relations import ImplicitMove, When, Window

if TYPE_CHECKING:
    from typing import TypedDict
else:

    class TypedDict:
        """As far as it is needed at run time; that of ``typing`` compiles each annotation when it is imported."""

        def __init_subclass__(cls, total: bool) -> None: ...


Rule: TypeAlias = Callable[..., Type]


class Level(enum.Enum):
    """What an operator works on: the first part of its name."""

    TENSOR = "tensor"
    TILE = "tile"
    ARRAY = "array"
    SYSTEM = "system"


class Core(enum.Enum):
    """Which core runs an operator, or what decides it."""

    CUBE = "cube"
    VECTOR = "vector"
    SHARED = "either"
    MIXED = "both"
    BY_OPERAND = "the core that owns the space of the first tile operand"
    BY_TARGET = "the core that owns the space of target_memory"
    BY_ROUTE = "the core that owns both spaces, or both cores"
    BY_CORE_TYPE = "the core that core_type names, or either"


class Inherit(enum.Enum):
    """The marker for a result that lives where the first tile operand lives."""

    INHERIT = "inherit"


INHERIT: Final = Inherit.INHERIT


class ByKeyword:
    """A result whose space is the keyword ``target_memory``, else ``default``; without a default it is retargetable.

    ``choices`` are the spaces that the operator can write, empty means any; ``domain`` is the set of them.
    """

    __slots__ = ("choices", "default", "domain")

    def __init__(self, default: MemorySpace | None = None, choices: tuple[MemorySpace, ...] = ()) -> None:
        self.default = default
        self.choices = choices or tuple(MemorySpace)
        self.domain = frozenset(self.choices)


ResultSpace: TypeAlias = "MemorySpace | Inherit | ByKeyword | None"
"""Where a result lives: always in one space, where its operand lives, where the keyword says, or the rule decides."""


_PIPES: Final = {Core.CUBE: PipeType.M, Core.VECTOR: PipeType.V}
"""The pipes that compute."""


class Facts(TypedDict, total=False):
    """What a declaration says of an operator besides its rule; parameters are given by their names."""

    spellings: tuple[str, ...]
    """Names after ``pl.`` besides the operator's own (which gets an underscore where it is a Python keyword)."""
    aliases: Mapping[str, tuple[str, ...]]
    """Further names of parameters."""
    literals: Mapping[str, TakesDType]
    """Which element type a literal operand takes; by default that of the first tile, tensor or array."""
    same_as: Mapping[str, str]
    """The operand whose value an operand takes that is left out."""
    carried: tuple[str, ...]
    """The keywords that the type rule does not read because only later stages do."""
    spaces: MemorySpace | Mapping[str, MemorySpace | tuple[MemorySpace, ...]]
    """The allowed spaces of operands, the preferred first, or one space for all tile operands."""
    result: ResultSpace
    """Where the result lives."""
    layouts: tuple[str, ...]
    """The operands that targets read in row-major order only."""
    result_layout: TileLayout
    core: Core
    pipe: PipeType
    """In which it runs, where that is not the one that computes on its core."""
    effects: Mapping[str, Effect | When]
    """What it does to operands that it does not only read."""
    window: Window
    """The part of a tensor that it moves; left out where that is all of it, or depends on more than offsets."""
    view_of: str
    """The operand whose storage the result is a view of, without copying."""
    transposes: bool
    """Whether it is a view in which the last two axes are exchanged."""
    tied_operand: str
    """The operand whose storage the result takes over."""
    by_value: bool
    """Whether what it writes is to be seen in its result only: to the program its operands are as they were."""
    allocation_of: str
    """The operand in whose allocation the result is, to what proves that tensors cannot overlap."""
    allocates: bool
    """Whether it brings new storage into being, which holds nothing yet."""
    reserves: bool
    """Whether it takes on-chip memory that belongs to no tile."""
    implicit_move: tuple[str, str]
    """The operand that it carries into another one, and that other one, wherever each of them is."""
    addresses: bool
    """Whether it is about tensors, and a core carries it out: it finds a place in them, or reads or writes one element.
    """
    lowers_to: tuple[str, ...]
    """The tile operators that an operator on tensors becomes on a core; which one, its operands decide."""
    in_place_safe: bool
    """Whether the result may be written over an operand that is not read any more, as by default."""
    no_alias: tuple[str, ...]
    """The operands that must not share storage with the result."""
    synchronises: bool
    """Whether it orders or moves work between cores, or maintains caches: nothing may be moved across it."""
    pure: bool
    """False where it does something else than what the facts above say."""


class Operator:
    """Everything that is known about one operator. Read by parser, checker, passes, printer and interpreter alike.

    See ``Facts`` for what a declaration says; of operands it holds the positions.
    """

    __slots__ = (
        "_texts", "addresses", "allocates", "allocation_of", "by_value", "carried", "computes", "core", "implicit_move",
        "in_place_safe", "inherits", "keywords", "least", "level", "loads", "lowers_to", "name", "no_alias", "operands",
        "parameters", "pipe", "positional", "pure", "reserves", "result_layout", "result_space", "retargetable", "rule",
        "spellings", "synchronises", "tied_operand", "transfers", "transposes", "view_of", "window",
    )  # fmt: skip

    def __init__(
        self, name: str, rule: Rule, parameters: tuple[Parameter, ...], texts: tuple[str, str], facts: Facts
    ) -> None:
        self.name = name
        self.level = Level(name.partition(".")[0])
        self.rule = rule
        self.parameters = parameters
        """Operands and keywords in the order in which users write them."""
        self.positional = rule.__code__.co_argcount
        """How many of the parameters can be given by position; the others only by name."""
        self.least = max([index + 1 for index, each in enumerate(parameters) if each.needed], default=0)
        """How many arguments by position alone make a complete call."""
        self.operands = tuple([parameter for parameter in parameters if isinstance(parameter, Operand)])
        """Its operands in the order of the IR."""
        self.keywords = {parameter.name: parameter for parameter in parameters if isinstance(parameter, Keyword)}
        self._texts = texts
        """The docstring, and what the family of the operator shares behind it."""
        self.spellings = facts.get("spellings", ())
        """The names after ``pl.`` that can mean this operator."""
        self.carried = frozenset(facts.get("carried", ()))
        self.lowers_to = facts.get("lowers_to", ())
        self.core = facts.get("core", Core.SHARED)
        computes_in = None if facts.get("synchronises") or facts.get("allocates") else _PIPES.get(self.core)
        self.pipe = facts.get("pipe", computes_in)
        """The pipe of a core in which it runs; None where there is none, or the memories of its operands decide."""
        self.result_layout = facts.get("result_layout")
        self.window = facts.get("window")
        self.computes: Meaning | None = None
        """What a call computes; None where that is not known."""
        self._place_result(facts.get("result"))
        self._note_effects(facts)

    def _place_result(self, space: ResultSpace) -> None:
        """Notes where the result lives, and what that makes of the operator."""
        first = self.operands[0].kind if self.operands else None
        by_keyword = isinstance(space, ByKeyword)
        self.result_space = space
        self.inherits = space is INHERIT
        """Whether the result lives where the first tile operand lives."""
        self.retargetable = by_keyword and space.default is None
        """Whether placement may choose the space of the result, where no ``target_memory`` is written."""
        self.transfers = by_keyword and first is OperandKind.TILE
        """Whether it carries its first operand, a tile, to the space that ``target_memory`` names."""
        self.loads = self.retargetable and first is OperandKind.TENSOR
        """Whether it brings its first operand, a tensor, on the chip, to where placement may choose."""

    def _note_effects(self, facts: Facts) -> None:
        """Notes what becomes of the storage of operands, and what else a call does."""
        position = {each.name: each.index for each in self.operands}
        self.view_of = position.get(facts.get("view_of", ""))
        self.transposes = facts.get("transposes", False)
        self.tied_operand = position.get(facts.get("tied_operand", ""))
        self.by_value = facts.get("by_value", False)
        self.allocation_of = position.get(facts.get("allocation_of", ""))
        self.allocates = facts.get("allocates", False)
        self.reserves = facts.get("reserves", False)
        move = facts.get("implicit_move")
        self.implicit_move = None if move is None else ImplicitMove(position[move[0]], position[move[1]])
        self.addresses = facts.get("addresses", False)
        self.in_place_safe = facts.get("in_place_safe", True)
        self.no_alias = tuple([position[each] for each in facts.get("no_alias", ())])
        self.synchronises = facts.get("synchronises", False)
        more = self.allocates or self.reserves or self.synchronises or any(each.may_write for each in self.operands)
        self.pure = facts.get("pure", True) and not more
        """Whether a call does nothing but make its result: no write, no allocation, no synchronisation."""

    def evaluator(
        self,
        function: Callable[..., Any] | None = None,
        *,
        elementwise: bool = False,
        moves: tuple[str, ...] = (),
        whole: tuple[str, ...] = (),
        writes: str | None = None,
        accumulates: str | None = None,
        sized: tuple[str, ...] = (),
        shows: tuple[str, ...] = (),
        scratch_last: bool = False,
    ) -> Callable[..., Any]:
        """Decorates the function that says what the operator computes, in plain array expressions.

        Its first parameter is the array module; the others are those operands and keywords, by name, that it reads,
        and ``result``, ``block`` and ``types`` (see RESULT, BLOCK and TYPES). An operand that it does not name is never
        read. Tiles and tensors arrive as arrays, floats widened to 32 bits; lists as tuples of ints; scalars as
        numbers; keywords and what is left out as in the type rule. By default an array is the valid region of its
        operand. The function gives new elements, of the whole result or of its valid region; they are rounded to the
        result's element type. None makes an undefined result (or none at all), ``Partial`` one that is partly so.

        ``elementwise``: every element depends on those in its place, so operands are cut to the valid region of the
        result, where they are not broadcast, and arrive in its element type (or FP32 for narrower floats).
        ``moves`` names operands whose elements are only put elsewhere: they arrive as they are stored, and the same
        function, called with what is known of each element, moves undefined ones too. The others must be defined.
        ``whole`` names operands that arrive with what lies outside their valid region.
        ``writes`` names the operand whose storage is written: the function gives an index and the values for it.
        ``accumulates`` names the operand that reads as zero where it is undefined.
        ``sized`` names operands of which only the shape is read, as which they arrive.
        ``shows`` names operands that are only shown: masked arrays where some elements are undefined.
        ``scratch_last``: the last operand of a call is scratch, whatever its name, and arrives as None.
        An operator with ``view_of`` gets that operand whole and gives a view of it.

        Raises TypeError for a name that is no parameter of the operator.
        """

        def declare(function: Callable[..., Any]) -> Callable[..., Any]:
            code = function.__code__
            parameters = code.co_varnames[1 : code.co_argcount]
            viewed = [] if self.view_of is None else [self.operands[self.view_of].name]
            needed = viewed if writes is None else [*viewed, writes]
            self._check_meaning(parameters, needed, {*moves, *whole, *sized, *shows, *needed, accumulates} - {None})
            self.computes = Meaning(
                function,
                parameters,
                elementwise,
                frozenset(moves),
                frozenset((*whole, *viewed)),
                writes,
                accumulates,
                frozenset(sized),
                frozenset(shows),
                scratch_last,
            )
            return function

        return declare if function is None else declare(function)

    def _check_meaning(self, parameters: tuple[str, ...], needed: list[str], named: set[str | None]) -> None:
        """TypeError for a meaning that does not fit the declaration, or a second one."""
        known = {*SURROUNDINGS, *[parameter.name for parameter in self.parameters]}
        for name in (*parameters, *sorted(filter(None, named))):
            if name not in known:
                raise TypeError(f"the meaning of {self.name} has a parameter {name!r}, which the operator has not")
        for name in needed:
            if name not in parameters:
                raise TypeError(f"the meaning of {self.name} has to take {name!r}")
        if self.computes is not None:
            raise TypeError(f"{self.name} has two meanings")

    @property
    def documentation(self) -> str:
        """What users read, without the indentation of its source."""
        docstring, details = self._texts
        first, *lines = docstring.strip().splitlines() or [""]
        indents = [len(line) - len(line.lstrip()) for line in lines if line.strip()]
        text = "\n".join([first, *[line[min(indents) :].rstrip() for line in lines]])
        return f"{text}\n\n{details}" if details else text

    def find_parameter(self, name: str) -> Parameter | None:
        """The operand or keyword that users call ``name``, also by one of its further names."""
        for parameter in self.parameters:
            if parameter.name == name or name in parameter.aliases:
                return parameter
        return None

    def __repr__(self) -> str:
        return f"Operator({self.name})"
