"""Comments of the source are carried into the IR, each of them once, to the statement they are about."""

from __future__ import annotations

import pypto_lite.language as pl
from pypto_lite import ir

TEXT = '''# about the text
import pypto_lite.language as pl


# about the program
@pl.program  # and its decorator
class P:
    """What P is.

    Indented:
        more
    """

    # about f
    @pl.function
    # between
    def f(self, n: pl.Scalar[pl.INDEX]):  # behind the signature
        """What f is."""
        # first
        m = n + 1  # at the end of a line
        text = [
            1,  # inside
        ]
        # loop
        for i in pl.range(4):  # header
            # inside the loop
            m = m + i

            # end of the loop
        # branch
        if m > 3:
            m = m - 1
            # end of the first arm
        # before else
        else:  # header of else
            m = m + 1
            # end of the second arm
        "a string is a comment"
        # before return
        return m
        # end of f

    # about g
    @pl.function
    def g(self, n: pl.Scalar[pl.INDEX]):
        a = "# no comment"
        while n > 0:
            # in the loop
            n = n - 1
        # end of g


# end of the text
'''


def program() -> ir.Program:
    found = pl.parse(TEXT)
    assert isinstance(found, ir.Program)
    return found


def bodies(statement: ir.Stmt) -> list[ir.Block]:
    return [block for block in statement.blocks() if isinstance(block, ir.Block)]


def test_comments_of_the_program_and_its_functions() -> None:
    found = program()

    assert found.comments == (
        "# about the program", "# and its decorator", "# What P is.", "#", "# Indented:", "#     more",
    )  # fmt: skip
    assert found.functions["f"].comments == ("# about f", "# between", "# behind the signature", "# What f is.")
    assert found.functions["g"].comments == ("# about g",)


def test_comments_of_statements() -> None:
    assign, loop, branch, last = program().functions["f"].body.statements

    assert assign.comments == ("# first", "# at the end of a line")
    assert loop.comments == ("# inside", "# loop", "# header")
    (body,) = bodies(loop)
    assert body.statements[0].comments == ("# inside the loop",)
    assert body.trailing_comments == ("# end of the loop",)
    assert branch.comments == ("# branch",)
    then, otherwise = bodies(branch)
    assert then.trailing_comments == ("# end of the first arm",)
    assert otherwise.statements[0].comments == ("# before else", "# header of else")
    assert otherwise.trailing_comments == ("# end of the second arm",)
    assert last.comments == ("# a string is a comment", "# before return")


def test_comments_at_the_end_of_functions() -> None:
    functions = program().functions

    assert functions["f"].body.trailing_comments == ("# end of f",)
    assert functions["g"].body.trailing_comments == ("# end of g",)


def test_each_comment_is_carried_once() -> None:
    found = program()
    carried: list[str] = []
    for node in ir.walk(found):
        if isinstance(node, (ir.Stmt, ir.Function, ir.Program)):
            carried += node.comments
        if isinstance(node, ir.Block):
            carried += node.trailing_comments

    inside = TEXT.partition("# about the program")[2].partition("# end of the text")[0]
    written = [line.partition("# ")[2] for line in inside.split("\n") if "# " in line and "no comment" not in line]
    assert sorted(comment.removeprefix("# ") for comment in carried if comment.removeprefix("# ") in written) == sorted(
        written
    )


def test_a_body_of_comments_alone() -> None:
    found = pl.parse(
        "import pypto_lite.language as pl\n\n@pl.function\ndef f(n: pl.Scalar[pl.INDEX]):\n    # only this\n    pass\n"
    )

    assert isinstance(found, ir.Function)
    assert found.body.trailing_comments == ("# only this",)


def test_printed_comments_are_read_again() -> None:
    found = program()

    again = pl.parse(found.as_python())

    assert isinstance(again, ir.Program)
    before = [node.comments for node in ir.walk(found) if isinstance(node, ir.Stmt)]
    after = [node.comments for node in ir.walk(again) if isinstance(node, ir.Stmt)]
    assert after == before


def test_a_comment_behind_an_elif_belongs_to_what_follows() -> None:
    found = pl.parse(
        """
import pypto_lite.language as pl

@pl.function
def f(n: pl.Scalar[pl.INDEX]):
    if n == 1:
        m = n
    elif n == 2:
        m = n + 1
        # in the elif
    # behind it
    k = n + 2
"""
    )

    assert isinstance(found, ir.Function)
    assert found.body.statements[-1].comments == ("# behind it",)
