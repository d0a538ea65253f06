"""IR to Python text, in the form that reads back as the same IR, with a map from node to line and column."""

from pypto_lite.printer.names import names
from pypto_lite.printer.printing import Printed, python_print, python_print_with_places

__all__ = ["Printed", "names", "python_print", "python_print_with_places"]
