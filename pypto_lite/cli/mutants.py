"""``pypto-lite fuzz --mutants``: mutants live with the tests, so the checkout in the working directory runs them."""

from __future__ import annotations

import subprocess
import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path


def has_mutants(folder: Path) -> bool:
    """Whether a folder is a checkout of pypto_lite."""
    return (folder / "tests" / "mutants" / "__main__.py").is_file()


def run_mutants(arguments: Sequence[str]) -> int:
    """Runs the mutants of the checkout in the working directory; the exit status of ``python -m tests.mutants``."""
    return subprocess.run([sys.executable, "-m", "tests.mutants", *arguments], check=False).returncode
