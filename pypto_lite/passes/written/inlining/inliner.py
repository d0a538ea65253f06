"""Puts the bodies of inline functions in the place of their calls."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from pypto_lite import ir
from pypto_lite.analysis.def_use_events import count_definitions
from pypto_lite.diagnostics import Diagnostic, Note, UserError
from pypto_lite.passes.rewriting.block_builder import BlockBuilder
from pypto_lite.passes.rewriting.cloner import Cloner

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence


class _Inlined(NamedTuple):
    """What takes the place of a call: statements, the values that are returned, and their types in the signature."""

    builder: BlockBuilder
    values: Sequence[ir.Expr]
    declared: Sequence[ir.Type]


class Inliner(Cloner):
    """Goes through one function, in which inline functions are called by statements of their own only."""

    def __init__(self, function: ir.Function, inline: Mapping[str, ir.Function]) -> None:
        """``inline`` are the inline functions, themselves without calls of inline functions."""
        super().__init__()
        self._inline = inline
        self._definitions = count_definitions(function)

    def copy_assign(self, statement: ir.Assign) -> ir.Stmt | Sequence[ir.Stmt]:
        call = statement.value
        if not isinstance(call, ir.FunctionCall) or call.function not in self._inline:
            return super().copy_assign(statement)
        builder, returned, declared = self._inlined(call, statement)
        var = statement.var
        if len(returned) == 1:
            (value,) = returned
            type_ = _annotated(value.type, declared[0], call.type)
            builder.add([ir.Assign(self.define(var, type_, statement), value, statement.span)])
        elif self._definitions[var] == 1:
            # Only its items are read, and these are the values themselves.
            self.values[var] = _tuple_of([self._settled(value, builder) for value in returned], statement)
        else:
            packed = _tuple_of(returned, statement)
            builder.add([ir.Assign(self.define(var, packed.type, statement), packed, statement.span)])
        self.loose_comments = builder.take_comments()
        return builder.statements

    def copy_evaluate(self, statement: ir.Evaluate) -> ir.Stmt | Sequence[ir.Stmt]:
        call = statement.value
        if not isinstance(call, ir.FunctionCall) or call.function not in self._inline:
            return super().copy_evaluate(statement)
        builder, _, _ = self._inlined(call, statement)
        self.loose_comments = builder.take_comments()
        return builder.statements

    def _settled(self, value: ir.Expr, builder: BlockBuilder) -> ir.Expr:
        """A value that stays what it is: one that could change gets a name."""
        if isinstance(value, ir.Const) or (isinstance(value, ir.Var) and self._definitions[value] <= 1):
            return value
        name = value.name if isinstance(value, ir.Var) else "value"
        named = ir.Var(name, value.type, value.span)
        builder.add([ir.Assign(named, value, value.span)])
        return named

    def _inlined(self, call: ir.FunctionCall, statement: ir.Stmt) -> _Inlined:
        """What the called function does here, and what it returns."""
        callee = self._inline[call.function]
        if len(call.args) != len(callee.params):
            raise _wrong_count(callee, call, statement)
        builder = BlockBuilder()
        builder.comment(statement.comments)
        copy = _BodyCopy()
        copy.bind(callee, self.expressions(call.args), builder)
        try:
            body = ir.trampoline(copy.block(callee.body))
        except UserError as error:
            raise _with_place(error, call, statement) from None
        body, final = _without_return(body)
        builder.add(body.statements)
        builder.comment(body.trailing_comments)
        declared = [copy.type(each) for each in callee.return_types]
        if final is None:
            return _Inlined(builder, (), declared)
        builder.comment(final.comments)
        return _Inlined(builder, final.values, declared)


class _BodyCopy(Cloner):
    """Copies the body of a function with variables of its own."""

    def define(self, var: ir.Var, type_: ir.Type, statement: ir.Stmt) -> ir.Var:
        known = self.values.get(var)
        if isinstance(known, ir.Var):
            return known
        made = ir.Var(var.name, type_, var.span)
        self.values[var] = made
        return made

    def bind(self, callee: ir.Function, args: Sequence[ir.Expr], builder: BlockBuilder) -> None:
        """Lets parameters stand for arguments, and symbolic dimensions of parameters for extents of arguments."""
        definitions = count_definitions(callee)
        for param, arg in zip(callee.params, args, strict=True):
            if definitions[param] > 1 or not isinstance(arg, (ir.Var, ir.Const)):
                value = ir.Var(param.name, arg.type, param.span)
                builder.add([ir.Assign(value, arg, arg.span)])
            else:
                value = arg
            self.values[param] = value
        for param, arg in zip(callee.params, args, strict=True):
            self._bind_dimensions(param.type, arg.type)

    def _bind_dimensions(self, declared: ir.Type, given: ir.Type) -> None:
        if not isinstance(declared, (ir.TensorType, ir.TileType)) or not isinstance(given, type(declared)):
            return
        extents = (*declared.shape, *declared.valid_shape)
        for extent, actual in zip(extents, (*given.shape, *given.valid_shape), strict=False):
            if isinstance(extent, ir.Var):
                self.values.setdefault(extent, ir.dim_expr(actual))


def _annotated(type_: ir.Type, declared: ir.Type, claimed: ir.Type) -> ir.Type:
    """The type of a returned value with what an annotation at the call, in ``claimed``, adds to the signature."""
    if (
        not isinstance(type_, ir.TileType)
        or not isinstance(declared, ir.TileType)
        or not isinstance(claimed, ir.TileType)
    ):
        return type_
    space = claimed.space if claimed.space is not declared.space else type_.space
    view = claimed.view if claimed.view != declared.view else type_.view
    return ir.TileType(type_.shape, type_.dtype, space, view, claimed.memref or type_.memref)


def _tuple_of(values: Sequence[ir.Expr], statement: ir.Stmt) -> ir.MakeTuple:
    return ir.MakeTuple(tuple(values), ir.TupleType([value.type for value in values]), statement.span)


def _without_return(body: ir.Block) -> tuple[ir.Block, ir.Return | None]:
    """A body without its return, and that; the return may stand at the end of scopes that end the body."""
    around: list[ir.Block | ir.Scope] = [body]
    while True:
        outer = around[-1]
        if isinstance(outer, ir.Scope):
            last: ir.Stmt | None = outer.body
        else:
            last = outer.statements[-1] if outer.statements else None
        if not isinstance(last, (ir.Block, ir.Scope)):
            break
        around.append(last)
    if not isinstance(last, ir.Return):
        return body, None
    made: ir.Stmt | None = None
    for outer in reversed(around):
        if isinstance(outer, ir.Scope):
            made = outer.replace(body=made)
        else:
            made = outer.replace(statements=(*outer.statements[:-1], *(() if made is None else (made,))))
    assert isinstance(made, ir.Block)
    return made, last


def _wrong_count(callee: ir.Function, call: ir.FunctionCall, statement: ir.Stmt) -> UserError:
    return UserError(
        Diagnostic(
            "PL113",
            f"'{callee.name}' is called with another number of arguments than it has parameters",
            call.span or statement.span,
            found=str(len(call.args)),
            expected=str(len(callee.params)),
        )
    )


def _with_place(error: UserError, call: ir.FunctionCall, statement: ir.Stmt) -> UserError:
    """The error with a note where the function was called whose body can't take the arguments."""
    note = Note(f"in the body of '{call.function}', which is called here", call.span or statement.span)
    return UserError(
        *[
            Diagnostic(
                each.code, each.message, each.span, severity=each.severity, found=each.found, expected=each.expected,
                notes=(*each.notes, note), hint=each.hint, operand=each.operand,
            )
            for each in error.diagnostics
        ]
    )  # fmt: skip
