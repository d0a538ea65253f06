"""Kernels work wherever Python keeps their source, and say what to do where it does not."""

from __future__ import annotations

import codecs
import doctest
import importlib
import linecache
import os
import runpy
import subprocess
import sys
import zipfile
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

import pypto_lite.language as pl
from pypto_lite import ir
from pypto_lite.diagnostics import UserError

if TYPE_CHECKING:
    from collections.abc import Mapping

ROOT = Path(__file__).resolve().parents[2]

TEXT = '''import pypto_lite.language as pl

ROWS = 8 * 2


@pl.program
class Scale:
    """Doubles a block."""

    @pl.function(type=pl.FunctionType.InCore)
    def kernel(
        self, x: pl.Tensor[[ROWS, 64], pl.FP32], out: pl.Out[pl.Tensor[[ROWS, 64], pl.FP32]]
    ) -> pl.Tensor[[ROWS, 64], pl.FP32]:
        a = pl.load(x, [0, 0], [ROWS, 64])
        b = pl.mul(a, 2.0)
        return pl.store(b, [0, 0], out)
'''
EXPECTED = pl.parse(TEXT)


def run_file(path: Path, data: bytes) -> ir.Program:
    path.write_bytes(data)
    return runpy.run_path(str(path))["Scale"]


@pytest.mark.parametrize(
    "data",
    [
        TEXT.encode(),
        TEXT.replace("\n", "\r\n").encode(),
        TEXT.replace("    ", "\t").encode(),
        codecs.BOM_UTF8 + TEXT.encode(),
        TEXT.replace("\n\n\n", "\n\f\n\n").encode(),
        TEXT.replace("ROWS", "größe").encode(),
        ("# coding: latin-1\n" + TEXT.replace("ROWS", "größe")).encode("latin-1"),
        ("from __future__ import annotations\n" + TEXT).encode(),
    ],
    ids=["plain", "crlf", "tabs", "bom", "form feed", "not ascii", "encoding", "annotations not evaluated"],
)
def test_file(tmp_path, data):
    path = tmp_path / "kernel.py"
    ir.assert_structural_equal(run_file(path, data), EXPECTED)
    ir.assert_structural_equal(pl.loads(path), EXPECTED)


def test_error_in_a_file_with_tabs_and_wide_characters_points_at_the_place(tmp_path):
    text = TEXT.replace("    ", "\t").replace("b = pl.mul(a, 2.0)", 'größe = "幅"; b = pl.mul(größe, a)')
    with pytest.raises(UserError) as caught:
        run_file(tmp_path / "kernel.py", text.encode())
    span = caught.value.span
    line = text.splitlines()[span.line - 1]
    assert "größe" in line
    assert line[span.column - 1 :].startswith(("größe, a", "pl.mul"))


def test_linecache():
    linecache.cache["<a cell>"] = (len(TEXT), None, TEXT.splitlines(keepends=True), "<a cell>")
    names: dict[str, object] = {}
    exec(compile(TEXT, "<a cell>", "exec"), names)
    program = names["Scale"]
    assert isinstance(program, pl.Program)
    ir.assert_structural_equal(program, EXPECTED)
    assert program.functions["kernel"].span.filename == "<a cell>"


def test_doctest():
    lines = TEXT.rstrip().splitlines()
    text = ">>> import pypto_lite.language as pl\n>>> ROWS = 16\n"
    body = lines[lines.index("@pl.program") :]
    text += "\n".join([f">>> {body[0]}", *[f"... {line}".rstrip() for line in body[1:]], ""])
    found: dict[str, object] = {}
    test = doctest.DocTestParser().get_doctest(text, found, "example", None, 0)
    assert doctest.DocTestRunner().run(test, clear_globs=False).failed == 0
    ir.assert_structural_equal(test.globs["Scale"], EXPECTED)


def python(
    *arguments: str, text: str = "", cwd: Path = ROOT, environment: Mapping[str, str] | None = None
) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-X", "utf8", *arguments],
        input=text,
        capture_output=True,
        encoding="utf-8",
        check=False,
        cwd=cwd,
        env={**os.environ, **(environment or {})},
    )


@pytest.mark.parametrize("options", [["-c"], ["-B", "-W", "ignore", "-c"]])
def test_command_line(options):
    result = python(*options, f"{TEXT}print(Scale)", "argument")
    ir.assert_structural_equal(pl.parse(result.stdout), EXPECTED)


