"""``pypto-lite passes`` and ``pypto-lite ops``: what the compiler consists of, read from its own declarations."""

from __future__ import annotations

import inspect
from typing import TYPE_CHECKING

from pypto_lite import ops, passes
from pypto_lite.ir import MemorySpace
from pypto_lite.ops.declaration import REQUIRED, ByKeyword, Keyword, Operand, OperandKind, Operator

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from pypto_lite.passes import Pass, Property
    from pypto_lite.targets import Target


def passes_text(target: Target | None) -> str:
    """The default pipeline: each pass with its first line of documentation and the properties it deals in."""
    return "\n".join(line for each in passes.default_pipeline(target).passes for line in _pass_lines(each))


def _pass_lines(each: Pass) -> list[str]:
    lines = [f"{each.name}: {_first_line(type(each).__doc__)}"]
    for label, properties in (
        ("requires", each.requires),
        ("produces", each.produces),
        ("invalidates", each.invalidates),
    ):
        if properties:
            lines.append(f"    {label:<12}{_property_names(properties)}")
    return lines


def _property_names(properties: Iterable[Property]) -> str:
    return ", ".join(sorted(each.name for each in properties))


def _first_line(documentation: str | None) -> str:
    return (documentation or "").strip().partition("\n")[0]


def operator_table() -> str:
    """All operators, one a line: operands with the spaces they are read from, the result's space, the core."""
    header = ("operator", "operands", "result", "core")
    rows = [header, *(_row(each) for _, each in sorted(ops.operators().items()))]
    widths = [max(len(row[column]) for row in rows) for column in range(len(header))]
    return "\n".join("  ".join(cell.ljust(w) for cell, w in zip(row, widths, strict=True)).rstrip() for row in rows)


def _row(operator: Operator) -> tuple[str, str, str, str]:
    operands = ", ".join(map(_short_operand, operator.operands))
    return operator.name, operands, _result_space(operator), operator.core.value


def _short_operand(operand: Operand) -> str:
    spaces = f": {_spaces(operand.spaces)}" if operand.spaces else ""
    return f"{operand.name}{'?' if operand.optional else ''}{spaces}"


def _spaces(spaces: Sequence[MemorySpace]) -> str:
    return "|".join(space.name for space in spaces)


def _result_space(operator: Operator) -> str:
    space = operator.result_space
    if isinstance(space, MemorySpace):
        return space.name
    if operator.inherits:
        tile = next((each.name for each in operator.operands if each.kind is OperandKind.TILE), "its operand")
        return f"as {tile}"
    if isinstance(space, ByKeyword):
        return f"target_memory, else {space.default.name}" if space.default is not None else "target_memory"
    return "-"


def operators_called(name: str) -> tuple[Operator, ...]:
    """The operators that a name can mean: ``tile.add``, or ``add`` for all that ``pl.add`` stands for."""
    found = ops.find(name)
    return (found,) if found is not None else tuple(ops.by_spelling(name.removeprefix("pl.")))


def operator_page(operator: Operator) -> str:
    """Everything that the declaration of one operator says."""
    signature = ", ".join(map(_parameter, operator.parameters))
    lines = [f"{operator.name}({signature})", ""]
    lines += [f"    {line}".rstrip() for line in inspect.cleandoc(operator.documentation).splitlines()]
    lines += ["", f"written as  {', '.join(f'pl.{each}' for each in operator.spellings)}"]
    for index, operand in enumerate(operator.operands):
        lines.append(f"{'operands' if index == 0 else '':<12}{_long_operand(operand)}")
    for index, keyword in enumerate(operator.keywords.values()):
        lines.append(f"{'keywords' if index == 0 else '':<12}{keyword.name}: {keyword.value_type.__name__}")
    lines += [f"result      {_result_space(operator)}", f"core        {operator.core.value}"]
    lines += [f"storage     {text}" for text in _storage(operator)]
    return "\n".join(lines)


def _parameter(parameter: Operand | Keyword) -> str:
    if isinstance(parameter, Operand):
        if parameter.same_as is not None:
            return f"{parameter.name}={parameter.same_as}"
        return f"{parameter.name}=None" if parameter.optional else parameter.name
    default = parameter.supplied if parameter.supplied is not REQUIRED else parameter.default
    return parameter.name if default is REQUIRED else f"{parameter.name}={default!r}"


def _long_operand(operand: Operand) -> str:
    text = f"{operand.name}: {operand.kind.value}"
    if operand.spaces:
        text += f" in {_spaces(operand.spaces)}"
    if operand.layout is not None:
        text += f", {operand.layout.name}"
    return text


def _storage(operator: Operator) -> list[str]:
    texts: list[str] = []
    if operator.view_of is not None:
        texts.append(f"the result is a view of {operator.operands[operator.view_of].name}")
    if operator.reuses is not None:
        texts.append(f"the result takes over {operator.operands[operator.reuses].name}")
    if not operator.in_place_safe:
        texts.append("the result needs storage of its own")
    elif operator.no_alias:
        names = ", ".join(operator.operands[index].name for index in operator.no_alias)
        texts.append(f"the result must not share storage with {names}")
    return texts
