"""One declaration per operator: operands, keywords, type rule, memory rule, layouts, effects, core, documentation.

The modules of declarations are imported for what they declare; everything else asks the functions exported here.
"""

from pypto_lite.ops.control import cross_core, printing, synchronisation
from pypto_lite.ops.cube import matrix, matrix_scaled
from pypto_lite.ops.framework.declaration import INHERIT, ByKeyword, Core, Level, Operator
from pypto_lite.ops.framework.dispatch import bind, literal_dtype, resolve, signature
from pypto_lite.ops.framework.facts import result_type
from pypto_lite.ops.framework.inference import call, infer, match_operands
from pypto_lite.ops.framework.inference_cache import CallMaker, inference_key
from pypto_lite.ops.framework.lookup import by_spelling, find, lookup, operators, spellings, unknown_operator
from pypto_lite.ops.framework.parameters import REQUIRED, Effect, Keyword, Operand, OperandKind, supplied
from pypto_lite.ops.framework.registry import Registry, operator
from pypto_lite.ops.framework.relations import ImplicitMove
from pypto_lite.ops.memory import arrays, elements, indexed_transfers, tensors, transfers, views
from pypto_lite.ops.memory.undefined import undefined
from pypto_lite.ops.vector import (
    comparisons,
    elementwise,
    expansions,
    fills,
    gathers,
    rearrangements,
    reductions,
    scalar_forms,
    sorting,
    unary,
)

MOVE = transfers.tile_move
"""The operator that placement inserts: it carries a tile to another memory, or lays it out anew."""

DECLARATIONS = (
    arrays,
    comparisons,
    cross_core,
    elements,
    elementwise,
    expansions,
    fills,
    gathers,
    indexed_transfers,
    matrix,
    matrix_scaled,
    printing,
    rearrangements,
    reductions,
    scalar_forms,
    sorting,
    synchronisation,
    tensors,
    transfers,
    unary,
    views,
)
"""The modules that declare the operators."""

__all__ = [
    "DECLARATIONS",
    "INHERIT",
    "MOVE",
    "REQUIRED",
    "ByKeyword",
    "CallMaker",
    "Core",
    "Effect",
    "ImplicitMove",
    "Keyword",
    "Level",
    "Operand",
    "OperandKind",
    "Operator",
    "Registry",
    "bind",
    "by_spelling",
    "call",
    "find",
    "infer",
    "inference_key",
    "literal_dtype",
    "lookup",
    "match_operands",
    "operator",
    "operators",
    "resolve",
    "result_type",
    "signature",
    "spellings",
    "supplied",
    "undefined",
    "unknown_operator",
]