WRONG = TEXT.replace("pl.mul(a, 2.0)", "pl.mul(b, 2.0)")


@pytest.mark.parametrize(
    ("text", "last"),
    [
        (WRONG, ("@pl.program", "class Scale")),  # from Python 3.11 on it is the line of the decorator
        (f"{TEXT}Scale.lower('Ascend')\n", "Scale.lower('Ascend')"),
        (f"{TEXT}pl.parse(str(Scale).replace('return', 'raise'))\n", "pl.parse("),
        (f"{TEXT}pl.loads('nothing.py')\n", "pl.loads("),
        (f"{TEXT}pl.exp(1)\n", "pl.exp(1)"),
        (f"{TEXT}class Other(Scale): ...\n", "class Other(Scale)"),
    ],
    ids=["decorator", "lower", "parse", "loads", "operator", "base"],
)
def test_uncaught_error_shows_the_lines_of_the_script_alone(text, last, tmp_path):
    path = tmp_path / "kernel.py"
    path.write_text(text, encoding="utf-8")
    shown = python(str(path), environment={"PYTHONPATH": str(ROOT)}).stderr
    frames = [line for line in shown.splitlines() if line.startswith("  File ")]
    assert len(frames) == 1
    assert str(path) in frames[0]
    assert shown.partition(frames[0])[2].splitlines()[1].strip().startswith(last)
    assert str(ROOT) not in shown
    assert "error[PL" in shown


def test_other_errors_are_shown_as_python_shows_them(tmp_path):
    path = tmp_path / "kernel.py"
    with_hook = "import pypto_lite.language as pl\nimport json\njson.loads('')\n"
    path.write_text(with_hook, encoding="utf-8")
    shown = python(str(path), environment={"PYTHONPATH": str(ROOT)}).stderr
    path.write_text(with_hook.replace("import pypto_lite.language as pl", ""), encoding="utf-8")
    assert shown == python(str(path)).stderr


def test_interpreter_without_source_names_parse():
    result = python("-", text=f"{TEXT}\nprint(Scale)\n")
    assert "PL102" in result.stderr
    assert "pl.parse" in result.stderr


def test_exec_of_a_string_names_parse():
    with pytest.raises(UserError, match=r"pl\.parse") as caught:
        exec(TEXT, {})
    assert caught.value.code == "PL102"


def test_factory_makes_programs_of_its_arguments():
    def make(rows: int, dtype: ir.DType) -> pl.Program:
        block = pl.Tensor[[rows, 64], dtype]

        @pl.program
        class Scale:
            @pl.function(type=pl.FunctionType.InCore)
            def kernel(self, x: block, out: pl.Out[block]) -> block:
                a = pl.load(x, [0, 0], [rows, 64])
                b = pl.mul(a, 2.0)
                return pl.store(b, [0, 0], out)

        return Scale

    ir.assert_structural_equal(make(16, pl.FP32), EXPECTED)
    assert make(32, pl.BF16).functions["kernel"].params[0].type == ir.TensorType([32, 64], pl.BF16)


def test_names_of_the_language_under_any_alias(tmp_path):
    text = TEXT.replace("import pypto_lite.language as pl", "import pypto_lite.language as lang").replace(
        "pl.", "lang."
    )
    text = text.replace("lang.load(", "fetch(").replace(
        "\n\nROWS", "\nfrom pypto_lite.language import load as fetch\n\nROWS"
    )
    path = tmp_path / "kernel.py"
    ir.assert_structural_equal(run_file(path, text.encode()), EXPECTED)
    ir.assert_structural_equal(pl.loads(path), EXPECTED)


def test_text_that_imports_pypto():
    ir.assert_structural_equal(pl.parse(TEXT.replace("pypto_lite", "pypto")), EXPECTED)


def test_something_else_than_text():
    with pytest.raises(UserError, match=r"pl\.loads") as caught:
        pl.parse(Path("kernel.py"))  # pyright: ignore[reportArgumentType]
    assert caught.value.code == "PL119"


def test_module_in_an_archive(tmp_path, monkeypatch):
    with zipfile.ZipFile(tmp_path / "kernels.zip", "w") as archive:
        archive.writestr("kernel_in_an_archive.py", TEXT)
    monkeypatch.syspath_prepend(str(tmp_path / "kernels.zip"))
    ir.assert_structural_equal(importlib.import_module("kernel_in_an_archive").Scale, EXPECTED)
