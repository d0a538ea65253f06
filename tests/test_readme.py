"""README.md says what is true: its Python runs and prints the output shown below it, and so do its commands.

A block of Python that prints is followed by a ``text`` block with the output. A ``console`` block shows commands
behind ``$``, each with its output below.
"""

from __future__ import annotations

import re
import runpy
import shlex
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable

ROOT = Path(__file__).parent.parent
TEXT = (ROOT / "README.md").read_text("utf-8")


class Block(NamedTuple):
    language: str
    text: str
    line: int


BLOCKS = [
    Block(match[1], match[2], TEXT.count("\n", 0, match.start()) + 1)
    for match in re.finditer(r"^```(\w+)\n(.*?)^```$", TEXT, re.MULTILINE | re.DOTALL)
]
PYTHON = [(block, BLOCKS[index + 1]) for index, block in enumerate(BLOCKS) if block.language == "python"]
CONSOLE = [block for block in BLOCKS if block.language == "console"]


def line_of(value: object) -> str | None:
    block = value[0] if isinstance(value, tuple) else value
    return f"line{block.line}" if isinstance(block, Block) else None


def test_the_first_screen_holds_two_commands() -> None:
    commands = [line for line in TEXT.splitlines()[:25] if line.startswith("python3 -m venv ")]
    assert commands == [block.text.strip() for block in BLOCKS if block.language == "bash"]
    assert len(commands) == 2


@pytest.mark.parametrize(("block", "following"), PYTHON, ids=line_of)
def test_python_prints_what_is_shown(
    block: Block, following: Block, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "block.py"
    path.write_text(block.text, encoding="utf-8")
    runpy.run_path(str(path))
    shown = following.text if following.language == "text" and "print(" in block.text else ""
    assert capsys.readouterr().out.rstrip("\n") == shown.rstrip("\n")


@pytest.mark.parametrize("block", CONSOLE, ids=line_of)
def test_commands_print_what_is_shown(
    block: Block, monkeypatch: pytest.MonkeyPatch, run_command: Callable[..., Any]
) -> None:
    monkeypatch.chdir(ROOT)
    for shown in re.split(r"^\$ ", block.text, flags=re.MULTILINE)[1:]:
        command, _, output = shown.partition("\n")
        program, *arguments = shlex.split(command)
        assert program == "pypto-lite"
        outcome = run_command(*arguments)
        assert (outcome.out + outcome.err).rstrip("\n") == output.rstrip("\n")


def test_every_file_that_is_named_is_there() -> None:
    named = re.findall(r"`((?:examples|\.ci)/[\w./]+)`|\]\(([\w./]+)\)", TEXT)
    assert named
    assert [name for name in map("".join, named) if not (ROOT / name).exists()] == []


def test_every_room_is_in_the_table() -> None:
    rooms = {path.stem for path in (ROOT / "pypto_lite").iterdir() if not path.name.startswith(("_", "."))}
    table = {name for row in re.findall(r"^\| (`.*?) \|", TEXT, re.MULTILINE) for name in re.findall(r"`(\w+)`", row)}
    assert table == rooms - {"py"}
