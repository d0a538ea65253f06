"""What importing the operators loads."""

from __future__ import annotations

import subprocess
import sys

PROGRAM = "import sys, pypto_lite.ops; print([name for name in ('numpy', 'ml_dtypes') if name in sys.modules])"


def test_declaring_operators_imports_no_array_module() -> None:
    loaded = subprocess.run([sys.executable, "-c", PROGRAM], capture_output=True, text=True, check=True)
    assert loaded.stdout.strip() == "[]"
