"""From decorated classes and functions, and from texts, to programs and functions of the IR in SSA form."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Final, TypeVar

from pypto_lite import ir
from pypto_lite.collector import garbage_collection_paused
from pypto_lite.diagnostics import Diagnostic, Span, UserError
from pypto_lite.passes import ConvertToSSA, StructureControlFlow
from pypto_lite.passes.properties import Printable
from pypto_lite.passes.written.direction_inference import infer_directions
from pypto_lite.trace.definitions.copy_out import COPIED_OUT
from pypto_lite.trace.definitions.functions import ProgramTracer
from pypto_lite.trace.definitions.signatures import decorator_of
from pypto_lite.trace.expressions import calls, conditions, nodes, static_values, subscripts
from pypto_lite.trace.expressions.values import plain
from pypto_lite.trace.names.builtins import Decorator, Deferred
from pypto_lite.trace.names.environment import Environment, Unavailable, of_function
from pypto_lite.trace.source.caller import user_frame
from pypto_lite.trace.source.capture import SourceFile, class_source, function_source
from pypto_lite.trace.source.comments import comments_above
from pypto_lite.trace.source.text import find_kernel
from pypto_lite.trace.statements import assignments, branches, loops, scopes, simple
from pypto_lite.trace.statements.simple import text_as_comments

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Mapping
    from types import FunctionType as PythonFunction
    from types import ModuleType

    from pypto_lite.trace.source.module import Kernel

HANDLERS: Final = (assignments, branches, calls, conditions, loops, nodes, scopes, simple, subscripts)
"""The modules that say what the classes of AST nodes mean; importing them registers it."""

ProgramType = TypeVar("ProgramType", bound=ir.Program)
FunctionType = TypeVar("FunctionType", bound=ir.Function)


def trace_program_class(
    cls: type, *, make_program: type[ProgramType], make_function: type[FunctionType]
) -> ProgramType:
    """The program that a class under ``@pl.program`` describes. Raises UserError for all that is wrong in it."""
    deferred = {name: value.function for name, value in vars(cls).items() if isinstance(value, Deferred)}
    file, definition = class_source(cls, deferred.values(), user_frame())
    environments = {function.__name__: of_function(function, file) for function in deferred.values()}
    constants = {
        name: value
        for name, value in vars(cls).items()
        if not name.startswith("__") and not isinstance(value, Deferred)
    }

    def environment_of(node: ast.FunctionDef) -> Environment:
        return environments.get(node.name) or Environment(file, (vars(cls),), live=True)

    with garbage_collection_paused():
        return _in_ssa_form(*_trace_class(definition, file, environment_of, constants, make_program, make_function))


def trace_function(
    function: PythonFunction, *, make_program: type[ProgramType], make_function: type[FunctionType]
) -> ProgramType | FunctionType:
    """The function that a Python function under ``@pl.function`` or ``@pl.inline`` describes.

    Where it calls others, it is a program of its name that holds these too. Raises UserError for what is wrong in it.
    """
    file, definition = function_source(function)
    with garbage_collection_paused():
        traced = _trace_alone(definition, of_function(function, file), make_program, make_function)
        return _unless_alone(_in_ssa_form(*traced), make_function)


def parse(
    text: str,
    filename: str,
    language: ModuleType,
    *,
    make_program: type[ProgramType],
    make_function: type[FunctionType],
) -> ProgramType | FunctionType:
    """The program of a text, or its function where it holds one and no program. ``language`` is the ``pl`` namespace.

    Raises UserError for a text that is no Python or holds no kernel, and for all that is wrong in the kernel.
    """
    with garbage_collection_paused():
        kernel = find_kernel(text, filename, language)
        program = _in_ssa_form(*_trace_kernel(kernel, make_program, make_function))
        return program if isinstance(kernel.definition, ast.ClassDef) else _unless_alone(program, make_function)


def parse_as_written(
    text: str,
    filename: str,
    language: ModuleType,
    *,
    make_program: type[ProgramType],
    make_function: type[FunctionType],
) -> ProgramType:
    """The program of a text as it is before the passes that ``parse`` ends with.

    Its loops may be left by ``break`` and ``continue``, and its names bound again; directions are those that are found
    out. Raises UserError as ``parse``, but not for what only those passes find.
    """
    with garbage_collection_paused():
        program, tracer = _trace_kernel(find_kernel(text, filename, language), make_program, make_function)
        try:
            finished = _in_ssa_form(program, tracer).functions
        except UserError:
            return program
        return program.with_functions(
            [each.replace(directions=finished[name].directions) for name, each in program.functions.items()]
        )


def _trace_kernel(
    kernel: Kernel, make_program: type[ProgramType], make_function: type[FunctionType]
) -> tuple[ProgramType, ProgramTracer]:
    definition, environment = kernel.definition, kernel.environment
    if isinstance(definition, ast.FunctionDef):
        return _trace_alone(definition, environment, make_program, make_function)
    constants = _class_constants(definition, environment)
    return _trace_class(definition, environment.file, lambda _: environment, constants, make_program, make_function)


def _class_constants(definition: ast.ClassDef, environment: Environment) -> dict[str, object]:
    """The names that the body of a class in a text binds to values."""
    constants: dict[str, object] = {}
    for node in definition.body:
        target = node.targets[0] if isinstance(node, ast.Assign) and len(node.targets) == 1 else None
        if isinstance(node, ast.AnnAssign):
            target = node.target
        if not isinstance(target, ast.Name) or not isinstance(node, (ast.Assign, ast.AnnAssign)) or node.value is None:
            continue
        try:
            constants[target.id] = plain(static_values.evaluate(node.value, environment.inner(constants)))
        except UserError as error:  # which matters only where the name is used
            constants[target.id] = Unavailable(error.diagnostics[0].message, environment.span(node.value))
    return constants


def _trace_class(
    definition: ast.ClassDef,
    file: SourceFile,
    environment_of: Callable[[ast.FunctionDef], Environment],
    constants: Mapping[str, object],
    make_program: type[ProgramType],
    make_function: type[FunctionType],
) -> tuple[ProgramType, ProgramTracer]:
    tracer = ProgramTracer(definition.name, constants)
    diagnostics: list[Diagnostic] = []
    members = {*constants, *[node.name for node in definition.body if isinstance(node, ast.FunctionDef)]}
    for node in definition.body:
        try:
            _add_member(tracer, node, file, lambda node: environment_of(node).in_class(members))
        except UserError as error:
            diagnostics.extend(error.diagnostics)
    place = file.name_span(definition)
    diagnostics.extend(_refused_headers(definition, file, environment_of))
    if not diagnostics and not tracer.units:
        diagnostics.append(
            Diagnostic("PL115", "the program has no functions", place, hint="define one under @pl.function")
        )
    try:
        functions = tracer.trace()
    except UserError as error:
        raise UserError(*_in_order([*diagnostics, *error.diagnostics])) from None
    if diagnostics:
        raise UserError(*_in_order(diagnostics))
    comments = _class_comments(definition, file)
    made = {name: _made(function, make_function) for name, function in functions.items()}
    return make_program(definition.name, made, span=place, comments=comments), tracer


def _refused_headers(
    definition: ast.ClassDef, file: SourceFile, environment_of: Callable[[ast.FunctionDef], Environment]
) -> Generator[Diagnostic]:
    """What stands around the name of a program's class and means nothing there."""
    for node in (*definition.bases, *definition.keywords):
        hint = "functions of other modules are called by their names"
        yield Diagnostic(
            "PL115", "the class of a program has no bases", file.span(node), expected="class Name:", hint=hint
        )
    functions = [node for node in definition.body if isinstance(node, ast.FunctionDef)]
    if not functions:
        return
    environment = environment_of(functions[0])
    ours: ast.expr | None = None
    for node in definition.decorator_list:
        try:
            value = static_values.evaluate(node.func if isinstance(node, ast.Call) else node, environment)
        except UserError:
            value = None
        if isinstance(value, Decorator):
            if isinstance(node, ast.Call) and (node.args or node.keywords):
                yield Diagnostic("PL205", f"{value!r} has no options", file.span(node), expected=repr(value))
            ours = node
        elif ours is not None or not environment.live:
            # Python gives what stands above ours the finished program, so that one may stay; a text is not run.
            yield Diagnostic("PL115", "this decorator can't be applied to a program", file.span(node), hint="remove it")


