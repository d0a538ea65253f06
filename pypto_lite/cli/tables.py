"""``pypto-lite passes`` and ``pypto-lite ops``: what the compiler consists of, read from its own declarations."""

from __future__ import annotations

import inspect
from typing import TYPE_CHECKING

from pypto_lite import ops, passes
from pypto_lite.ir import MemorySpace
from pypto_lite.ops.framework.declaration import ByKeyword
from pypto_lite.ops.framework.parameters import Effect, OperandKind

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from pypto_lite.ops.framework.declaration import Operator
    from pypto_lite.ops.framework.parameters import Operand
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
    return operator.name, operands, _result_space(operator), operator.core.name.lower().replace("_", " ")


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
    lines = [f"{operator.name}{ops.signature(operator)}", ""]
    lines += [f"    {line}".rstrip() for line in inspect.cleandoc(operator.documentation).splitlines()]
    lines.append("")
    for label, texts in (
        ("written as", [", ".join(f"pl.{each}" for each in operator.spellings)]),
        ("operands", [text for each in operator.operands if (text := _operand_rule(each))]),
        ("result", [_result_space(operator)]),
        ("core", [operator.core.value]),
        ("storage", _storage(operator)),
    ):
        lines += [f"{label if index == 0 else '':<12}{text}" for index, text in enumerate(texts)]
    return "\n".join(lines)


def _operand_rule(operand: Operand) -> str:
    """What is asked of an operand and done to it; empty where it is only read, wherever it is."""
    parts = [f"in {_spaces(operand.spaces)}"] if operand.spaces else []
    parts += [operand.layout.name] if operand.layout is not None else []
    parts += [operand.effect.value] if operand.effect is not Effect.READ else []
    return f"{operand.name}: {', '.join(parts)}" if parts else ""


def _storage(operator: Operator) -> list[str]:
    texts: list[str] = []
    if operator.view_of is not None:
        texts.append(f"the result is a view of {operator.operands[operator.view_of].name}")
    if operator.tied_operand is not None:
        texts.append(f"the result takes over {operator.operands[operator.tied_operand].name}")
    if not operator.in_place_safe:
        texts.append("the result needs storage of its own")
    elif operator.no_alias:
        names = ", ".join(operator.operands[index].name for index in operator.no_alias)
        texts.append(f"the result must not share storage with {names}")
    return texts
