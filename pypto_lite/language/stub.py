"""Writes ``__init__.pyi``, the types of the language, from the operators' declarations.

``python -m pypto_lite.language.stub`` brings the committed file up to date.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Final

from pypto_lite import ops
from pypto_lite.ir import DType, QuotedEnum
from pypto_lite.ops.framework.parameters import REQUIRED, Keyword, Operand, OperandKind
from pypto_lite.trace.names.builtins import CONSTRUCTS

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from pypto_lite.ops.framework.declaration import Operator

FOLDER: Final = Path(__file__).parent
TARGET: Final = FOLDER / "__init__.pyi"
WIDTH: Final = 120

NOTICE: Final = (
    "# ruff: noqa\n# Written by pypto_lite/language/stub.py; do not edit: change stub_head.txt or the operators.\n"
)

_OPERANDS: Final = {
    OperandKind.TILE: "Tile",
    OperandKind.TENSOR: "Tensor",
    OperandKind.TILE_OR_TENSOR: "Tile | Tensor",
    OperandKind.SCALAR: "_Number",
    OperandKind.CONST: "float",
    OperandKind.TUPLE: "_Extents",
    OperandKind.ARRAY: "Array",
}
_RESULTS: Final = {
    "TileType": "Tile",
    "TensorType": "Tensor",
    "ScalarType": "Scalar",
    "ArrayType": "Array",
    "PtrType": "Ptr",
    "UnknownType": "None",
}
_TYPES: Final = {bool: "bool", int: "int", float: "float", str: "str", DType: "DType"}

SCALAR_FORMS: Final = {
    **dict.fromkeys(("add", "sub", "mul", "div"), ("lhs: _Number, rhs: _Number, /", "Scalar")),
    "cast": ("value: _Number, target_type: DType", "Scalar"),
}
"""The operators that mean scalar arithmetic where no operand is a tile or a tensor."""


def stub_text() -> str:
    """The whole stub."""
    head = (FOLDER / "stub_head.txt").read_text(encoding="utf-8")
    head = head[head.index("\nimport ") + 1 :]
    grouped: dict[str, list[str]] = {}
    for spelling in sorted(ops.spellings()):
        namespace, _, name = spelling.rpartition(".")
        if namespace or name not in CONSTRUCTS:
            grouped.setdefault(namespace, []).append(spelling)
    lines = [NOTICE, head, "# fmt: off"]
    for spelling in grouped.pop("", []):
        lines += ["", *_functions(spelling, "")]
    for namespace, spellings in sorted(grouped.items()):
        lines += ["", f"class {namespace}:", f'    """The operators of ``pl.{namespace}``."""']
        if namespace == "tile":
            lines += ["", "    MaskPattern = _MaskPattern"]
        for spelling in spellings:
            lines += ["", *_functions(spelling, "    ")]
    return "\n".join([*lines, ""])


def _functions(spelling: str, indent: str) -> list[str]:
    """One definition for each way to call what is spelled so, without those that a type checker can't tell apart."""
    name = spelling.rpartition(".")[2]
    forms: dict[str, tuple[str, str]] = {}
    for operator in ops.by_spelling(spelling):
        parameters = ", ".join(_parameters(operator))
        forms.setdefault(parameters, (_result(operator), operator.documentation))
    if spelling in SCALAR_FORMS:
        parameters, result = SCALAR_FORMS[spelling]
        forms[parameters] = (result, "On scalars.")
    lines: list[str] = []
    for parameters, (result, documentation) in forms.items():
        lines += [f"{indent}@overload"] if len(forms) > 1 else []
        lines += [f"{indent}@staticmethod"] if indent else []
        lines += _header(indent, name, parameters, result)
        lines += _docstring(documentation, indent + "    ")
    return lines


def _header(indent: str, name: str, parameters: str, result: str) -> list[str]:
    line = f"{indent}def {name}({parameters}) -> {result}:"
    if len(line) <= WIDTH:
        return [line]
    inner = [f"{indent}    {part}," for part in _split(parameters)]
    return [f"{indent}def {name}(", *inner, f"{indent}) -> {result}:"]


def _split(parameters: str) -> Iterator[str]:
    """The parameters one by one: commas inside brackets are no separators."""
    depth = start = 0
    for index, character in enumerate(parameters):
        depth += (character == "[") - (character == "]")
        if character == "," and depth == 0:
            yield parameters[start:index].strip()
            start = index + 1
    yield parameters[start:].strip()


def _docstring(documentation: str, indent: str) -> list[str]:
    text = documentation.replace("\\", "\\\\").replace('"""', r"\"\"\"")
    lines = [f"{indent}{line}".rstrip() for line in text.splitlines()]
    lines[0] = f'{indent}"""{lines[0].strip()}'
    return [*lines[:-1], f'{lines[-1]}"""'] if len(lines) == 1 else [*lines, f'{indent}"""']


def _parameters(operator: Operator) -> Iterable[str]:
    texts: list[str] = []
    optional = False
    for index, parameter in enumerate(operator.parameters):
        if index == operator.positional:
            texts.append("*")
            optional = False
        text, has_default = _operand(parameter) if isinstance(parameter, Operand) else _keyword(parameter)
        optional = optional or has_default
        # Behind a parameter that may be left out, one that must be given can only be given by name.
        texts.append(f"{parameter.name}: {text}{' = ...' if optional else ''}")
    if operator.positional >= len(operator.parameters):
        texts.append("*")
    return [*texts, "attrs: Mapping[str, Any] = ..."]


def _operand(operand: Operand) -> tuple[str, bool]:
    kind = "int" if operand.value is int else _OPERANDS[operand.kind]
    if operand.takes_one:
        kind = f"{kind} | _Number"
    if operand.kind is OperandKind.TUPLE and operand.value is not None:
        kind = "_Tasks"
    if operand.same_as is not None:
        return f"{kind} | None", True
    return (f"{kind} | None", True) if operand.optional else (kind, False)


def _keyword(keyword: Keyword) -> tuple[str, bool]:
    default = keyword.supplied if keyword.default is REQUIRED else keyword.default
    text = _value_type(keyword.value_type)
    return (f"{text} | None" if default is None else text), default is not REQUIRED


def _value_type(value_type: type) -> str:
    if value_type in _TYPES:
        return _TYPES[value_type]
    if issubclass(value_type, QuotedEnum):
        names: Sequence[str] = [repr(member.name).replace("'", '"') for member in value_type]
        return f"Literal[{', '.join(names)}] | int"  # kernels write these by name
    return value_type.__name__


def _result(operator: Operator) -> str:
    return _RESULTS.get(str(operator.rule.__annotations__.get("return")), "Any")


if __name__ == "__main__":
    TARGET.write_text(stub_text(), encoding="utf-8")
