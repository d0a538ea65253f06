"""For people who write passes: assertions that a pass does what it should, and nothing else."""

from pypto_lite.testing.assertions import assert_pass

__all__ = ["assert_pass"]
