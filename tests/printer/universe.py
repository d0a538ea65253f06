"""Small programs that together hold every class of node and type, every attribute and every odd form of them."""

from __future__ import annotations

from pypto_lite import ir, ops
from tests.printer.kernels import (
    BF16,
    BOOL,
    FOUR,
    FP32,
    IN,
    IN_OUT,
    ONE,
    SCALAR,
    TENSOR,
    assign,
    block,
    function,
    less,
    load,
    loop,
    plus,
    program,
    var,
)  # fmt: skip

INT32, INT64, FP16, INT8, UINT8, TASK_ID = (
    ir.DTYPES[name] for name in ("INT32", "INT64", "FP16", "INT8", "UINT8", "TASK_ID")
)
TRUTH, FLOAT, NARROW, TASK = (ir.ScalarType(dtype) for dtype in (BOOL, FP32, INT32, TASK_ID))
PAIR, SUBMITTED = ir.TupleType([SCALAR, SCALAR]), ir.TupleType([SCALAR, SCALAR, TASK])
MAT, VEC = ir.MemorySpace.Mat, ir.MemorySpace.Vec

X, N, M, F, B, K = var("x", TENSOR), var("n"), var("m"), var("f", FLOAT), var("b", TRUTH), var("k", NARROW)
PARAMS = tuple([(param, IN) for param in (X, N, M, F, B, K)])
TRUE = ir.const(True)
ROWS, COLUMNS = var("ROWS"), var("COLUMNS")


def kernel(*statements: ir.Stmt) -> ir.Program:
    return program(function(*statements, ir.Return(()), params=PARAMS))


def binary(operator: str, lhs: ir.Expr, rhs: ir.Expr, type_: ir.ScalarType = SCALAR) -> ir.Expr:
    return ir.Binary(operator, lhs, rhs, type_)


def unary(operator: str, value: ir.Expr, type_: ir.ScalarType = SCALAR) -> ir.Expr:
    return ir.Unary(operator, value, type_)


EXPRESSIONS: dict[str, ir.Expr] = {
    "cast": ir.Cast(N, NARROW),
    "cast of a constant": ir.Cast(ONE, NARROW),
    "choice": ir.Select(B, N, M, SCALAR),
    "choice of constants": ir.Select(B, ONE, FOUR, SCALAR),
    "choice by a constant": ir.Select(TRUE, ONE, FOUR, SCALAR),
    "choices in all parts": ir.Select(
        binary("and", B, B, TRUTH), ir.Select(B, N, M, SCALAR), ir.Select(B, M, N, SCALAR), SCALAR
    ),
    "not": unary("not", B, TRUTH),
    "not of a constant": unary("not", TRUE, TRUTH),
    "not of a number": unary("not", N, TRUTH),
    "abs": unary("abs", N),
    "abs of a constant": unary("abs", ir.index_const(-1)),
    "minus": unary("-", F, FLOAT),
    "minus of a constant": unary("-", ONE),
    "minus of a negative constant": unary("-", ir.index_const(-1)),
    "minus minus": unary("-", unary("-", N)),
    "inverted": unary("~", unary("~", N)),
    "inverted constant": unary("~", ONE),
    "sum of constants": binary("+", ONE, FOUR),
    "comparison of constants": binary("<", ONE, FOUR, TRUTH),
    "and with a constant": binary("and", B, TRUE, TRUTH),
    "or with a constant in front": binary("or", ir.const(False), B, TRUTH),
    "and, or": binary("or", binary("and", B, B, TRUTH), binary("and", B, binary("or", B, B, TRUTH), TRUTH), TRUTH),
    "min": binary("min", N, ONE),
    "max with a constant in front": binary("max", ONE, N),
    "min of constants": binary("min", ONE, FOUR),
    "another integer type": binary("+", K, ir.const(1, INT32), NARROW),
    "floats": binary("*", F, ir.const(2.0), FLOAT),
    "index beside int64": binary("+", N, ir.const(3, INT64)),
    "power of a negative constant": binary("**", ir.index_const(-2), N),
    "power of a power": binary("**", binary("**", N, M), binary("**", N, M)),
    "division": binary("/", N, M),
    "shifts": binary("<<", N, binary(">>", M, ONE)),
    "bits": binary("|", binary("^", N, binary("&", M, N)), M),
    "comparison inside a comparison": binary("<", ir.Cast(less(N, M), SCALAR), M, TRUTH),
    "half": ir.const(2.5, FP16),
    "inf": ir.const(float("inf")),
    "minus inf of another type": ir.const(float("-inf"), BF16),
    "nan": ir.const(float("nan")),
    "minus zero": ir.const(-0.0),
    "the shortest float": ir.const(0.1),
    "true": TRUE,
    "a byte": ir.const(255, UINT8),
    "a negative byte": ir.const(-5, INT8),
    "a large number": ir.index_const(2**62),
    "a wide number": ir.const(3, INT64),
    "an alias": N,
    "an alias of a tensor": X,
    "a call inside an expression": binary("+", ops.call("system.available_aiv_count", ()), ir.const(1, INT32), NARROW),
}


