"""CheckMemoryCapacity: tiles that cannot fit are refused, tiles that fit only by sharing are noted."""

import pytest

import pypto_lite.language as pl
from pypto_lite.diagnostics import Severity, UserError
from pypto_lite.passes import CapacityError, CheckMemoryCapacity
from pypto_lite.targets import ASCEND910B, ASCEND950


def kernel(*body: str) -> pl.Program:
    lines = "\n".join(f"        {line}" for line in body)
    return pl.parse(f"""
import pypto_lite.language as pl

@pl.program
class P:
    @pl.function(type=pl.FunctionType.InCore)
    def kernel(
        self, x: pl.Tensor[[256, 128], pl.FP32], out: pl.Out[pl.Tensor[[256, 128], pl.FP32]]
    ) -> pl.Tensor[[256, 128], pl.FP32]:
{lines}
        return out
""")


# A [256, 128] tile of FP32 takes 131072 bytes; Vec holds 188416 on Ascend910B and 245760 on Ascend950.
TOO_LARGE = ("t = pl.load(x, [0, 0], [256, 128])", "u = pl.recip(t)", "out = pl.store(u, [0, 0], out)")
ONE_BY_ONE = (
    "t = pl.load(x, [0, 0], [256, 128])",
    "out = pl.store(t, [0, 0], out)",
    "u = pl.load(x, [0, 0], [256, 128])",
    "out = pl.store(u, [0, 0], out)",
)


def test_what_fits_stays_the_same_program():
    placed = kernel("t = pl.load(x, [0, 0], [64, 128])", "out = pl.store(t, [0, 0], out)").lower()
    assert CheckMemoryCapacity(ASCEND910B).run(placed) is placed


def test_live_tiles_that_do_not_fit_are_refused_by_name_with_bytes_and_lines():
    with pytest.raises(UserError) as caught:
        kernel(*TOO_LARGE).lower()
    (diagnostic,) = caught.value.diagnostics
    assert diagnostic.code == "PL411"
    assert "Vec" in diagnostic.message
    assert "262144" in diagnostic.message
    assert "188416" in diagnostic.message
    assert [(note.message.split()[0], note.span.line) for note in diagnostic.notes] == [("'t'", 10), ("'u'", 11)]


def rows(count: int, size: int) -> list[str]:
    """Loads of tiles with that many rows of 128 bytes, all of them stored after the last one is loaded."""
    loads = [f"t{index} = pl.load(x, [0, 0], [{size}, 32])" for index in range(count)]
    return [*loads, *[f"out = pl.store(t{index}, [0, 0], out)" for index in range(count)]]


def notes_of(*body: str) -> list[str]:
    with pytest.raises(CapacityError) as caught:
        kernel(*body).lower()
    (diagnostic,) = caught.value.diagnostics
    return [note.message for note in diagnostic.notes]


def test_all_tiles_of_the_peak_are_named_if_they_are_not_very_many():
    # 32 tiles of 8192 bytes: 262144 bytes.
    assert [note.split()[0] for note in notes_of(*rows(32, 64))] == [f"'t{index}'" for index in range(32)]


def test_of_very_many_tiles_the_rest_is_counted():
    # 40 tiles of 8192 bytes, which are equally large: eight are left out.
    assert notes_of(*rows(40, 64))[32:] == ["and 8 more, with 65536 bytes"]


def test_tiles_of_one_name_are_told_apart_by_their_printed_names():
    body = [
        "t = pl.load(x, [0, 0], [256, 128])",
        "out = pl.store(t, [0, 0], out)",
        "t = pl.load(x, [0, 0], [256, 128])",
    ]
    first, second = notes_of(*body, "t = pl.recip(t)", "out = pl.store(t, [0, 0], out)")
    assert (first.split()[0], second.split()[0]) == ("'t__1'", "'t__2'")


def test_a_join_is_named_at_the_line_of_its_loop():
    body = [
        "t = pl.load(x, [0, 0], [256, 128])",
        "c = t",
        "for i in pl.range(2):",
        "    c = pl.add(c, t)",
        "out = pl.store(c, [0, 0], out)",
    ]
    with pytest.raises(CapacityError) as caught:
        kernel(*body).lower()
    (diagnostic,) = caught.value.diagnostics
    named = [(note.message.split()[0], note.span.line) for note in diagnostic.notes]
    assert named == [("'t'", 10), ("'c__1'", 12)]


def test_arms_that_fit_one_by_one_are_not_refused():
    # Each arm has two tiles of 65536 bytes at once; 131072 bytes fit, and the result takes the place of one.
    arm = ["    y = pl.load(x, [0, 0], [128, 128])", "    z = pl.load(x, [0, 0], [128, 128])", "    r = pl.add(y, z)"]
    lowered = kernel("if 1 < 2:", *arm, "else:", *arm, "out = pl.store(r, [0, 0], out)").lower()
    assert lowered.usage["kernel"][pl.MemorySpace.Vec].peak == 131072


def test_the_error_holds_the_placed_program_with_its_numbers_and_findings():
    with pytest.raises(CapacityError) as caught:
        kernel(*TOO_LARGE).lower()
    program = caught.value.program
    usage = program.usage["kernel"][pl.MemorySpace.Vec]
    assert (usage.capacity, usage.peak) == (188416, 262144)
    assert program.why("t").answers[0].usage == usage
    assert [each.code for each in program.diagnostics] == ["PL411"]


def test_tiles_that_fit_only_by_sharing_buffers_are_noted():
    lowered = kernel(*ONE_BY_ONE).lower()
    (note,) = lowered.diagnostics
    assert (note.code, note.severity) == ("PL412", Severity.NOTE)
    assert "131072" in note.message


def test_each_target_has_its_own_limit():
    # Two tiles of 114688 bytes.
    body = ("t = pl.load(x, [0, 0], [224, 128])", "u = pl.recip(t)", "out = pl.store(u, [0, 0], out)")
    placed = kernel(*body).lower(target=None)
    assert CheckMemoryCapacity(ASCEND950).run(placed).diagnostics == ()
    with pytest.raises(UserError, match="229376 bytes"):
        CheckMemoryCapacity(ASCEND910B).run(placed)


def test_without_a_target_nothing_is_checked():
    assert not kernel(*TOO_LARGE).lower(target=None).diagnostics


def test_only_in_core_functions_are_checked():
    placed = kernel(*TOO_LARGE).lower(target=None)
    opaque = placed.with_functions(
        [function.replace(type=pl.FunctionType.Opaque) for function in placed.functions.values()]
    )
    checked = CheckMemoryCapacity(ASCEND910B).run(opaque)
    assert checked.usage == {}
    assert checked.functions == opaque.functions


def test_what_each_memory_has_to_hold_is_left_in_the_program():
    usage = kernel(*ONE_BY_ONE).lower().usage["kernel"][pl.MemorySpace.Vec]
    assert (usage.capacity, usage.total, usage.peak) == (188416, 262144, 131072)
    assert [(buffer.value.name, buffer.size) for buffer in usage.at_peak] == [("t", 131072)]


def test_without_a_target_there_are_numbers_and_no_limits():
    usage = kernel(*TOO_LARGE).lower(target=None).usage["kernel"][pl.MemorySpace.Vec]
    assert (usage.capacity, usage.peak) == (None, 262144)
