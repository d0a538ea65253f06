"""``why`` tells the reasons of a placement in sentences, each with the line that it is about."""

from __future__ import annotations

import pytest

import pypto_lite.language as pl
from pypto_lite.diagnostics import UserError
from pypto_lite.report import why

TEXT = """\
import pypto_lite.language as pl

@pl.program
class P:
    @pl.function(type=pl.FunctionType.InCore)
    def kernel(
        self,
        x: pl.Tensor[[64, 64], pl.BF16],
        n: pl.Scalar[pl.INDEX],
        out: pl.Out[pl.Tensor[[64, 64], pl.FP32]],
    ):
        left = pl.load(x, [0, 0], [64, 64], target_memory=pl.Mem.Mat)
        total = pl.create_tile([64, 64], dtype=pl.FP32)
        for i in pl.range(n):
            right = pl.load(x, [0, 0], [64, 64])
            total = pl.matmul_acc(total, left, right)
        out = pl.store(total, [0, 0], out)
        return out

    @pl.function(type=pl.FunctionType.InCore)
    def other(self, x: pl.Tensor[[64, 64], pl.FP32], out: pl.Out[pl.Tensor[[64, 64], pl.FP32]]):
        left = pl.load(x, [0, 0], [64, 64])
        out = pl.store(left, [0, 0], out)
        return out
"""


def answer(value: str, function: str | None = "kernel", target: str | None = "Ascend910B") -> list[str]:
    return str(why(pl.parse(TEXT, "p.py").lower(target), value, function)).splitlines()


def test_a_written_space_and_what_it_is_copied_for() -> None:
    assert answer("left") == [
        "'left', in kernel of p.py, lives in Mat:",
        "      12 | left = pl.load(x, [0, 0], [64, 64], target_memory=pl.Mem.Mat)",
        "It lives there because Mat is written here.",
        "It is copied to Left, as 'left_Left', because tile.matmul_acc reads its operand lhs in Left:",
        "      16 | total = pl.matmul_acc(total, left, right)",
        "It takes 8,192 bytes.",
        "At most 8,192 of 524,288 bytes of Mat are in use at once.",
    ]


def test_nothing_special_is_said_to_be_so() -> None:
    assert answer("right")[2] == "It lives there because nothing asks for another space."


def test_the_reasons_lead_from_value_to_value() -> None:
    assert answer("total")[:8] == [
        "'total', in kernel of p.py, lives in Acc:",
        "      13 | total = pl.create_tile([64, 64], dtype=pl.FP32)",
        "It lives there because it flows into 'total__1', in Acc:",
        "      14 | for i in pl.range(n):",
        "'total__1' lives in Acc because tile.matmul_acc reads its operand acc in Acc:",
        "      16 | total = pl.matmul_acc(total, left, right)",
        "  and because 'total__2', in Acc, flows into it as its yielded value:",
        "      14 | for i in pl.range(n):",
    ]


def test_a_written_name_stands_for_all_its_values() -> None:
    heads = [line for line in answer("total") if "in kernel of p.py" in line]
    assert heads == [
        "'total', in kernel of p.py, lives in Acc:",
        "'total__1', carried by a loop, in kernel of p.py, lives in Acc:",
        "'total__2', in kernel of p.py, lives in Acc:",
        "'total__3', the result of a loop, in kernel of p.py, lives in Acc:",
    ]


def test_a_printed_name_stands_for_one_value() -> None:
    assert [each.value for each in why(pl.parse(TEXT).lower(), "total__2").answers] == ["total__2"]


def test_an_inserted_copy_says_for_whom_it_was_made() -> None:
    assert "It is a copy that placement made because tile.matmul_acc reads its operand lhs in Left." in answer(
        "left_Left"
    )


def test_without_a_function_all_of_them_are_searched() -> None:
    assert [each.function for each in why(pl.parse(TEXT).lower(), "left").answers] == ["kernel", "other"]


def test_without_a_target_there_are_bytes_and_no_limit() -> None:
    assert answer("left", target=None)[-1] == "At most 8,192 bytes of Mat are in use at once."


def test_a_name_for_the_buffer_of_another_value_takes_no_bytes() -> None:
    text = TEXT.replace("total = ", "named = left\n        total = ", 1)
    assert "It takes" not in str(why(pl.parse(text).lower(), "named"))


