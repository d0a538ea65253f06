"""``python -m pypto_lite``: the command ``pypto-lite``."""

import sys

from pypto_lite.cli import main

sys.exit(main())
