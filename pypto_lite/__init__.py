"""pypto_lite: write Ascend tile kernels in Python, see where every tile lives, and why."""

__version__ = "0.1.0"