def placed(type_: ir.TileType) -> ir.Program:
    """A kernel that loads a tile of this type."""
    call = load(X, target_memory=type_.space).replace(type=type_)
    return kernel(assign("t", call))


TILES: dict[str, ir.TileType] = {
    "valid region": ir.TileType([16, 128], BF16, VEC, ir.TileView((8, 128), pad=ir.PadValue.zero)),
    "everything": ir.TileType(
        [16, 128],
        BF16,
        MAT,
        ir.TileView(
            (8, N),
            ir.TileLayout.row_major,
            ir.TileLayout.col_major,
            32,
            ir.PadValue.max,
            ir.CompactMode.normal,
            (256, 1),
            4,
        ),
        ir.MemRef('a "quoted" name'),
    ),
    "flat in Mat": ir.TileType([16, 128], BF16, MAT, ir.TileView()),
    "allocation": ir.TileType([16, 128], BF16, VEC, memref=ir.MemRef("buffer")),
}

TENSORS: dict[str, ir.TensorType] = {
    "symbolic": ir.TensorType([ROWS, COLUMNS], FP32),
    "symbolic expressions": ir.TensorType([plus(ROWS, ONE), binary("//", COLUMNS, ir.index_const(2))], FP32),
    "layout": ir.TensorType([16, 8], FP32, ir.TensorView(layout=ir.TensorLayout.DN)),
    "view": ir.TensorType([16, 8], FP32, ir.TensorView((8, ROWS), (16, 1), ir.TensorLayout.NZ, ir.PadValue.min)),
    "distributed": ir.TensorType([16, 8], FP32, ir.TensorView(layout=ir.TensorLayout.NZ), True),
}


def with_tensor(type_: ir.TensorType) -> ir.Program:
    tensor = var("t", type_)
    return program(function(ir.Return((tensor,)), params=((tensor, IN_OUT),), returns=(type_,)))


# Calls of functions


def orchestration(*statements: ir.Stmt) -> ir.Program:
    callee = function(
        ir.Return((N, N)), params=((N, IN),), returns=(SCALAR, SCALAR), name="callee", type_=ir.FunctionType.Opaque
    )
    main = function(*statements, ir.Return(()), params=((M, IN),), name="main", type_=ir.FunctionType.Orchestration)
    return program(callee, main)


def taken(source: ir.Assign, *indices: int) -> list[ir.Assign]:
    types = source.var.type
    assert isinstance(types, ir.TupleType)
    return [assign("abc"[index], ir.TupleItem(source.var, index, types.types[index])) for index in indices]


