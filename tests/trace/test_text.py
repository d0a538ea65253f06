"""Reading kernels from text: what names mean in it, which kernel is meant, and files that can't be read."""

from __future__ import annotations

import codecs
from types import ModuleType

import pytest

from pypto_lite.diagnostics import UserError
from pypto_lite.trace.names import builtins as surface
from pypto_lite.trace.names.environment import MISSING, Environment, Unavailable
from pypto_lite.trace.source.module import Kernel
from pypto_lite.trace.source.text import find_kernel, read_text


def action(*args: object) -> None:
    raise AssertionError("decorators of a text are not called")


LANGUAGE = ModuleType("pypto_lite.language")
LANGUAGE.__dict__.update(
    {
        **{kind: surface.Decorator(kind, action, "") for kind in ("program", "function", "inline")},
        "load": surface.OperatorName("load"),
        "Tensor": surface.TENSOR,
        "dynamic": surface.dynamic,
        "__all__": ["load", "Tensor", "program", "function"],
    }
)
PROGRAM = "@pl.program\nclass P:\n    pass\n"


def find(text: str) -> Kernel:
    return find_kernel(text, "text.py", LANGUAGE)


def names(text: str, header: str = "import pypto_lite.language as pl\n") -> Environment:
    """What names mean for the program behind a text."""
    return find(f"{header}{text}\n{PROGRAM}").environment


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("X = 16", 16),
        ("X: int = 16", 16),
        ("Y = X = 16", 16),
        ("Y, X = 1, 16", 16),
        ("[Y, (X, Z)] = [1, (16, 3)]", 16),
        ("X = 8\nX *= 2", 16),
        ("Y = [8, 8]\nX = sum(Y)", 16),
        ("X = 16\nif X > 8:\n    X = 17\nelse:\n    X = 1", 17),
        ("X = 16\nif __name__ == '__main__':\n    X = 1", 16),
        ("from typing import TYPE_CHECKING\nX = 16\nif TYPE_CHECKING:\n    X = torch", 16),
        ("import math\nX = math.isqrt(256)", 16),
        ("import math as m\nX = m.isqrt(256)", 16),
        ("from math import isqrt as root\nX = root(256)", 16),
        ("from math import *\nX = isqrt(256)", 16),
        ("'''A docstring.'''\nX = 16", 16),
    ],
)
def test_constant(text, value):
    assert names(text).find("X") == value


@pytest.mark.parametrize(
    ("header", "name"),
    [
        ("import pypto_lite.language as pl\n", "pl"),
        ("import pypto.language as pl\n", "pl"),
        ("from pypto_lite import language as pl\n", "pl"),
        ("from pypto import language as pl\n", "pl"),
        ("try:\n    import pypto.language as pl\nexcept ImportError:\n    import pypto_lite.language as pl\n", "pl"),
    ],
)
def test_language_under_any_alias(header, name):
    assert names("", header).find(name) is LANGUAGE


@pytest.mark.parametrize("header", ["", "import math\n", "X = 16\n", "import pypto_lite.language as language\n"])
@pytest.mark.parametrize(
    "definition", [PROGRAM, "@pl.function\ndef f(x):\n    pass\n", "@pl.inline\ndef f(x):\n    pass\n"]
)
def test_pl_is_the_language_where_the_text_does_not_bind_it(header, definition):
    assert find(f"{header}{definition}").environment.find("pl") is LANGUAGE


@pytest.mark.parametrize("header", ["pl = 3\n", "import numpy as pl\n", "def pl():\n    pass\n"])
def test_pl_is_what_the_text_binds_it_to(header):
    text = f"import pypto_lite.language as language\n{header}@language.program\nclass P:\n    pass\n"
    assert find(text).environment.find("pl") is not LANGUAGE


def test_language_by_its_full_name():
    kernel = find("import pypto_lite.language\n@pypto_lite.language.program\nclass P:\n    pass\n")
    assert kernel.environment.find("pypto_lite").language is LANGUAGE


