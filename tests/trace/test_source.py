"""Finding the source of decorated code, and places in it."""

from __future__ import annotations

import ast
import codecs
import doctest
import linecache
import runpy
import subprocess
import sys
from pathlib import Path
from types import FunctionType
from typing import Any

import pytest

from pypto_lite.diagnostics import UserError
from pypto_lite.trace.source.caller import user_frame, user_span
from pypto_lite.trace.source.capture import class_source, function_source, parse_source

HERE = Path(__file__)


def functions_of(cls: type) -> list[FunctionType]:
    return [each for each in vars(cls).values() if isinstance(each, FunctionType)]


def marked(function: FunctionType) -> FunctionType:
    return function


def run_file(path: Path, text: str | bytes, name: str = "kernel") -> FunctionType:
    """The function of this name after the file has been written and run."""
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return runpy.run_path(str(path))[name]


def text_at(file: Any, node: ast.AST) -> str:
    """What stands at the span of a node, which has to be on one line."""
    span = file.span(node)
    line = file.source.line(span.line)
    assert span.line == span.end_line
    return line[span.column - 1 : span.end_column - 1]


def only_return(definition: ast.FunctionDef) -> ast.expr:
    (statement,) = [each for each in definition.body if isinstance(each, ast.Return)]
    assert statement.value is not None
    return statement.value


def test_function_of_a_module_has_the_files_own_lines():
    file, definition = function_source(functions_of(Example)[0])
    assert file.filename == __file__
    assert file.source.line(definition.lineno) == "    def kernel(self, x):"


class Example:
    @marked
    def kernel(self, x):
        return x + 1

    @marked
    def mangled(self, __x):
        return 1


def test_parameter_whose_name_python_mangles():
    assert function_source(functions_of(Example)[1])[1].name == "mangled"


def test_class_is_found_by_its_functions():
    file, definition = class_source(Example, functions_of(Example), None)
    assert definition.name == "Example"
    assert file.source.line(definition.lineno) == "class Example:"


def test_class_without_functions_is_found_where_its_decorator_stands():
    found = []

    def decorate(cls: type) -> type:
        found.append(class_source(cls, [], sys._getframe(1))[1])
        return cls

    @decorate
    class Empty:
        """Nothing here."""

    assert found[0].name == Empty.__name__
    assert ast.get_docstring(found[0]) == "Nothing here."


def test_one_file_is_parsed_once():
    first, _ = function_source(functions_of(Example)[0])
    second, _ = function_source(make_nested(1))
    assert first is second


def make_nested(step: int) -> FunctionType:
    @marked
    def kernel(x):
        """A text
        that ends further left."""
        y = x + step
        return y

    return kernel


def test_under_indented_lines_in_a_nested_function():
    _, definition = function_source(make_nested(1))
    assert ast.unparse(only_return(definition)) == "y"


def test_definitions_of_one_name_are_told_apart_by_line():
    @marked
    def kernel(x):
        return x + 1

    first = kernel

    @marked
    def kernel(x):
        return x + 2

    assert ast.unparse(only_return(function_source(first)[1])) == "x + 1"
    assert ast.unparse(only_return(function_source(kernel)[1])) == "x + 2"


def test_decorator_with_arguments_over_several_lines():
    def decorate(**keywords: int):
        return marked

    @marked
    @decorate(
        first=1,
        second=2,
    )
    def kernel(x):
        return x

    assert len(function_source(kernel)[1].decorator_list) == 2


def test_tabs(tmp_path):
    function = run_file(
        tmp_path / "tabs.py", "def make():\n\tdef kernel(x):\n\t\treturn x\n\treturn kernel\nkernel = make()\n"
    )
    file, definition = function_source(function)
    assert text_at(file, only_return(definition)) == "x"
    assert file.span(only_return(definition)).column == 10


def test_columns_count_characters_not_bytes(tmp_path):
    function = run_file(tmp_path / "wide.py", "def kernel(größe, 幅):\n    return 'ÄÖ' + größe * 幅\n")
    file, definition = function_source(function)
    value = only_return(definition)
    assert isinstance(value, ast.BinOp)
    assert text_at(file, value.right) == "größe * 幅"