def _in_order(diagnostics: list[Diagnostic]) -> list[Diagnostic]:
    return sorted(diagnostics, key=lambda each: each.span.line)


def _add_member(
    tracer: ProgramTracer,
    node: ast.stmt,
    file: SourceFile,
    environment_of: Callable[[ast.FunctionDef], Environment],
) -> None:
    """Adds a function of a program's class. Raises PL115 for what such a class can't hold."""
    match node:
        case ast.FunctionDef():
            environment = environment_of(node)
            if decorator_of(node, environment) is None:
                message = f"{node.name!r} has no decorator"
                hint = "put @pl.function or @pl.inline above it, or define it outside the class"
                raise UserError(Diagnostic("PL115", message, file.name_span(node), hint=hint))
            tracer.add(node, environment, in_class=True)
        case ast.AsyncFunctionDef():
            raise UserError(Diagnostic("PL110", "a kernel can't be asynchronous", file.name_span(node), expected="def"))
        case ast.Pass() | ast.Expr(value=ast.Constant()) | ast.Assign() | ast.AnnAssign():
            return
        case _:
            span = file.name_span(node) if isinstance(node, ast.ClassDef) else _header(node, file)
            message = f"{type(node).__name__} is not supported in the class of a program"
            raise UserError(Diagnostic("PL115", message, span, expected="functions under @pl.function, and constants"))


