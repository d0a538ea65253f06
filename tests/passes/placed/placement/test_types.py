"""Phase 3: the types, keywords and marks of what is rewritten: layouts follow the space, everything else stays."""

from __future__ import annotations

from pypto_lite import ir, passes
from pypto_lite import language as pl
from tests.passes.placed.placement.kernels import assert_placed, kernel, place

LOADED = "a = pl.load(x, [0, 0], [64, 64], target_memory=pl.Mem.Mat)"


def types(program: ir.Program) -> dict[str, ir.TileType]:
    """The types of the tiles of the kernel, by name."""
    return {
        node.name: node.type
        for node in ir.walk(program.functions["kernel"])
        if isinstance(node, ir.Var) and isinstance(node.type, ir.TileType)
    }


def layout(tile: ir.TileType) -> tuple[str, str, int]:
    view = tile.effective_view
    return (view.blayout.name, view.slayout.name, view.fractal)


FLAT = ("row_major", "none_box", 512)
BOXED = ("col_major", "row_major", 512)
BOXED_RIGHT = ("row_major", "col_major", 512)
ACCUMULATED = ("col_major", "row_major", 1024)


# The layout follows the space.


def test_each_space_has_its_layout() -> None:
    placed = types(place(f"{LOADED}\nr = pl.matmul(a, a)\ne = pl.exp(r)"))
    assert {name: layout(tile) for name, tile in placed.items()} == {
        "a": BOXED, "a_Left": BOXED, "a_Right": BOXED_RIGHT, "r": ACCUMULATED, "r_Vec": FLAT, "e": FLAT,
    }  # fmt: skip


def test_a_create_that_becomes_an_accumulator_is_laid_out_as_one() -> None:
    before = kernel(f"{LOADED}\nc = pl.create_tile([64, 64], dtype=pl.FP32)\nr = pl.matmul_acc(c, a, a)")
    assert layout(types(before)["c"]) == FLAT
    assert layout(types(passes.infer_tile_memory_space()(before))["c"]) == ACCUMULATED


def test_aliases_and_views_follow_what_they_view() -> None:
    placed = types(
        place(
            f"""
            {LOADED}
            c = pl.create_tile([64, 64], dtype=pl.FP32)
            d = c
            w = pl.reshape(d, [64, 64])
            r = pl.matmul_acc(w, a, a)
            """
        )
    )
    assert layout(placed["c"]) == layout(placed["d"]) == layout(placed["w"]) == ACCUMULATED


def test_the_result_of_a_consumer_follows_its_copied_operands() -> None:
    """While ``r`` is read directly, what is made of it looks boxed; the copy is flat, and so is the result."""
    before = kernel(f"{LOADED}\nr = pl.matmul(a, a)\ne = pl.mul(r, r)\nf = e")
    placed = types(passes.infer_tile_memory_space()(before))
    assert layout(types(before)["e"]) != FLAT
    assert layout(placed["e"]) == layout(placed["f"]) == FLAT


def test_a_call_has_the_type_of_the_variable_that_it_is_assigned_to() -> None:
    placed = place(f"{LOADED}\nc = pl.create_tile([64, 64], dtype=pl.FP32)\nr = pl.matmul_acc(c, a, a)\ne = pl.exp(r)")
    statements = [each for each in placed.functions["kernel"].body.statements if isinstance(each, ir.Assign)]
    assert [each.var.type for each in statements] == [each.value.type for each in statements]


# Moves into Vec are laid out flat.


def test_a_move_out_of_acc_says_how_vec_lays_it_out() -> None:
    assert_placed(
        f"{LOADED}\nr = pl.matmul(a, a)\ne = pl.exp(r)",
        f"""
        {LOADED}
        a_Left = pl.move(a, target_memory=pl.Mem.Left)
        a_Right = pl.move(a, target_memory=pl.Mem.Right)
        r = pl.matmul(a_Left, a_Right)
        r_Vec = pl.move(r, target_memory=pl.Mem.Vec, blayout=pl.TileLayout.row_major, slayout=pl.TileLayout.none_box)
        e = pl.exp(r_Vec)
        """,
    )


def test_a_written_move_into_vec_is_flat_too() -> None:
    placed = types(place(f"{LOADED}\nr = pl.matmul(a, a)\nw = pl.move(r, target_memory=pl.Mem.Vec)\ne = pl.exp(w)"))
    assert layout(placed["w"]) == layout(placed["e"]) == FLAT


def test_a_written_move_of_what_becomes_an_accumulator_is_flat_too() -> None:
    placed = types(
        place(
            f"{LOADED}\nc = pl.create_tile([64, 64], dtype=pl.FP32)\nr = pl.matmul_acc(c, a, a)\n"
            "w = pl.move(c, target_memory=pl.Mem.Vec)"
        )
    )
    assert layout(placed["w"]) == FLAT