@pytest.mark.parametrize("end", ["\r\n", "\r", "\n"])
def test_line_ends(tmp_path, end):
    text = "# first\nX = '''a\nb'''\ndef kernel(x):\n    return x\n"
    function = run_file(tmp_path / "ends.py", text.replace("\n", end))
    file, definition = function_source(function)
    assert text_at(file, only_return(definition)) == "x"
    assert definition.lineno == 4


def test_byte_order_mark(tmp_path):
    function = run_file(tmp_path / "bom.py", codecs.BOM_UTF8 + b"def kernel(x): return x\n")
    file, definition = function_source(function)
    assert text_at(file, only_return(definition)) == "x"
    assert file.name_span(definition).column == 5


def test_declared_encoding(tmp_path):
    function = run_file(tmp_path / "latin.py", "# coding: latin-1\ndef kernel(x): return 'é' + x\n".encode("latin-1"))
    file, definition = function_source(function)
    value = only_return(definition)
    assert isinstance(value, ast.BinOp)
    assert text_at(file, value.left) == "'é'"


def test_form_feed(tmp_path):
    function = run_file(tmp_path / "feed.py", "X = 1\n\f\ndef kernel(x):\n    return x\n")
    file, definition = function_source(function)
    assert text_at(file, only_return(definition)) == "x"
    assert definition.lineno == 3


def test_changed_file_is_read_again(tmp_path):
    path = tmp_path / "changing.py"
    function_source(run_file(path, "def kernel(x): return x\n"))
    changed = run_file(path, "# one line more\ndef kernel(x): return x + 1\n")
    assert ast.unparse(only_return(function_source(changed)[1])) == "x + 1"


def test_file_that_no_longer_holds_the_function(tmp_path):
    path = tmp_path / "gone.py"
    function = run_file(path, "def kernel(x): return x\n")
    path.write_text("def kernel(y): return y\nprint('longer now')\n")
    with pytest.raises(UserError) as caught:
        function_source(function)
    assert caught.value.code == "PL102"


def test_source_registered_in_linecache():
    text = "def kernel(x):\n    return x\n"
    names: dict[str, Any] = {}
    linecache.cache["<cell 7>"] = (len(text), None, text.splitlines(keepends=True), "<cell 7>")
    exec(compile(text, "<cell 7>", "exec"), names)
    file, definition = function_source(names["kernel"])
    assert file.filename == "<cell 7>"
    assert text_at(file, only_return(definition)) == "x"


def test_doctest():
    text = ">>> def kernel(x):\n...     return x + 40\n>>> found.append(function_source(kernel)[1])\n"
    found: list[ast.FunctionDef] = []
    names = {"found": found, "function_source": function_source}
    test = doctest.DocTestParser().get_doctest(text, names, "example", None, 0)
    assert doctest.DocTestRunner().run(test).failed == 0
    assert ast.unparse(only_return(found[0])) == "x + 40"


def test_exec_of_a_string_keeps_no_source():
    names: dict[str, Any] = {}
    exec("def kernel(x):\n    return x\n", names)
    with pytest.raises(UserError, match=r"pl\.parse") as caught:
        function_source(names["kernel"])
    assert caught.value.code == "PL102"


COMMAND = """
import sys
sys.path.insert(0, {root!r})
from pypto_lite.trace.source.capture import function_source
def kernel(x):
    return x + 1
file, definition = function_source(kernel)
print(definition.lineno, file.source.line(definition.lineno))
"""


@pytest.mark.parametrize("options", [["-c"], ["-B", "-W", "ignore", "-c"], ["-Xutf8", "-Bc"]])
def test_command_line_text(options):
    command = COMMAND.format(root=str(HERE.parents[2]))
    result = subprocess.run(
        [sys.executable, *options, command, "argument"], capture_output=True, text=True, check=False
    )
    assert result.stdout == "5 def kernel(x):\n", result.stderr


def test_exec_inside_command_line_text_is_not_mistaken_for_it():
    command = COMMAND.format(root=str(HERE.parents[2])).replace("file, definition", "if 0:\n    file, definition", 1)
    command = command.replace("print(", "exec('def kernel(y): pass')\nfunction_source(kernel)\nprint(")
    result = subprocess.run([sys.executable, "-c", command], capture_output=True, text=True, check=False)
    assert "PL102" in result.stderr


