"""What importing the operators costs."""

from __future__ import annotations

import subprocess
import sys


def test_declaring_operators_imports_no_array_module() -> None:
    program = "import sys, pypto_lite.ops; print([name for name in ('numpy', 'ml_dtypes', 'ast') if name in sys.modules])"
    heavy = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    loaded_by_python = subprocess.run(
        [sys.executable, "-c", "import sys, typing_extensions; print(['ast'] if 'ast' in sys.modules else [])"],
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert heavy.stdout == loaded_by_python.stdout
