"""Dask is an optional extra: its test belongs to the suite where it is installed."""

from importlib.util import find_spec

collect_ignore = [] if find_spec("distributed") is not None else ["test_dask.py"]
