"""The names of ``pl``."""

from __future__ import annotations

import builtins
import subprocess
import sys

import pytest

import pypto_lite.language as pl
from pypto_lite import ir, ops
from pypto_lite.diagnostics import UserError


@pytest.mark.parametrize("spelling", ops.spellings())
def test_every_operator_can_be_reached_by_its_spellings(spelling):
    found = pl
    for part in spelling.split("."):
        found = getattr(found, part)
    if spelling in ("min", "max"):
        assert repr(found) == f"pl.{spelling}"
    else:
        assert found.spelling == spelling
        assert found.__doc__.startswith(f"pl.{spelling}(")


@pytest.mark.parametrize("name", ir.DTYPES)
def test_dtypes(name):
    assert getattr(pl, name) is ir.DTYPES[name]


def test_short_names():
    assert pl.Mem is pl.MemorySpace is ir.MemorySpace
    assert (pl.ND, pl.DN, pl.NZ) == (ir.TensorLayout.ND, ir.TensorLayout.DN, ir.TensorLayout.NZ)
    assert (pl.MX_A_ZZ, pl.MX_B_NN) == (ir.TensorLayout.MX_A_ZZ, ir.TensorLayout.MX_B_NN)
    assert pl.AUTO == -1
    assert pl.tile.MaskPattern.P1010 == 2
    assert pl.parse_program is pl.parse
    assert pl.loads_program is pl.loads


ENUMERATIONS = (
    "AtomicType", "CompactMode", "CoreType", "FunctionType", "Level", "MemorySpace", "PadValue", "PipeType", "Role",
    "ScopeMode", "SplitMode", "TensorLayout", "TileLayout",
)  # fmt: skip


@pytest.mark.parametrize("name", ENUMERATIONS)
def test_enumerations(name):
    assert getattr(pl, name) is getattr(ir, name)


def test_everything_public_is_there():
    assert all(hasattr(pl, name) for name in pl.__all__)
    assert set(pl.__all__) <= set(dir(pl))
    assert "load" in pl.__all__


def test_star_import_keeps_pythons_own_names():
    assert not set(pl.__all__) & set(vars(builtins))
    assert "range" in dir(pl)


def test_unknown_name_gets_a_proposal():
    with pytest.raises(UserError, match="did you mean 'matmul'") as caught:
        pl.matmull  # noqa: B018  # pyright: ignore
    assert caught.value.code == "PL107"
    assert not hasattr(pl, "matmull")


def test_unknown_name_of_an_import():
    with pytest.raises(ImportError, match="matmull"):
        from pypto_lite.language import matmull  # noqa: F401  # pyright: ignore


def test_calling_an_operator_outside_a_kernel():
    with pytest.raises(UserError, match=r"pl\.tile\.load was called outside a kernel"):
        pl.tile.load(1, 2)  # pyright: ignore


SLOW = {"numpy", "ml_dtypes", "hypothesis", "astor", "torch", "asyncio", "unittest", "tempfile", "subprocess"}


def test_import_is_quick():
    command = "import sys; before = {*sys.modules}; import pypto_lite.language; print(*({*sys.modules} - before))"
    result = subprocess.run([sys.executable, "-c", command], capture_output=True, text=True, check=True)
    assert SLOW.isdisjoint(result.stdout.split())