CALLED = assign("t", ir.FunctionCall("callee", (M,), PAIR))
FIRST = assign("t", ir.Submit("callee", (M,), (), SUBMITTED))
FIRST_ITEMS = taken(FIRST, 0, 1, 2)
SECOND = assign("t", ir.Submit("callee", (M,), (FIRST_ITEMS[2].var,), SUBMITTED, {}, {"mark": 1}))
PLAIN = {"a": 1, "b": (1, 2.5, None, "s", True, VEC, FP32), "c": float("inf")}

CALLS: dict[str, tuple[ir.Stmt, ...]] = {
    "results taken apart": (CALLED, *taken(CALLED, 0, 1)),
    "one result taken": (CALLED, *taken(CALLED, 0)),
    "results taken in another order": (CALLED, *taken(CALLED, 1, 0)),
    "a result taken twice": (CALLED, *taken(CALLED, 0, 1, 1)),
    "results not taken": (CALLED,),
    "called for its effect": (ir.Evaluate(CALLED.value),),
    "attributes": (assign("t", ir.FunctionCall("callee", (M,), PAIR, PLAIN)),),
    "submitted": (FIRST, *FIRST_ITEMS, SECOND, *taken(SECOND, 0, 1, 2)),
    "submitted for its effect": (ir.Evaluate(FIRST.value),),
}

STEP = block(assign("y", plus(M, ONE)))
SCOPES: dict[str, ir.Scope] = {
    "at": ir.Scope(ir.ScopeKind.At, (), {"level": ir.Level.HOST, "role": ir.Role.SubWorker}, None, STEP),
    "spmd": ir.Scope(ir.ScopeKind.Spmd, (FOUR,), {}, None, STEP),
    "spmd loop": ir.Scope(ir.ScopeKind.Spmd, (plus(M, ONE),), {}, var("i"), STEP),
    "cluster": ir.Scope(ir.ScopeKind.Cluster, (), {}, None, STEP),
    "runtime": ir.Scope(ir.ScopeKind.Runtime, (), {"mode": ir.ScopeMode.MANUAL}, None, STEP),
    "manual": ir.Scope(ir.ScopeKind.Manual, (), {}, None, STEP),
}  # fmt: skip

# Loops and branches

Y, CARRY, RESULT = var("y"), var("carry"), var("result")


def add() -> ir.Assign:
    """A statement that may stand anywhere."""
    return assign("y", ONE)


COUNTED = block(ir.Yield((plus(CARRY, ONE),)))


def taken_back(tile: ir.Var, space: ir.MemorySpace | None) -> ir.Assign:
    """A tile whose valid region the operator narrows and the type of the variable does not."""
    type_ = ir.TileType([16, 128], BF16, space)
    call = ops.call("tile.set_validshape", (tile, ir.index_const(8), FOUR))
    return ir.Assign(var("u", type_), call.replace(type=type_))