def test_names_of_the_language():
    environment = names("from pypto_lite.language import load as take, Tensor\n")
    assert environment.find("take") is LANGUAGE.load
    assert environment.find("Tensor") is surface.TENSOR


def test_all_names_of_the_language():
    kernel = find("from pypto_lite.language import *\n@program\nclass P:\n    pass\n")
    assert kernel.environment.find("load") is LANGUAGE.load


def test_symbolic_dimension_is_one_object():
    environment = names("M = pl.dynamic('M')\nT = pl.Tensor[[M, 4], None]")
    assert environment.find("T").arguments[0][0] is environment.find("M")


@pytest.mark.parametrize(
    "text",
    [
        "import numpy as X",
        "import X.sub",
        "from elsewhere import X",
        "from . import X",
        "from pypto_lite.language import X",
        "X = print(1)",
        "X = [i for i in range(3)]",
        "for X in range(3):\n    pass",
        "with open('x') as X:\n    pass",
        "def X():\n    return 1",
        "class X:\n    pass",
        "X = 1\ndel X",
        "X = 1\nif unknown:\n    X = 2",
        "X = [1]\nX.append(2)",
        "X = {}\nX['a'] = 1",
        "X, Y = 1",
        "X, *Y = 1, 2",
        "try:\n    import numpy as X\nexcept ImportError:\n    X = None",
        "match 1:\n    case X:\n        pass",
    ],
)
def test_name_without_a_static_value(text):
    assert isinstance(names(text).find("X"), Unavailable)


def test_using_it_says_why_and_where_it_is_bound():
    kernel = find("import pypto_lite.language as pl\nimport numpy as np\n@pl.program\nclass P(np):\n    pass\n")
    with pytest.raises(UserError) as caught:
        kernel.environment.value(kernel.definition.bases[0])
    (diagnostic,) = caught.value.diagnostics
    assert diagnostic.code == "PL116"
    assert (diagnostic.span.line, diagnostic.span.column) == (4, 9)
    assert "numpy" in str(diagnostic.found)
    assert diagnostic.notes[0].span.line == 2


def test_constant_means_what_it_is_where_the_program_stands():
    kernel = find(f"import pypto_lite.language as pl\nX = 1\n{PROGRAM}X = 2\nY = 3\n")
    assert kernel.environment.find("X") == 1
    assert kernel.environment.find("Y") is MISSING


def test_functions_behind_the_program_are_known():
    kernel = find(f"import pypto_lite.language as pl\n{PROGRAM}@pl.function\ndef later(x):\n    pass\n")
    later = kernel.environment.find("later")
    assert isinstance(later, Kernel)
    assert (later.kind, later.definition.name) == ("function", "later")


def test_program_wins_over_functions():
    kernel = find(f"import pypto_lite.language as pl\n@pl.function()\ndef f(x):\n    pass\n{PROGRAM}")
    assert (kernel.kind, kernel.definition.name) == ("program", "P")


def test_one_function():
    kernel = find(
        "import pypto_lite.language as pl\n@pl.inline\ndef f(x):\n    pass\n@pl.function\ndef g(x):\n    pass\n"
    )
    assert (kernel.kind, kernel.definition.name) == ("function", "g")


def test_more_than_one_program_points_at_the_second_and_the_first():
    with pytest.raises(UserError) as caught:
        find(f"import pypto_lite.language as pl\n{PROGRAM}{PROGRAM.replace('P', 'Q')}")
    (diagnostic,) = caught.value.diagnostics
    assert diagnostic.code == "PL115"
    assert (diagnostic.span.line, diagnostic.span.column) == (6, 7)
    assert diagnostic.notes[0].span.line == 3


def test_more_than_one_function():
    with pytest.raises(UserError) as caught:
        find("import pypto_lite.language as pl\n" + "@pl.function\ndef f(x):\n    pass\n" * 2)
    assert caught.value.code == "PL115"


