"""The closed sets of names that types, calls and statements carry."""

from __future__ import annotations

import enum


class NamedEnum(enum.Enum):
    """An enumeration whose members hash by identity: members key the hot dictionaries of the passes."""

    __hash__ = object.__hash__  # pyright: ignore[reportAssignmentType, reportIncompatibleMethodOverride]

    def __repr__(self) -> str:
        return f"{type(self).__name__}.{self.name}"


class QuotedEnum(NamedEnum):
    """An enumeration whose members are written in kernels as their name in quotes (or as their code)."""


class MemorySpace(NamedEnum):
    """The memories a tile can live in. DDR is global memory, all others are on chip."""

    DDR = 0
    Vec = 1
    Mat = 2
    Left = 3
    Right = 4
    Acc = 5
    Bias = 6
    ScalarLocal = 7
    LeftScale = 8
    RightScale = 9


class TileLayout(NamedEnum):
    """Order of the boxes of a tile (``blayout``) or of the elements in a box (``slayout``)."""

    none_box = 0
    row_major = 1
    col_major = 2


class PadValue(NamedEnum):
    null = 0
    zero = 1
    max = 2
    min = 3


class CompactMode(NamedEnum):
    null = 0
    normal = 1


class TensorLayout(NamedEnum):
    ND = 0
    DN = 1
    NZ = 2
    MX_A_ZZ = 3
    MX_B_NN = 4


class PipeType(NamedEnum):
    MTE1 = 0
    MTE2 = 1
    MTE3 = 2
    M = 3
    V = 4
    S = 5
    FIX = 6
    ALL = 7


class CoreType(NamedEnum):
    CUBE = 0
    VECTOR = 1


class SplitMode(NamedEnum):
    NONE = 0
    UP_DOWN = 1
    LEFT_RIGHT = 2


class AtomicType(NamedEnum):
    None_ = 0
    Add = 1


class CastMode(QuotedEnum):
    """How ``cast`` rounds."""

    none = 0
    rint = 1
    round = 2
    floor = 3
    ceil = 4
    trunc = 5
    odd = 6


class CompareMode(QuotedEnum):
    """The relation of ``cmp``, ``cmps`` and ``gather_compare``."""

    eq = 0
    ne = 1
    lt = 2
    le = 3
    gt = 4
    ge = 5


class CoalesceMode(QuotedEnum):
    """Whether ``mgather`` fetches a row for each index, or an element."""

    row = 0
    elem = 1


class OutOfBoundsMode(QuotedEnum):
    """What ``mgather`` gives for an index outside its source."""

    undefined = 0
    clamp = 1
    wrap = 2
    zero = 3


class ForKind(NamedEnum):
    Sequential = 0
    Parallel = 1
    Unroll = 2
    Pipeline = 3


class FunctionType(NamedEnum):
    Opaque = 0
    Orchestration = 1
    InCore = 2
    AIC = 3
    AIV = 4
    Group = 5
    Spmd = 6
    Inline = 7
    Graph = 8

    @property
    def is_in_core(self) -> bool:
        """Whether code of this type runs on a core and so works on tiles."""
        return self in (FunctionType.InCore, FunctionType.AIC, FunctionType.AIV)


class Level(NamedEnum):
    AIV = 0
    AIC = 1
    CORE_GROUP = 2
    CHIP_DIE = 3
    CHIP = 4
    HOST = 5
    CLUSTER_0 = 6
    CLUSTER_1 = 7
    CLUSTER_2 = 8
    GLOBAL = 9


class Role(NamedEnum):
    Orchestrator = 0
    SubWorker = 1


class ScopeMode(NamedEnum):
    AUTO = 0
    MANUAL = 1


class ParamDirection(NamedEnum):
    In = 0
    Out = 1
    InOut = 2


class ScopeKind(NamedEnum):
    """Which ``with`` block (or ``for ... in pl.spmd``) a Scope stands for."""

    At = 0
    Spmd = 1
    Cluster = 2
    Runtime = 3
    Manual = 4
