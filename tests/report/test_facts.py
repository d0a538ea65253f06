"""The facts of a program: order, roles and block paths."""

from __future__ import annotations

import json
from typing import Any

import pypto_lite.language as pl
from pypto_lite import ir
from pypto_lite.diagnostics import Diagnostic, Severity
from pypto_lite.report import diagnostic_facts, function_facts, program_facts

TEXT = """
import pypto_lite.language as pl

@pl.program
class P:
    @pl.function(type=pl.FunctionType.InCore)
    def kernel(
        self,
        x: pl.Tensor[[16, 16], pl.BF16],
        n: pl.Scalar[pl.INDEX],
        out: pl.Out[pl.Tensor[[16, 16], pl.FP32]],
    ) -> pl.Tensor[[16, 16], pl.FP32]:
        first = pl.load(x, [0, 0], [16, 16], target_memory=pl.MemorySpace.Mat)
        left = pl.move(first, target_memory=pl.MemorySpace.Left)
        start = pl.matmul(left, first)
        for i in pl.range(2):
            pl.store(start, [0, 0], out)
        for i, (carry,) in pl.range(2, init_values=(start,)):
            if n > 0:
                more = pl.matmul_acc(carry, left, first)
                joined = pl.yield_(more)
            else:
                if n > 1:
                    inner = pl.yield_(carry)
                else:
                    other = pl.matmul_acc(carry, left, first)
                    inner = pl.yield_(other)
                joined = pl.yield_(inner)
            result = pl.yield_(joined)
        scratch = pl.create_tile([16, 16], dtype=pl.FP32)
        final = pl.row_max(result, scratch)
        return pl.store(result, [0, 0], out)
"""


def kernel_facts() -> dict[str, Any]:
    return program_facts(pl.parse(TEXT).lower(), file="p.py", target="Ascend910B")["functions"]["kernel"]


def test_carries_stand_before_the_body_and_results_after_it() -> None:
    roles = [(tile["name"], tile["role"]) for tile in kernel_facts()["tiles"] if tile["role"] != "inserted"]
    assert roles == [
        ("first", "value"),
        ("left", "value"),
        ("start", "value"),
        ("carry", "carry"),
        ("more", "value"),
        ("other", "value"),
        ("inner", "branch_result"),
        ("joined", "branch_result"),
        ("result", "loop_result"),
        ("scratch", "value"),
        ("final", "value"),
    ]


def test_blocks_are_paths_with_numbers_for_each_kind() -> None:
    assert [(move["source"], move["to"], move["block"], move["origin"]) for move in kernel_facts()["moves"]] == [
        ("first", "Left", "body", "written"),
        ("first", "Right", "body", "inserted"),
        ("result", "Vec", "body", "inserted"),
    ]


def test_what_each_memory_has_to_hold_is_told() -> None:
    memory = kernel_facts()["memory"]
    assert memory["Mat"] == {
        "capacity": 524288,
        "peak": 512,
        "total": 512,
        "at_peak": [{"name": "first", "bytes": 512}],
    }
    assert memory["Vec"]["total"] >= memory["Vec"]["peak"] == sum(each["bytes"] for each in memory["Vec"]["at_peak"])


def test_before_placement_there_is_nothing_to_tell_of_memories() -> None:
    assert program_facts(pl.parse(TEXT), file="p.py", target=None)["functions"]["kernel"]["memory"] == {}


def test_targets_of_loads_and_creates_are_told() -> None:
    kernel = kernel_facts()
    assert kernel["loads"] == [{"name": "first", "target_memory": "Mat"}]
    assert kernel["creates"] == [{"name": "scratch", "target_memory": "Vec"}]


def test_an_unplaced_tile_has_no_space() -> None:
    kernel = program_facts(pl.parse(TEXT), file="p.py", target=None)["functions"]["kernel"]
    spaces = {tile["name"]: tile["space"] for tile in kernel["tiles"]}
    assert (spaces["first"], spaces["scratch"]) == ("Mat", None)


BLOCKS = """
import pypto_lite.language as pl

@pl.program
class P:
    @pl.function(type=pl.FunctionType.InCore)
    def kernel(
        self,
        x: pl.Tensor[[16, 16], pl.BF16],
        n: pl.Scalar[pl.INDEX],
        out: pl.Out[pl.Tensor[[16, 16], pl.FP32]],
    ) -> pl.Tensor[[16, 16], pl.FP32]:
        tile = pl.load(x, [0, 0], [16, 16], target_memory=pl.MemorySpace.Mat)
        if n > 5:
            a = pl.move(tile, target_memory=pl.MemorySpace.Left)
        for i in pl.range(2):
            b = pl.move(tile, target_memory=pl.MemorySpace.Left)
            if n > i:
                c = pl.move(tile, target_memory=pl.MemorySpace.Left)
            elif n > 1:
                d = pl.move(tile, target_memory=pl.MemorySpace.Left)
            else:
                e = pl.move(tile, target_memory=pl.MemorySpace.Left)
        for i in pl.parallel(2):
            f = pl.move(tile, target_memory=pl.MemorySpace.Left)
        while n > 0:
            if n > 1:
                g = pl.move(tile, target_memory=pl.MemorySpace.Left)
            if n > 2:
                h = pl.move(tile, target_memory=pl.MemorySpace.Left)
            n = n - 1
        return out
"""


def test_every_kind_of_block_has_its_path() -> None:
    kernel = program_facts(pl.parse(BLOCKS), file="p.py", target=None)["functions"]["kernel"]
    assert [(move["name"], move["block"]) for move in kernel["moves"]] == [
        ("a", "body/if0/then"),
        ("b", "body/for0"),
        ("c", "body/for0/if0/then"),
        ("d", "body/for0/if0/else/if0/then"),
        ("e", "body/for0/if0/else/if0/else"),
        ("f", "body/for1"),
        ("g", "body/while0/if0/then"),
        ("h", "body/while0/if1/then"),
    ]


def test_a_scope_adds_nothing_to_a_path() -> None:
    text = """
import pypto_lite.language as pl

@pl.function
def kernel(x: pl.Tensor[[16, 16], pl.BF16], out: pl.Out[pl.Tensor[[16, 16], pl.BF16]]):
    for i in pl.range(2):
        pl.store(pl.load(x, [0, 0], [16, 16]), [0, 0], out)
    with pl.scope():
        for i in pl.range(2):
            tile = pl.load(x, [0, 0], [16, 16], target_memory=pl.MemorySpace.Mat)
            left = pl.move(tile, target_memory=pl.MemorySpace.Left)
"""
    assert [move["block"] for move in function_facts(pl.parse(text))["moves"]] == ["body/for1"]


def test_a_diagnostic_without_a_place_has_none() -> None:
    facts = diagnostic_facts(Diagnostic("PL119", "nothing there", severity=Severity.WARNING))
    assert facts == {
        "code": "PL119", "severity": "warning", "message": "nothing there", "file": None, "line": None, "column": None,
    }  # fmt: skip


def test_facts_go_through_json() -> None:
    facts = program_facts(pl.parse(TEXT).lower(), file="p.py", target="Ascend910B")
    assert json.loads(json.dumps(facts)) == facts


def test_ten_thousand_nested_statements_need_no_recursion() -> None:
    body = ir.Block(())
    for _ in range(10_000):
        body = ir.Block((ir.While(ir.const(True), (), (), body, ()),))
    function = ir.Function("deep", ir.FunctionType.InCore, (), (), (), body)
    assert function_facts(function)["tiles"] == []