def test_plain_interpreter_keeps_no_source():
    command = COMMAND.format(root=str(HERE.parents[2])).replace("    return x + 1\n", "    return x + 1\n\n")
    result = subprocess.run([sys.executable, "-"], input=command, capture_output=True, text=True, check=False)
    assert "PL102" in result.stderr
    assert "pl.parse" in result.stderr


def test_lambda_is_refused():
    with pytest.raises(UserError) as caught:
        function_source(lambda x: x)
    assert caught.value.code == "PL115"


def test_asynchronous_function_is_refused_at_its_name():
    async def kernel(x):
        return x

    with pytest.raises(UserError) as caught:
        function_source(kernel)  # pyright: ignore[reportArgumentType]
    assert caught.value.code == "PL110"
    assert HERE.read_text().splitlines()[caught.value.span.line - 1].strip() == "async def kernel(x):"


def test_user_frame_is_the_code_that_called_us():
    frame = user_frame()
    assert frame is not None
    assert frame.f_code.co_name == "test_user_frame_is_the_code_that_called_us"


def test_user_span_is_the_line_that_called_us():
    span = user_span()
    line = HERE.read_text().splitlines()[span.line - 1]
    assert line[span.column - 1 : span.end_column - 1] == "span = user_span()"


def test_user_span_without_source():
    names: dict[str, Any] = {"user_span": user_span}
    exec("span = user_span()", names)
    assert not names["span"]


@pytest.mark.parametrize(
    ("text", "code", "line", "column"),
    [
        ("x = 1\ny = (2,\n", "PL101", 2, 5),
        ("é = ü = = 1\n", "PL101", 1, 9),
        ("x = 1\ny = '\0'\n", "PL101", 2, 6),
        ("x = '\ud800'", "PL101", 1, 6),
        ("if 1:\n" + "".join(f"{' ' * depth}if 1:\n" for depth in range(1, 120)), "PL118", 101, 1),
        ("x = 1\ny = (\n  " + "+\n  ".join(["a"] * 5000) + ")\n", "PL118", 3, 3),
        ("x = 1\nf(" + "a * b - " * 60_000 + "c)\n", "PL118", 2, 3),
    ],
)
def test_text_that_is_no_python(text, code, line, column):
    with pytest.raises(UserError) as caught:
        parse_source(text, "text.py")
    assert caught.value.code == code
    assert (caught.value.span.line, caught.value.span.column) == (line, column)


def test_many_short_expressions_are_no_deep_one():
    text = "x = [" + "a + b,\n" * 5000 + "]\n"
    assert parse_source(text, "text.py").tree.body


def test_long_sum_is_parsed():
    text = "x = " + " + ".join(["a"] * 2500) + "\n"
    assert parse_source(text, "text.py").tree.body


def comments(text: str) -> list[tuple[int, int, str, bool]]:
    file = parse_source(text, "text.py")
    found = file.comments(1, text.count("\n") + 1)
    return [(comment.line, comment.column, comment.text, comment.alone) for comment in found]


def test_comments():
    text = "# one\nx = 1  # two\n\n    #three  \ny = '# none'\n"
    assert comments(text) == [(1, 1, "# one", True), (2, 8, "# two", False), (4, 5, "#three", True)]


def test_no_comments_in_strings():
    text = "x = '''\n# none\n'''\ny = \"a\\\"# none\"  # one\nz = r'\\''  # two\n"
    assert [comment[2] for comment in comments(text)] == ["# one", "# two"]


def test_no_comments_in_f_strings():
    text = "x = f'''\n# none {1}\n''' + f\"{x:#x}\"  # one\ny = 2  # two\n"
    assert [comment[:3] for comment in comments(text)] == [(3, 18, "# one"), (4, 8, "# two")]


def test_f_string_with_quotes_inside():
    inner = '"#"' if sys.version_info >= (3, 12) else "'#'"
    assert [comment[2] for comment in comments(f'x = f"{{y[{inner}]}}"  # one\n')] == ["# one"]


def test_comments_between_two_lines():
    file = parse_source("# one\n# two\n# three\n# four\n", "text.py")
    assert [comment.text for comment in file.comments(2, 3)] == ["# two", "# three"]
