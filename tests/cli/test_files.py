"""What a file on the command line can be: which programs count as its own, and what is told of bad files."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable

    Run = Callable[..., Any]

HEADER = "import pypto_lite.language as pl\n"
BODY = """
@pl.program
class {name}:
    @pl.function(type=pl.FunctionType.InCore)
    def kernel(
        self, x: pl.Tensor[[{rows}, 16], pl.FP32], out: pl.Out[pl.Tensor[[{rows}, 16], pl.FP32]]
    ) -> pl.Tensor[[{rows}, 16], pl.FP32]:
        return pl.store(pl.load(x, [0, 0], [{rows}, 16]), [0, 0], out)
"""


def program(name: str, rows: object = 16) -> str:
    return BODY.format(name=name, rows=rows)


def indented(text: str) -> str:
    return "".join(f"    {line}\n" for line in text.splitlines())


FACTORY = f"def make(rows):\n{indented(program('Made', 'rows'))}    return Made\n"


@pytest.fixture
def programs_of(tmp_path: Path, run_command: Run) -> Callable[[str], list[str | None]]:
    """The names of the programs that a file with this text has; the file is right."""

    def names(text: str) -> list[str | None]:
        (tmp_path / "kernels.py").write_text(text, encoding="utf-8")
        outcome = run_command("lower", tmp_path / "kernels.py", "--format", "json")
        assert (outcome.status, outcome.err) == (0, "")
        return [found["program"] for found in outcome.objects]

    return names


@pytest.fixture
def errors_of(tmp_path: Path, run_command: Run) -> Callable[[str], list[dict[str, Any]]]:
    """The diagnostics of a file with this text; the command ends with status 1 and shows no traceback."""

    def errors(text: str) -> list[dict[str, Any]]:
        path = tmp_path / "kernels.py"
        path.write_text(text, encoding="utf-8")
        outcome = run_command("lower", path, "--format", "json")
        assert outcome.status == 1
        assert "Traceback" not in outcome.err
        return [diagnostic for found in outcome.objects for diagnostic in found["diagnostics"]]

    return errors


def test_all_programs_of_a_file_in_the_order_of_their_definition(programs_of: Any) -> None:
    assert programs_of(HEADER + program("Second") + program("First")) == ["Second", "First"]


def test_constants_helpers_and_factories_work(programs_of: Any) -> None:
    text = HEADER + "ROWS = sum([8, 8])\n" + FACTORY + "Small = make(ROWS)\nLarge = make(2 * ROWS)\n"
    assert programs_of(text) == ["Made", "Made"]


def test_programs_in_a_list_or_a_dictionary_count(programs_of: Any) -> None:
    text = HEADER + FACTORY + "ALL = [make(n) for n in (8, 16)]\nBY_ROWS = {n: make(n) for n in (32, 64)}\n"
    assert programs_of(text) == ["Made"] * 4


def test_two_names_of_one_program_are_one(programs_of: Any) -> None:
    assert programs_of(HEADER + program("One") + "Other = One\n") == ["One"]


def test_what_the_file_itself_lowers_is_no_second_program(programs_of: Any) -> None:
    assert programs_of(HEADER + program("One") + "lowered = One.lower()\n") == ["One"]


def test_siblings_can_be_imported_but_their_programs_are_not_the_files_own(tmp_path: Path, programs_of: Any) -> None:
    (tmp_path / "sibling.py").write_text(HEADER + "ROWS = 32\n" + program("Theirs"), encoding="utf-8")
    assert programs_of(HEADER + "from sibling import ROWS, Theirs\n" + program("Ours", "ROWS")) == ["Ours"]


def test_what_a_siblings_factory_makes_is_the_files_own(tmp_path: Path, programs_of: Any) -> None:
    (tmp_path / "sibling.py").write_text(HEADER + FACTORY, encoding="utf-8")
    assert programs_of("from sibling import make\nMine = make(16)\n") == ["Made"]


def test_siblings_of_the_same_name_are_kept_apart(tmp_path: Path, run_command: Run) -> None:
    for folder, rows in (("a", 16), ("b", 32)):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "sizes.py").write_text(f"ROWS = {rows}\n")
        (tmp_path / folder / "kernels.py").write_text(HEADER + "from sizes import ROWS\n" + program("P", "ROWS"))
    outcome = run_command("lower", tmp_path / "a/kernels.py", tmp_path / "b/kernels.py", "--format", "json")
    shapes = [found["functions"]["kernel"]["tiles"][0]["shape"] for found in outcome.objects]
    assert shapes == [[16, 16], [32, 16]]


def test_a_file_in_a_package_can_import_relatively(tmp_path: Path, run_command: Run) -> None:
    (tmp_path / "package").mkdir()
    (tmp_path / "package" / "__init__.py").write_text("")
    (tmp_path / "package" / "sizes.py").write_text("ROWS = 32\n")
    (tmp_path / "package" / "kernels.py").write_text(HEADER + "from .sizes import ROWS\n" + program("P", "ROWS"))
    outcome = run_command("lower", tmp_path / "package/kernels.py", "--format", "json")
    assert [found["functions"]["kernel"]["tiles"][0]["shape"] for found in outcome.objects] == [[32, 16]]


def test_importing_leaves_no_trace(tmp_path: Path, programs_of: Any) -> None:
    (tmp_path / "sibling.py").write_text("ROWS = 16\n")
    path_before, modules_before = list(sys.path), set(sys.modules)
    programs_of("import pypto.language as pl\nimport sibling\n" + program("P"))
    assert sys.path == path_before
    assert set(sys.modules) - modules_before == set()


def test_the_main_block_does_not_run(programs_of: Any) -> None:
    text = HEADER + program("P") + "if __name__ == '__main__':\n    raise RuntimeError\n"
    assert programs_of(text) == ["P"]


def test_a_module_knows_its_own_name(programs_of: Any) -> None:
    text = HEADER + "assert __name__ == 'kernels' and __file__.endswith('kernels.py')\n" + program("P")
    assert programs_of(text) == ["P"]


def test_a_file_may_have_the_name_of_a_loaded_module(tmp_path: Path, run_command: Run) -> None:
    (tmp_path / "json.py").write_text(HEADER + program("P"))
    outcome = run_command("lower", tmp_path / "json.py", "--format", "json")
    assert outcome.objects[0]["program"] == "P"


@pytest.mark.parametrize("line", ["import pypto.language as pl", "from pypto import language as pl"])
def test_pypto_means_us_where_it_is_not_installed(line: str, programs_of: Any) -> None:
    assert programs_of(f"{line}\n{program('P')}") == ["P"]


def test_what_the_file_prints_does_not_mix_with_the_result(tmp_path: Path, run_command: Run) -> None:
    (tmp_path / "kernels.py").write_text("print('hello')\n" + HEADER + program("P"))
    outcome = run_command("lower", tmp_path / "kernels.py")
    assert "hello" not in outcome.out
    assert "hello" in outcome.err


def test_a_file_may_change_the_directory(programs_of: Any, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(tmp_path)  # goes back in the end
    assert programs_of("import os, tempfile\n" + HEADER + "os.chdir(tempfile.gettempdir())\n" + program("P")) == ["P"]


def test_postponed_annotations_work(programs_of: Any) -> None:
    assert programs_of("from __future__ import annotations\n" + HEADER + program("P")) == ["P"]


def test_functions_beside_the_programs_that_call_them_are_not_programs(programs_of: Any) -> None:
    text = (
        HEADER
        + """
