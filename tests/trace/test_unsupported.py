"""Names that PyPTO's language has and ours has not: what is said of them, and what is to be written instead."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

import pypto_lite
import pypto_lite.language as pl
from pypto_lite.diagnostics import UserError
from pypto_lite.trace.names.unsupported import INSTEAD, not_supported
from tests.trace.kernels import text_of

NAMES = [
    *INSTEAD, "jit.inline", "prefetch.wait", "optimizations.split", "tensor.add", "gather", "arange", "random",
]  # fmt: skip
"""Also members of what there is not, and operators on tensors, which have a table of their own."""


def found(spelling: str) -> object:
    value: object = pl
    for part in spelling.split("."):
        value = getattr(value, part)
    return value


@pytest.mark.parametrize("name", NAMES)
def test_a_name_in_a_kernel_is_not_supported_yet(name: str) -> None:
    with pytest.raises(UserError, match="not supported yet") as caught:
        pl.parse(text_of(f"pl.{name}(t)"))
    (diagnostic,) = caught.value.diagnostics
    assert (diagnostic.code, diagnostic.span.line) == ("PL209", 29)
    assert "did you mean" not in str(diagnostic.hint)


@pytest.mark.parametrize("name", NAMES)
def test_a_name_that_python_looks_up_is_not_supported_yet(name: str) -> None:
    with pytest.raises(UserError, match="not supported yet") as caught:
        found(name)
    assert caught.value.code == "PL209"


def test_a_name_that_there_is_not_is_no_attribute() -> None:
    assert not hasattr(pl, "jit")
    assert not hasattr(pl.tile, "max")


@pytest.mark.parametrize("name", INSTEAD)
def test_there_is_none_of_these_names(name: str) -> None:
    assert not any(hasattr(owner, name) for owner in (pl, pl.tile, pl.tensor) if "." not in name)


@pytest.mark.parametrize("name", [*INSTEAD, *[f"tensor.{each}" for each in ("add", "gather", "arange", "matmul")]])
def test_what_is_to_be_written_instead_exists(name: str) -> None:
    diagnostic = not_supported(name)
    assert diagnostic is not None
    assert diagnostic.hint is not None
    for each in re.findall(r"\bpl\.((?:\w+\.)*\w+)", diagnostic.hint):
        assert found(each) is not None


@pytest.mark.parametrize(
    ("decorator", "code"), [("@pl.jit", "PL209"), ("@pl.jit.inline", "PL209"), ("@pl.jitt", "PL107")]
)
def test_a_decorator_that_there_is_not(decorator: str, code: str) -> None:
    with pytest.raises(UserError) as caught:
        pl.parse(f"{decorator}\ndef kernel(x: pl.Tensor[[16, 16], pl.FP32]):\n    return x\n")
    assert (caught.value.code, caught.value.span.line) == (code, 1)


@pytest.mark.parametrize(
    ("statement", "code", "message"),
    [
        ("import pypto.language.distributed as X", "PL209", "pl.distributed is not supported yet"),
        ("import pypto_lite.language.distributed as X", "PL209", "pl.distributed is not supported yet"),
        ("from pypto.language import distributed as X", "PL209", "pl.distributed is not supported yet"),
        ("from pypto.language.distributed import put as X", "PL209", "pl.distributed is not supported yet"),
        ("from pypto_lite.language import jit as X", "PL209", "pl.jit is not supported yet"),
        ("import pypto.language.no_such_part as X", "PL107", "pypto.language has no name 'no_such_part'"),
        ("from pypto.language import matmull as X", "PL107", "did you mean 'matmul'"),
        ("from math import sqr as X", "PL107", "did you mean 'sqrt'"),
    ],
)
def test_an_import_that_there_is_not_is_told_where_a_kernel_uses_it(statement: str, code: str, message: str) -> None:
    pl.parse(f"{statement}\n{text_of('n = n')}")
    with pytest.raises(UserError, match=re.escape(message)) as caught:
        pl.parse(f"{statement}\n{text_of('X(t)')}")
    (diagnostic,) = caught.value.diagnostics
    assert (diagnostic.code, diagnostic.span.line) == (code, 30)
    assert [note.span.line for note in diagnostic.notes] == [1]


def test_a_part_of_the_language_under_its_full_name() -> None:
    with pytest.raises(UserError, match="not supported yet") as caught:
        pl.parse(f"import pypto.language.distributed\n{text_of('pypto.language.distributed.put(t)')}")
    assert (caught.value.code, caught.value.span.line) == ("PL209", 30)


def test_what_messages_name_exists() -> None:
    named = {
        each
        for path in Path(pypto_lite.__file__).parent.rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
        for each in re.findall(r"\bpl\.((?:[a-zA-Z_]\w*\.)*[a-zA-Z_]\w*)", node.value)
    }
    assert len(named) > 80
    assert all(found(each) is not None for each in named)


def test_no_hint_proposes_a_name_without_a_value() -> None:
    with pytest.raises(UserError) as caught:
        pl.parse(f"import numpy as array_module\n{text_of('n = aray_module')}")
    assert caught.value.code == "PL105"
    assert caught.value.diagnostics[0].hint is None


@pytest.mark.parametrize("name", ["lod", "matmull", "Tensr", "row_summ", "unrol", "reluu", "adds_"])
def test_a_misspelled_name_of_the_language_gets_names_that_exist(name: str) -> None:
    with pytest.raises(UserError) as caught:
        found(name)
    proposed = re.findall(r"'(?:pl\.)?([\w.]+)'", str(caught.value.diagnostics[0].hint))
    assert proposed
    assert all(found(each) is not None for each in proposed)
