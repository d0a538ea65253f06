"""Phase 4: the evidence at the call sites that nothing else can write what a load reads.

``MAIN`` is a root orchestration function that passes what it created itself; each test changes one thing about the
callers, and where the rule draws a line, a second program stands just on the other side of it.
"""

from __future__ import annotations

import pytest

import pypto_lite.language as pl
from pypto_lite import ir
from pypto_lite.passes import InferTileMemorySpace
from pypto_lite.targets import ASCEND910B
from tests.passes.placed.placement.residency import (
    A_LOAD,
    BODY,
    CALL,
    LOOP,
    MAIN,
    assert_declined,
    assert_hoisted,
    changed,
    decisions,
    text_of,
)

FRESH = "fresh = pl.create_tensor([16, 128], dtype=pl.BF16)"
SIGNATURE = """
    self,
    external: pl.Tensor[[16, 128], pl.BF16],
    rhs: pl.Tensor[[128, 256], pl.BF16],
    out: pl.Out[pl.Tensor[[16, 256], pl.FP32]],
    n: pl.Scalar[pl.INDEX],
) -> pl.Tensor[[16, 256], pl.FP32]:
"""


def function(name: str, *statements: str, kind: str = "Orchestration") -> str:
    """A function with the parameters of ``main``."""
    body = "".join(f"    {each}\n" for each in statements)
    return f"@pl.function(type=pl.FunctionType.{kind})\ndef {name}({SIGNATURE}{body}    return done\n"


# Who calls.


def test_a_kernel_that_nobody_calls_declines() -> None:
    text = text_of()
    text = text[: text.index("    @pl.function(type=pl.FunctionType.Orchestration)")]
    assert_declined(text, "no-call-site")


def test_every_call_must_come_from_a_root_orchestration() -> None:
    """``main`` is one as long as nothing in the program calls it."""
    assert_declined(text_of(more=function("above", "done = self.main(external, rhs, out, n)")), "not-a-root-call", CALL)


def test_a_call_through_a_wrapper_declines() -> None:
    wrapper = function("wrapper", "done = self.kernel(external, rhs, out, n)", kind="InCore")
    main = changed(MAIN, CALL, "done = self.wrapper(fresh, rhs, out, n)")
    assert_declined(text_of(main=main, more=wrapper), "not-a-root-call", "self.kernel")


@pytest.mark.parametrize("kind", ["Opaque"])
def test_a_call_from_another_kind_of_function_declines(kind: str) -> None:
    text = text_of().replace("pl.FunctionType.Orchestration", f"pl.FunctionType.{kind}")
    assert_declined(text, "not-a-root-call", CALL)


def test_two_safe_calls_are_safe() -> None:
    main = changed(MAIN, CALL, f"again = self.kernel(fresh, rhs, out, n)\n{CALL}")
    assert_hoisted(text_of(main=main), "a", "a_Left")


def test_two_roots_may_call() -> None:
    assert_hoisted(text_of(more=function("other", FRESH, CALL)), "a", "a_Left")


def test_one_unsafe_call_is_enough() -> None:
    more = function("other", "done = self.kernel(external, rhs, out, n)")
    assert_declined(text_of(more=more), "source-not-created", "self.kernel(external")


def test_a_submission_declines() -> None:
    main = changed(MAIN, CALL, "done, task = pl.submit(self.kernel, fresh, rhs, out, n)")
    assert_declined(text_of(main=main), "submit-site", "pl.submit")


def test_a_submission_beside_a_call_declines() -> None:
    main = changed(MAIN, CALL, f"again, task = pl.submit(self.kernel, fresh, rhs, out, n)\n{CALL}")
    assert_declined(text_of(main=main), "submit-site", "pl.submit")


def test_a_call_in_a_loop_of_the_orchestration_is_a_call() -> None:
    main = f"""
{FRESH}
for i, (o,) in pl.range(4, init_values=(out,)):
    done0 = self.kernel(fresh, rhs, out, n)
    done = pl.yield_(o)
return done
"""
    assert_hoisted(text_of(main=main), "a", "a_Left")


# What is passed.