@pytest.mark.parametrize(
    ("definition", "found"),
    [
        ("@pl.program\ndef k(x):\n    pass\n", "the function k"),
        ("@pl.function\nclass k:\n    pass\n", "the class k"),
        ("@pl.inline\nclass k:\n    pass\n", "the class k"),
    ],
)
@pytest.mark.parametrize("others", ["", PROGRAM])
def test_decorator_above_what_it_is_not_for(definition, found, others):
    with pytest.raises(UserError, match="has to stand directly above") as caught:
        find(f"import pypto_lite.language as pl\n{definition}{others}")
    assert (caught.value.code, caught.value.span.line) == ("PL115", 3)
    assert caught.value.diagnostics[0].found == found


@pytest.mark.parametrize("text", ["", "x = 1\n", "import pypto_lite.language as pl\nclass P:\n    pass\n"])
def test_no_program(text):
    with pytest.raises(UserError) as caught:
        find(text)
    assert caught.value.code == "PL119"


def test_name_of_a_file_instead_of_its_text():
    with pytest.raises(UserError, match=r"pl\.loads"):
        find("kernel.py")


def test_decorator_that_is_not_ours():
    with pytest.raises(UserError, match="import of elsewhere") as caught:
        find(f"import elsewhere as pl\n{PROGRAM}")
    assert (caught.value.code, caught.value.span.line) == ("PL116", 2)


def test_misspelled_decorator():
    with pytest.raises(UserError, match="did you mean 'program'") as caught:
        find("import pypto_lite.language as pl\n@pl.progam\nclass P:\n    pass\n")
    assert (caught.value.code, caught.value.span.line) == ("PL107", 2)


def test_program_that_only_running_the_text_would_make():
    text = "import pypto_lite.language as pl\ndef make(n):\n    @pl.program\n    class Inner:\n        pass\n"
    with pytest.raises(UserError, match="Inner") as caught:
        find(text)
    assert (caught.value.code, caught.value.span.line) == ("PL119", 4)


def test_byte_order_mark_of_a_text():
    assert find(f"\ufeffimport pypto_lite.language as pl\r\n{PROGRAM}").definition.name == "P"


@pytest.mark.parametrize(
    ("data", "text"),
    [
        ("é\n".encode(), "é\n"),
        (codecs.BOM_UTF8 + "é\n".encode(), "é\n"),
        ("# -*- coding: latin-1 -*-\né\n".encode("latin-1"), "# -*- coding: latin-1 -*-\né\n"),
        ("#!python\n# vim: set fileencoding=utf-16-le :\n".encode("latin-1")[:9] + b"# coding=cp1252\n\x80", None),
        ("x = 1\n# coding: latin-1\né\n".encode(), "x = 1\n# coding: latin-1\né\n"),
        (b"", ""),
    ],
)
def test_read_text(tmp_path, data, text):
    path = tmp_path / "kernel.py"
    path.write_bytes(data)
    assert read_text(path) == (text if text is not None else "#!python\n# coding=cp1252\n€")


def test_directory(tmp_path):
    with pytest.raises(UserError, match="directory") as caught:
        read_text(tmp_path)
    assert caught.value.code == "PL119"
    assert not caught.value.span


def test_missing_file(tmp_path):
    with pytest.raises(UserError, match="no such file") as caught:
        read_text(tmp_path / "nothing.py")
    assert caught.value.code == "PL119"
    assert not caught.value.span


def test_file_name_that_no_file_can_have():
    with pytest.raises(UserError) as caught:
        read_text("a\0b")
    assert caught.value.code == "PL119"


def test_bytes_that_are_no_text_are_pointed_at(tmp_path):
    path = tmp_path / "kernel.py"
    path.write_bytes(b"x = 1\ny = '\xff'\n")
    with pytest.raises(UserError, match="0xff") as caught:
        read_text(path)
    assert (caught.value.code, caught.value.span.line, caught.value.span.column) == ("PL119", 2, 6)


def test_unknown_encoding(tmp_path):
    path = tmp_path / "kernel.py"
    path.write_bytes(b"# coding: no-such-code\n")
    with pytest.raises(UserError, match="no-such-code") as caught:
        read_text(path)
    assert caught.value.code == "PL119"
