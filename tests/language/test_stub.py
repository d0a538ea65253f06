"""The stub of the language is what the operators' declarations say."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

import pypto_lite.language as pl
from pypto_lite.language import stub

TREE = ast.parse(stub.TARGET.read_text(encoding="utf-8"))
ROOT = Path(__file__).resolve().parents[2]


def bound_names(statements: list[ast.stmt]) -> set[str]:
    names: set[str] = set()
    for statement in statements:
        if isinstance(statement, (ast.FunctionDef, ast.ClassDef)):
            names.add(statement.name)
        elif isinstance(statement, ast.ImportFrom):
            names |= {alias.asname for alias in statement.names if alias.asname == alias.name}
        elif isinstance(statement, ast.Assign):
            names |= {target.id for target in statement.targets if isinstance(target, ast.Name)}
        elif isinstance(statement, ast.AnnAssign) and isinstance(statement.target, ast.Name):
            names.add(statement.target.id)
    return {name for name in names if not name.startswith("_")}


def test_committed_stub_is_up_to_date():
    assert stub.TARGET.read_text(encoding="utf-8") == stub.stub_text(), "run python -m pypto_lite.language.stub"


def test_stub_has_the_names_of_the_language_and_no_others():
    assert bound_names(TREE.body) == set(dir(pl))


def test_namespaces_have_their_operators():
    classes = {each.name: each for each in TREE.body if isinstance(each, ast.ClassDef)}
    for name in ("tile", "tensor", "array", "system"):
        assert bound_names(classes[name].body) == set(dir(getattr(pl, name)))


def test_every_function_is_documented():
    undocumented = [
        each.name
        for each in ast.walk(TREE)
        if isinstance(each, ast.FunctionDef)
        and not each.name.startswith("__")
        and not ast.get_docstring(each)
        and each.name not in ("program", "inline")
    ]
    assert undocumented == []


KERNEL = """
import pypto_lite.language as pl

M = pl.dynamic("M")
Block = pl.Tensor[[16, 128], pl.FP32]


@pl.program
class Example:
    @pl.function(type=pl.FunctionType.InCore)
    def kernel(
        self,
        x: pl.Tensor[[16, M], pl.BF16],
        n: pl.Scalar[pl.INDEX],
        out: pl.Out[Block],
    ) -> tuple[pl.Tensor[[16, 128], pl.FP32], Block]:
        a = pl.load(x, [0, n * 2], [16, 128], target_memory=pl.Mem.Vec)
        for i, (s,) in pl.range(0, n, init_values=(a,)):
            if i > 2:
                b: pl.Tile[[16, 128], pl.FP32, pl.MemorySpace.Vec, pl.TileView(valid_shape=[n, 128])] = pl.add(s, a)
            else:
                b = pl.tile.adds(s, 2.0) * 2
            r = pl.yield_(b)
        with pl.at(level=pl.Level.CORE_GROUP):
            c = -pl.cast(r, pl.FP32, mode="rint")
        first = pl.store(c, [0, 0], out)
        return first, out

    @pl.function
    def main(self, x: Block, out: pl.Out[Block]) -> pl.Tuple[Block, Block]:
        return self.kernel(x, 4, out)


@pl.function
def alone(x: Block) -> Block:
    return x


print(Example.lower(until="simplify"), alone.lower(), Example.functions["kernel"])
"""


def test_type_checkers_accept_kernels(tmp_path):
    (tmp_path / "kernel.py").write_text(KERNEL)
    (tmp_path / "pyrightconfig.json").write_text(
        f'{{"extraPaths": ["{ROOT.as_posix()}"], "typeCheckingMode": "basic"}}'
    )
    command = [sys.executable, "-m", "pyright", "--project", str(tmp_path)]
    result = subprocess.run(command, capture_output=True, text=True, check=False)
    assert result.returncode == 0, result.stdout