def test_a_tensor_from_outside_declines() -> None:
    """Two tensors from outside may overlap: nothing says that they do not."""
    main = changed(MAIN, "kernel(fresh,", "kernel(external,")
    assert_declined(text_of(main=main), "source-not-created", "self.kernel(external")


@pytest.mark.parametrize(
    "made",
    [
        "pl.slice(external, [16, 128], [0, 0])",
        "pl.full([16, 128], dtype=pl.BF16, value=0.0)",
        "self.maker(external)",
    ],
)
def test_what_is_passed_must_be_created_there(made: str) -> None:
    maker = """
@pl.function(type=pl.FunctionType.InCore)
def maker(self, given: pl.Tensor[[16, 128], pl.BF16]) -> pl.Tensor[[16, 128], pl.BF16]:
    return given
"""
    main = changed(MAIN, FRESH, f"fresh = {made}")
    assert_declined(text_of(main=main, more=maker), "source-not-created", CALL)


@pytest.mark.parametrize(
    "names",
    [
        "{create}\nfresh = made",
        "{create}\nfresh = pl.slice(made, [16, 128], [0, 0])",
        "{create}\nfresh = pl.tensor.view(made)",
        "{create}\nfresh = pl.assemble(made, external, [0, 0])",
        "{create}\nfirst = made\nsecond = pl.slice(first, [16, 128], [0, 0])\nfresh = second",
    ],
)
def test_names_of_one_storage_are_seen_through(names: str) -> None:
    create = FRESH.replace("fresh", "made")
    assert_hoisted(text_of(main=changed(MAIN, FRESH, names.format(create=create))), "a", "a_Left")


def test_a_storage_that_a_loop_carries_is_not_known() -> None:
    main = """
made = pl.create_tensor([16, 128], dtype=pl.BF16)
for i, (fresh,) in pl.range(4, init_values=(made,)):
    done0 = self.kernel(fresh, rhs, out, n)
    fresh_rv = pl.yield_(fresh)
done = self.kernel(made, rhs, out, n)
return done
"""
    assert_declined(text_of(main=main), "source-not-created", "self.kernel(fresh")


# What else is written.

TWO_OUTS = """\
import pypto_lite.language as pl


@pl.program
class P:
    @pl.function(type=pl.FunctionType.InCore)
    def kernel(
        self,
        lhs: pl.Tensor[[16, 128], pl.BF16],
        rhs: pl.Tensor[[128, 256], pl.BF16],
        other: {other},
        out: pl.Out[pl.Tensor[[16, 256], pl.FP32]],
    ) -> pl.Tensor[[16, 256], pl.FP32]:
{body}

    @pl.function(type=pl.FunctionType.Orchestration)
    def main(
        self,
        external: pl.InOut[pl.Tensor[[16, 128], pl.BF16]],
        rhs: pl.Tensor[[128, 256], pl.BF16],
        second: pl.InOut[pl.Tensor[[16, 128], pl.BF16]],
        out: pl.Out[pl.Tensor[[16, 256], pl.FP32]],
    ) -> pl.Tensor[[16, 256], pl.FP32]:
        fresh = pl.create_tensor([16, 128], dtype=pl.BF16)
        more = pl.create_tensor([16, 128], dtype=pl.BF16)
        same = fresh
        part = pl.slice(fresh, [16, 128], [0, 0])
        unknown = self.maker(external)
        done = self.kernel(fresh, rhs, {passed}, out)
        return done

    @pl.function(type=pl.FunctionType.InCore)
    def maker(self, given: pl.Tensor[[16, 128], pl.BF16]) -> pl.Tensor[[16, 128], pl.BF16]:
        return given
"""


def two_outs(passed: str, other: str) -> str:
    body = "".join(f"        {line}\n" if line else "\n" for line in BODY.strip("\n").splitlines())
    return TWO_OUTS.format(passed=passed, other=other, body=body.rstrip("\n"))


WRITTEN = ["pl.Out[pl.Tensor[[16, 128], pl.BF16]]", "pl.InOut[pl.Tensor[[16, 128], pl.BF16]]"]
READ = "pl.Tensor[[16, 128], pl.BF16]"


@pytest.mark.parametrize("other", WRITTEN)
@pytest.mark.parametrize("passed", ["second", "more"])
def test_a_written_tensor_in_another_storage_is_safe(passed: str, other: str) -> None:
    assert_hoisted(two_outs(passed, other), "a", "a_Left")