def test_the_layout_that_a_written_move_names_stays() -> None:
    boxed = "blayout=pl.TileLayout.col_major, slayout=pl.TileLayout.row_major"
    placed = types(place(f"{LOADED}\nr = pl.matmul(a, a)\nw = pl.move(r, target_memory=pl.Mem.Vec, {boxed})"))
    assert layout(placed["w"])[:2] == ("col_major", "row_major")


# A layout that an annotation names stays where the space has none of its own.


def test_a_written_layout_in_vec_stays() -> None:
    tile = "pl.Tile[[64, 64], pl.FP32, pl.TileView(blayout=pl.TileLayout.col_major)]"
    placed = types(
        place(
            f"a: {tile} = pl.load(x, [0, 0], [64, 64])\nb: {tile} = pl.create_tile([64, 64], dtype=pl.FP32)\n"
            f"m = pl.matmul(a, a)\ne: {tile} = pl.exp(m)\nf = pl.exp(m)"
        )
    )
    assert {name for name, tile in placed.items() if layout(tile) == ("col_major", "none_box", 512)} == {"a", "b", "e"}


def test_a_written_layout_does_not_follow_into_another_space() -> None:
    tile = "pl.Tile[[64, 64], pl.FP32, pl.TileView(blayout=pl.TileLayout.col_major)]"
    placed = types(place(f"{LOADED}\nc: {tile} = pl.create_tile([64, 64], dtype=pl.FP32)\nr = pl.matmul_acc(c, a, a)"))
    assert layout(placed["c"]) == ACCUMULATED


# The valid region stays.


def test_a_load_that_gets_its_target_keeps_its_valid_region() -> None:
    placed = types(place("a = pl.load(x, [0, 0], [64, 64], valid_shape=[48, 32])"))
    assert placed["a"].valid_shape == (48, 32)
    assert layout(placed["a"]) == FLAT


def test_a_load_that_a_join_takes_to_mat_keeps_its_valid_region() -> None:
    placed = types(
        place(
            """
            if n < 1:
                a = pl.load(x, [0, 0], [64, 64], valid_shape=[48, 32])
                j = pl.yield_(a)
            else:
                b = pl.load(x, [0, 0], [64, 64], valid_shape=[48, 32], target_memory=pl.Mem.Mat)
                j = pl.yield_(b)
            """
        )
    )
    assert placed["a"].space is placed["j"].space is ir.MemorySpace.Mat
    assert placed["a"].valid_shape == placed["j"].valid_shape == (48, 32)
    assert layout(placed["a"]) == layout(placed["j"]) == BOXED


def test_a_copy_keeps_the_valid_region() -> None:
    placed = types(
        place(
            "a = pl.load(x, [0, 0], [64, 64], valid_shape=[48, 64])\nb = pl.load(y, [0, 0], [64, 64])\n"
            "r = pl.matmul(a, b)\ne = pl.exp(r)"
        )
    )
    assert placed["a_Left"].valid_shape == placed["r"].valid_shape == placed["r_Vec"].valid_shape == (48, 64)


def test_an_accumulator_that_is_narrowed_stays_narrowed() -> None:
    placed = types(
        place(
            f"{LOADED}\nc = pl.create_tile([64, 64], dtype=pl.FP32)\nd = pl.set_validshape(c, 48, 64)\n"
            "r = pl.matmul_acc(d, a, a)"
        )
    )
    assert placed["d"].valid_shape == placed["r"].valid_shape == (48, 64)
    assert layout(placed["d"])[2] == 1024


# Keywords.


def test_the_chosen_space_is_written_as_target_memory() -> None:
    placed = place("a = pl.load(x, [0, 0], [64, 64])\nc = pl.create_tile([64, 64], dtype=pl.FP32)")
    calls = [node for node in ir.walk(placed) if isinstance(node, ir.Call)]
    assert [call.keywords["target_memory"] for call in calls] == [ir.MemorySpace.Vec] * 2


def test_the_other_keywords_stay() -> None:
    assert_placed(
        "a = pl.load(x, [0, 0], [64, 64], clamp=True)\nc = pl.create_tile([64, 64], dtype=pl.FP32, transpose=True)",
        "a = pl.load(x, [0, 0], [64, 64], clamp=True, target_memory=pl.Mem.Vec)\n"
        "c = pl.create_tile([64, 64], dtype=pl.FP32, transpose=True, target_memory=pl.Mem.Vec)",
    )


# What placement does not own.