def test_a_load_that_stays_in_its_loop_says_which_rule_keeps_it() -> None:
    marked = TEXT.replace(
        "right = pl.load(x, [0, 0], [64, 64])",
        'right = pl.load(x, [0, 0], [64, 64], target_memory=pl.Mem.Mat, attrs={"bridge_load": True})',
    )
    told = str(why(pl.parse(marked).lower(), "right"))
    assert "It stays in its loop (loop-bounds-not-constant) because a bound of the loop is not a constant" in told


def test_many_reasons_are_counted_rather_than_told() -> None:
    body = ["tile = pl.matmul(left, left)", *[f"e{i} = pl.exp(tile)" for i in range(10)], "total = "]
    text = TEXT.replace("total = ", "\n        ".join(body), 1)
    assert "  and for 4 more reasons like these." in str(why(pl.parse(text).lower(), "tile"))


def nested(depth: int) -> str:
    """A kernel that carries a created tile into so many loops before anything reads it."""
    loops = "\n".join(f"{'    ' * level}        for i{level} in pl.range(n):" for level in range(depth))
    inner = f"{'    ' * depth}        total = pl.matmul_acc(total, left, left)"
    return TEXT.replace("        for i in pl.range(n):", f"{loops}\n{inner}\n        for i in pl.range(n):", 1)


def test_the_reasons_lead_to_what_decides_however_far_it_is() -> None:
    told = str(why(pl.parse(nested(30)).lower(), "total").answers[0])
    assert "because tile.matmul_acc reads its operand acc in Acc" in told
    assert "So it goes on through 23 more." in told
    assert len(told.splitlines()) < 40


def test_many_values_of_one_name_are_counted_rather_than_told() -> None:
    answers = why(pl.parse(nested(30)).lower(), "total")
    assert f"{len(answers.answers) - 12} more values are called so, the last one 'total__" in str(answers)


def test_a_written_space_that_gave_way_is_told() -> None:
    text = TEXT.replace("total = pl.create_tile([64, 64], dtype=pl.FP32)", VEC_TOTAL)
    told = str(why(pl.parse(text).lower(), "total").answers[0])
    assert "It lives there, and not in the space that is written, because it flows into 'total__1', in Acc" in told


VEC_TOTAL = "total = pl.create_tile([64, 64], dtype=pl.FP32, target_memory=pl.Mem.Vec)"


def test_a_name_has_to_be_a_text() -> None:
    with pytest.raises(TypeError, match="a tile is asked for by its name, not by None"):
        pl.parse(TEXT).why(None)  # pyright: ignore[reportArgumentType]


def test_a_program_that_was_not_lowered_is_lowered_first() -> None:
    program = pl.parse(TEXT, "p.py")
    assert str(program.why("left", "kernel")) == "\n".join(answer("left"))


def test_tiles_that_do_not_fit_have_a_place_all_the_same() -> None:
    program = pl.parse(TEXT.replace("[64, 64]", "[512, 512]"))
    with pytest.raises(UserError, match="PL411"):
        program.lower()
    assert "of 524,288 bytes of Mat are in use at once" in str(program.why("left", "kernel"))


def test_a_function_that_stands_alone_is_asked_likewise() -> None:
    lines = TEXT.splitlines()
    alone = "\n".join(["import pypto_lite.language as pl", *[line[4:] for line in lines[4:18]]]).replace("self,", "")
    function = pl.parse(alone)
    assert str(function.why("left")) == str(function.lower().why("left"))
    assert "'left_Left'" in str(function.lower().why("left_Left"))


def test_a_name_that_no_tile_has_is_refused_with_those_that_are_close() -> None:
    with pytest.raises(UserError) as caught:
        pl.parse(TEXT).why("totl")
    (diagnostic,) = caught.value.diagnostics
    assert diagnostic.code == "PL105"
    assert "did you mean 'total'" in (diagnostic.hint or "")


def test_a_tensor_is_refused_with_where_it_is() -> None:
    with pytest.raises(UserError, match="'x' in 'kernel' is a tensor, not a tile") as caught:
        pl.parse(TEXT).why("x")
    assert caught.value.diagnostics[0].span.line == 8


def test_a_function_that_does_not_exist_is_refused() -> None:
    with pytest.raises(UserError, match="has no function 'kernle'"):
        pl.parse(TEXT).why("left", "kernle")