@pl.inline
def double(tile: pl.Tile[[16, 16], pl.FP32]) -> pl.Tile[[16, 16], pl.FP32]:
    return pl.add(tile, tile)

@pl.program
class P:
    @pl.function(type=pl.FunctionType.InCore)
    def kernel(
        self, x: pl.Tensor[[16, 16], pl.FP32], out: pl.Out[pl.Tensor[[16, 16], pl.FP32]]
    ) -> pl.Tensor[[16, 16], pl.FP32]:
        return pl.store(double(pl.load(x, [0, 0], [16, 16])), [0, 0], out)
"""
    )
    assert programs_of(text) == ["P"]


@pytest.mark.parametrize(
    ("text", "code", "line"),
    [
        ("", "PL119", None),
        ("x = 1\n", "PL119", None),
        ("def broken(:\n", "PL101", 1),
        ("x = 1\nreturn x\n", "PL101", 2),
        ("x = 1\n\n1 / 0\n", "PL121", 3),
        ("import no_such_module_anywhere\n", "PL121", 1),
        ("x = undefined\n", "PL121", 1),
        ("import sys\nsys.exit(0)\n", "PL121", 2),
        ("x = '\0'\n", "PL101", 1),
    ],
)
def test_a_bad_file_is_a_coded_error_at_its_line(text: str, code: str, line: int | None, errors_of: Any) -> None:
    (error,) = errors_of(text)
    assert (error["code"], error["severity"]) == (code, "error")
    if line is not None:
        assert error["line"] == line


def test_the_error_of_a_sibling_is_told_at_both_places(tmp_path: Path, run_command: Run) -> None:
    (tmp_path / "sibling.py").write_text("x = 1\nraise ValueError('from the sibling')\n")
    (tmp_path / "kernels.py").write_text("\n\nimport sibling\n")
    outcome = run_command("check", tmp_path / "kernels.py")
    assert outcome.status == 1
    assert "ValueError: from the sibling" in outcome.err
    assert "kernels.py:3:1" in outcome.err
    assert "sibling.py:2:1" in outcome.err


def test_what_follows_from_an_error_is_not_told(errors_of: Any) -> None:
    text = HEADER + program("Wrong").replace("pl.load", "pl.lode") + "Lowered = Wrong.lower()\nprint(Lowered)\n"
    (error,) = errors_of(text)
    assert error["code"] == "PL107"


@pytest.mark.parametrize(
    ("statement", "code", "message"),
    [
        ("import pypto.language.distributed as pld", "PL209", "pl.distributed is not supported yet"),
        ("import pypto_lite.language.distributed as pld", "PL209", "pl.distributed is not supported yet"),
        ("from pypto.language import distributed as pld", "PL209", "pl.distributed is not supported yet"),
        ("from pypto.language.distributed import pld", "PL209", "pl.distributed is not supported yet"),
        ("from pypto_lite.language import pld", "PL107", "has no name 'pld'"),
    ],
)
def test_an_import_of_what_the_language_does_not_have(statement: str, code: str, message: str, errors_of: Any) -> None:
    needing = program("Needing").replace("return", "pld.wait(x)\n        return", 1)
    (error,) = errors_of(f"{statement}\n{HEADER}x = pld.rank\n{needing}{program('Other')}")
    assert (error["code"], error["line"]) == (code, 1)
    assert message in error["message"]


def test_too_many_nested_blocks_name_the_way_out(tmp_path: Path, run_command: Run) -> None:
    lines = ["def deep():"] + [f"{' ' * (level + 1)}for i in range(2):" for level in range(25)] + [" " * 27 + "pass"]
    (tmp_path / "kernels.py").write_text("\n".join(lines) + "\n")
    outcome = run_command("check", tmp_path / "kernels.py")
    assert outcome.status == 1
    assert "PL118" in outcome.err
    assert "--text" in outcome.err


def test_a_missing_file_and_a_directory_are_coded_errors(tmp_path: Path, run_command: Run) -> None:
    outcome = run_command("check", tmp_path / "missing.py", tmp_path)
    assert outcome.status == 1
    assert outcome.err.count("error[PL119]") == 2
    assert "directory" in outcome.err


@pytest.mark.parametrize("option", [[], ["--text"]])
def test_a_file_that_is_no_utf8_is_a_coded_error(option: list[str], tmp_path: Path, run_command: Run) -> None:
    (tmp_path / "latin.py").write_bytes(b"# \xe9\xff\nx = 1\n")
    outcome = run_command("check", tmp_path / "latin.py", *option)
    assert outcome.status == 1
    assert "error[PL119]" in outcome.err


def test_a_declared_encoding_is_honoured(tmp_path: Path, run_command: Run) -> None:
    (tmp_path / "latin.py").write_bytes(("# -*- coding: latin-1 -*-\n# é\n" + HEADER + program("P")).encode("latin-1"))
    assert run_command("check", tmp_path / "latin.py").status == 0


def test_a_file_with_a_bom_and_windows_line_ends_works(tmp_path: Path, run_command: Run) -> None:
    text = (HEADER + program("P")).replace("\n", "\r\n")
    (tmp_path / "windows.py").write_bytes(b"\xef\xbb\xbf" + text.encode())
    assert run_command("check", tmp_path / "windows.py").status == 0


@pytest.mark.parametrize(
    "text",
    [
        "raise GeneratorExit\n",
        "class Strange(Exception):\n    def __str__(self):\n        raise ValueError\nraise Strange\n",
        "def recurse():\n    recurse()\nrecurse()\n",
    ],
)
def test_whatever_a_file_raises_is_told(text: str, errors_of: Any) -> None:
    (error,) = errors_of(text)
    assert error["code"] == "PL121"


def test_a_bug_of_ours_is_told_as_such(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, run_command: Run) -> None:
    def fail(*_: object, **__: object) -> None:
        raise AttributeError("a bug")

    (tmp_path / "kernels.py").write_text(HEADER + program("P"))
    monkeypatch.setattr("pypto_lite.cli.files.import_file", fail)
    outcome = run_command("check", tmp_path / "kernels.py")
    assert outcome.status == 1
    assert "error[PL901]: AttributeError: a bug" in outcome.err
    assert "Traceback" not in outcome.err
    path = Path(outcome.err.split("the traceback is in ")[1].split("\n")[0])
    assert "a bug" in path.read_text()
    path.unlink()