def test_declared_allocations_stay() -> None:
    tile = "pl.Tile[[64, 64], pl.FP32, {}pl.MemRef('{}')]"
    placed = types(
        place(
            f"""
            {LOADED}
            c: {tile.format("", "acc")} = pl.create_tile([64, 64], dtype=pl.FP32)
            d: {tile.format("", "again")} = c
            r: {tile.format("", "acc")} = pl.matmul_acc(d, a, a)
            e: {tile.format("", "out")} = pl.exp(r)
            """
        )
    )
    declared = {name: each.memref.name for name, each in placed.items() if each.memref is not None}
    assert declared == {"c": "acc", "d": "again", "r": "acc", "e": "out"}


def test_a_loop_that_carries_a_declared_allocation_keeps_it() -> None:
    placed = types(
        place(
            "a: pl.Tile[[64, 64], pl.FP32, pl.MemRef('buffer')] = pl.load(x, [0, 0], [64, 64])\n"
            "for i, (c,) in pl.range(4, init_values=(a,)):\n"
            "    d: pl.Tile[[64, 64], pl.FP32, pl.MemRef('buffer')] = pl.exp(c)\n"
            "    c_rv = pl.yield_(d)"
        )
    )
    declared = {name: each.memref.name for name, each in placed.items() if each.memref is not None}
    assert declared == dict.fromkeys(["a", "c", "d", "c_rv"], "buffer")


def test_marks_on_rewritten_calls_stay() -> None:
    assert_placed(
        """
        a = pl.load(x, [0, 0], [64, 64], attrs={"origin": "here"})
        b = pl.load(y, [0, 0], [64, 64], target_memory=pl.Mem.Mat, attrs={"origin": "there"})
        r = pl.matmul(a, b, attrs={"level": 3})
        """,
        """
        a = pl.load(x, [0, 0], [64, 64], target_memory=pl.Mem.Vec, attrs={"origin": "here"})
        b = pl.load(y, [0, 0], [64, 64], target_memory=pl.Mem.Mat, attrs={"origin": "there"})
        a_Left = pl.move(a, target_memory=pl.Mem.Left)
        b_Right = pl.move(b, target_memory=pl.Mem.Right)
        r = pl.matmul(a_Left, b_Right, attrs={"level": 3})
        """,
    )


def test_comments_stay_with_their_statements() -> None:
    placed = place(
        """
        # The only operand.
        a = pl.load(x, [0, 0], [64, 64])
        # The product.
        r = pl.matmul(a, a)
        for i in pl.range(4):
            # In the loop.
            e = pl.exp(r)
            # At its end.
        """
    )
    commented = {
        node.var.name: node.comments for node in ir.walk(placed) if isinstance(node, ir.Assign) and node.comments
    }
    assert commented == {"a": ("# The only operand.",), "r": ("# The product.",), "e": ("# In the loop.",)}
    loop = next(node for node in ir.walk(placed) if isinstance(node, ir.For))
    assert loop.body.trailing_comments == ("# At its end.",)


def test_rewritten_statements_and_values_keep_their_place_and_a_copy_stands_where_its_consumer_does() -> None:
    before = kernel("a = pl.load(x, [0, 0], [64, 64])\nr = pl.matmul(a, a)\ne = pl.exp(r)")
    lines = {
        node.var.name: (node.span.line, node.var.span.line) for node in ir.walk(before) if isinstance(node, ir.Assign)
    }
    placed = passes.infer_tile_memory_space()(before)
    after = {
        node.var.name: (node.span.line, node.var.span.line) for node in ir.walk(placed) if isinstance(node, ir.Assign)
    }
    assert {name: after[name] for name in lines} == lines
    assert after["a_Left"] == after["a_Right"] == lines["r"]
    assert after["r_Vec"] == lines["e"]


# What need not change stays the same object.


def test_a_placed_program_is_the_same_object_after_placement() -> None:
    placed = place(f"{LOADED}\nfor i in pl.range(4):\n    r = pl.matmul(a, a)\n    e = pl.exp(r)")
    assert passes.infer_tile_memory_space()(placed) is placed


def test_statements_that_need_nothing_are_the_same_objects() -> None:
    before = kernel("k = n + 1\nz = pl.tile.full([64, 64], dtype=pl.FP32, value=0.0)\na = pl.load(x, [k, 0], [8, 8])")
    placed = passes.infer_tile_memory_space()(before)
    old, new = (each.functions["kernel"].body.statements for each in (before, placed))
    assert [first is second for first, second in zip(old, new, strict=True)] == [True, True, False]


def test_the_program_is_of_the_class_that_was_given() -> None:
    before = kernel(LOADED)
    assert type(passes.infer_tile_memory_space()(before)) is type(before) is pl.Program