def _header(node: ast.stmt, file: SourceFile) -> Span:
    span = file.span(node)
    return span if span.end_line == span.line else file.line_span(span.line)


def _trace_alone(
    definition: ast.FunctionDef,
    environment: Environment,
    make_program: type[ProgramType],
    make_function: type[FunctionType],
) -> tuple[ProgramType, ProgramTracer]:
    tracer = ProgramTracer(definition.name, {})
    tracer.add(definition, environment, in_class=False)
    functions = tracer.trace()
    made = {name: _made(function, make_function) for name, function in functions.items()}
    place = environment.file.name_span(definition)
    return make_program(definition.name, made, span=place), tracer


def _unless_alone(program: ProgramType, make_function: type[FunctionType]) -> ProgramType | FunctionType:
    """The program of a lone definition, or its function where that calls no others."""
    if len(program.functions) > 1:
        return program
    alone = _made(program.functions[program.name], make_function)
    return alone.replace(records=program.records) if program.records else alone


def _made(function: ir.Function, make_function: type[FunctionType]) -> FunctionType:
    if isinstance(function, make_function):
        return function
    return make_function(*[getattr(function, field) for field in ir.Function.fields])


def _in_ssa_form(program: ProgramType, tracer: ProgramTracer) -> ProgramType:
    if tracer.jumps:
        program = StructureControlFlow().run(program)
    if tracer.jumps or tracer.rebinds:
        program = ConvertToSSA().run(program)
    findings = Printable.check(program, None) if tracer.jumps or tracer.is_deep else []
    if findings:
        raise UserError(*findings)
    copied_out = tracer.copied_out()
    if copied_out:
        program = program.with_record(COPIED_OUT, copied_out)
    if tracer.diagnostics:
        program = program.with_record(ir.DIAGNOSTICS, tuple(tracer.diagnostics))
    # Directions are found out once each variable is one value.
    return infer_directions(program, tracer.undeclared(), tracer.annotation)


def _class_comments(definition: ast.ClassDef, file: SourceFile) -> tuple[str, ...]:
    """The comments above a class and on its header, and its docstring."""
    found = [each.text for each in file.comments(comments_above(file, definition), definition.lineno)]
    docstring = ast.get_docstring(definition, clean=False)
    return (*found, *(text_as_comments(docstring) if docstring is not None else ()))