@pytest.mark.parametrize("other", WRITTEN)
@pytest.mark.parametrize("passed", ["fresh", "same", "part"])
def test_a_written_tensor_in_the_same_storage_declines(passed: str, other: str) -> None:
    assert_declined(two_outs(passed, other), "source-aliases-write", "done = self.kernel")


@pytest.mark.parametrize("other", WRITTEN)
def test_a_written_tensor_of_unknown_storage_declines(other: str) -> None:
    assert_declined(two_outs("unknown", other), "written-root-unknown", "done = self.kernel")


@pytest.mark.parametrize("passed", ["fresh", "same", "part", "unknown", "external"])
def test_scalars_and_tensors_that_are_only_read_do_not_matter(passed: str) -> None:
    assert_hoisted(two_outs(passed, READ), "a", "a_Left")


# What the kernel itself writes: only what passes make writes a parameter that is declared as one that is read.

WRITABLE_SOURCE = "pl.InOut[pl.Tensor[[16, 128], pl.BF16]]"


def assert_written_locally(text: str) -> None:
    """The load of ``lhs`` declines although the parameter is one that is only read."""
    program = pl.parse(text)
    kernel = program.functions["kernel"]
    kernel = kernel.replace(directions=(ir.ParamDirection.In, *kernel.directions[1:]))
    before = program.with_functions([kernel if name == "kernel" else each for name, each in program.functions.items()])
    placed = InferTileMemorySpace(ASCEND910B)(before)
    assert decisions(placed) == [("hoist-declined:source-written-locally", "a")]


@pytest.mark.parametrize(
    "write",
    [
        "pl.store(z, [0, 0], lhs)",
        "written = pl.store(z, [0, 0], lhs)",
        "same = lhs\npl.store(z, [0, 0], same)",
        "part = pl.slice(lhs, [16, 16], [0, 0])\npl.store(z, [0, 0], part)",
        "pl.tensor.write(lhs, [0, 0], pl.const(1.0, pl.BF16))",
        "self.helper(lhs)",
    ],
)
@pytest.mark.parametrize("behind", [False, True])
def test_a_kernel_that_writes_the_source_declines(write: str, behind: bool) -> None:
    helper = """
@pl.function(type=pl.FunctionType.InCore)
def helper(self, given: pl.Out[pl.Tensor[[16, 128], pl.BF16]]):
    pass
"""
    lines = f"z = pl.load(rhs, [0, 0], [16, 16])\n{write}"
    body = BODY.replace("return acc_rv", f"{lines}\nreturn acc_rv") if behind else f"{lines}\n{BODY.strip()}"
    assert_written_locally(text_of(body, more=helper, lhs=WRITABLE_SOURCE))


@pytest.mark.parametrize(
    "write",
    [
        "first = pl.store(z, [0, 0], out)",
        "pl.tensor.write(out, [0, 0], pl.const(1.0, pl.FP32))",
        "pl.write(z, [0, 0], pl.const(1.0, pl.BF16))",
        "self.helper(lhs)",
    ],
)
def test_a_kernel_that_writes_something_else_is_safe(write: str) -> None:
    helper = """
@pl.function(type=pl.FunctionType.InCore)
def helper(self, given: pl.Tensor[[16, 128], pl.BF16]):
    pass
"""
    assert_hoisted(text_of(f"z = pl.load(rhs, [0, 0], [16, 16])\n{write}\n{BODY.strip()}", more=helper), "a", "a_Left")


def test_a_tensor_that_a_loop_carries_may_be_the_source() -> None:
    """The carry starts from the source and is stored to, so the source may be written."""
    body = changed(BODY, LOOP, f"z = pl.load(rhs, [0, 0], [16, 16])\n{LOOP}").replace(
        "return acc_rv",
        "for k, (w,) in pl.range(2, init_values=(lhs,)):\n    w1 = pl.store(z, [0, 0], w)\n    w_rv = pl.yield_(w1)\n"
        "return acc_rv",
    )
    assert A_LOAD in body
    assert_written_locally(text_of(body, lhs=WRITABLE_SOURCE))