STATEMENTS: dict[str, tuple[ir.Stmt, ...]] = {
    "empty then": (ir.If(B, block(), block(add()), ()),),
    "empty else": (ir.If(B, block(add()), block(), ()),),
    "no else": (ir.If(B, block(), None, ()),),
    "constant condition": (ir.If(TRUE, block(add()), None, ()),),
    "elif": (ir.If(B, block(add()), block(ir.If(less(N, M), block(add()), block(add()), ())), ()),),
    "branch and more in an else": (ir.If(B, block(), block(ir.If(B, block(add()), None, ()), add()), ()),),
    "branch result": (ir.If(B, block(ir.Yield((N,))), block(ir.Yield((ONE,))), (RESULT,)),),
    "branch results": (ir.If(B, block(ir.Yield((N, F))), block(ir.Yield((M, F))), (RESULT, var("g", FLOAT))),),
    "bool result": (ir.If(B, block(ir.Yield((TRUE,))), block(ir.Yield((B,))), (var("r", TRUTH),)),),
    "empty loop": (loop(var("i"), block()),),
    "kinds of loops": tuple(loop(var("i"), block(add()), kind=kind) for kind in ir.ForKind),
    "pipeline": (loop(var("i"), block(add()), kind=ir.ForKind.Pipeline, attrs={"stage": 3}),),
    "bounds of another type": (loop(var("i"), block(), start=ir.const(0, INT64), stop=N),),
    "stepped": (loop(var("i"), block(), start=N, step=FOUR),),
    "constant yielded": (loop(var("i"), block(ir.Yield((FOUR,))), (ONE, CARRY, RESULT)),),
    "carries": (loop(var("i"), block(ir.Yield((N, F))), (N, CARRY, RESULT), (F, var("g", FLOAT), var("h", FLOAT))),),
    "while with a carry": (ir.While(less(CARRY, N), (M,), (CARRY,), COUNTED, (RESULT,)),),
    "while without": (ir.While(less(M, N), (), (), block(add()), ()),),
    "while of a constant": (ir.While(ir.const(False), (), (), block(add()), ()),),
    "while of a constant with a carry": (ir.While(TRUE, (M,), (CARRY,), COUNTED, (RESULT,)),),
    "blocks in blocks": (block(add(), block(add())), block(), add()),
    "nested calls": (assign("t", ops.call("tile.exp", (ops.call("tile.abs", (load(X),)),))),),
    "a view taken back": (
        full := assign("t", load(X)),
        taken_back(full.var, VEC),
        taken_back(full.var, MAT),
        taken_back(full.var, None),
    ),
    "call attributes": (assign("t", load(X).replace(attrs={"bridge_load": True, **PLAIN})),),
}

ARRAY = var("array", ir.ArrayType(8, INT32))
GET, SET = "array.get_element", "array.update_element"

PROGRAMS: dict[str, ir.Program | ir.Function] = {
    **{f"expression: {name}": kernel(assign("y", value)) for name, value in EXPRESSIONS.items()},
    **{f"tile: {name}": placed(type_) for name, type_ in TILES.items()},
    **{f"tensor: {name}": with_tensor(type_) for name, type_ in TENSORS.items()},
    **{f"call: {name}": orchestration(*statements) for name, statements in CALLS.items()},
    **{f"scope: {name}": orchestration(scope) for name, scope in SCOPES.items()},
    **{f"statement: {name}": kernel(*statements) for name, statements in STATEMENTS.items()},
    **{
        f"function type: {type_.name}": program(
            function(ir.Return((N,)), params=((N, IN),), returns=(SCALAR,), type_=type_)
        )
        for type_ in ir.FunctionType
    },
    "array": program(
        function(
            assign("e", ops.call(GET, (ARRAY, N))),
            assign("a", ops.call(SET, (ARRAY, N, ir.const(1, INT32)))),
            ir.Return(()),
            params=((ARRAY, IN), (N, IN)),
        )
    ),
    "function attributes": program(
        function(ir.Return(()), attrs={"level": ir.Level.HOST, "role": ir.Role.Orchestrator, "note": "x"})
    ),
    "inline with attributes": program(
        function(ir.Return(()), type_=ir.FunctionType.Inline, attrs={"note": "x"})
    ),
    "no return": program(function(add())),
    "nothing": program(function()),
    "two results": program(
        function(ir.Return((plus(N, ONE), M)), params=((N, IN), (M, IN)), returns=(SCALAR, SCALAR))
    ),
    "a lone function": function(ir.Return((FOUR,)), params=((N, IN),), returns=(SCALAR,)),
    "a lone function of symbolic tensors": function(
        ir.Return(()), params=((var("t", ir.TensorType([ROWS, 8], FP32)), IN),)
    ),
    "a dimension in code only": program(
        function(assign("y", plus(ROWS, ONE)), ir.Return(()), params=((var("t", ir.TensorType([ROWS], FP32)), IN),)),
        function(assign("y", plus(ROWS, ONE)), ir.Return(()), name="other"),
    ),
}  # fmt: skip
"""Programs by what is special about each."""
