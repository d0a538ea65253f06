"""The command ``pypto-lite``."""

from pypto_lite.cli.main import main

__all__ = ["main"]
