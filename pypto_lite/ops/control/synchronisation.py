"""Operators that order work: flags, barriers, cache maintenance, tasks, and what the chip has free."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Final

from pypto_lite.ir import UNKNOWN, ArrayType, Const, Dims, Expr, PipeType, ScalarType, TensorType, UnknownType
from pypto_lite.ir.arithmetic import scalar_dtype
from pypto_lite.ir.dtypes import BOOL, INT32, INT64, TASK_ID
from pypto_lite.ops.framework.declaration import Core
from pypto_lite.ops.framework.parameters import Effect, Index, Tasks
from pypto_lite.ops.framework.problems import (
    check_dtype,
    check_extents,
    check_integer,
    check_length,
    check_rank,
    list_text,
    problem,
)
from pypto_lite.ops.framework.registry import operator
from pypto_lite.ops.framework.relations import When

if TYPE_CHECKING:
    from pypto_lite.ops.framework.meaning import Numpy

EVENTS: Final = 14
"""How many event flags there are."""

WORKSPACE_WORDS: Final = 256
"""The least size of the workspace for flags between cores."""

NO_TASK: Final = 0
"""The TASK_ID of no task in a run; tasks count from 1."""

_sync = partial(operator, synchronises=True)

_CORE_TYPES: Final = ("aic", "aiv")


def check_choice(keyword: str, value: str | None, choices: tuple[str, ...]) -> None:
    """PL205 for a string that is none of the choices."""
    if value is not None and value not in choices:
        expected = " or ".join(map(repr, choices))
        raise problem("PL205", keyword, f"{keyword} has no such value", found=repr(value), expected=expected)


def check_event(event_id: int) -> None:
    """PL205 for a number that is no event."""
    if not 0 <= event_id < EVENTS:
        raise problem("PL205", "event_id", "there is no such event", found=event_id, expected=f"0 to {EVENTS - 1}")


def check_one_event(event_id: int | None, dynamic: Expr | None) -> None:
    """PL205 unless the event is given exactly once, as a constant or as a value."""
    if (event_id is None) == (dynamic is None):
        found = "none" if event_id is None else "both"
        raise problem(
            "PL205",
            "event_id",
            "the event is to be given once",
            found=found,
            expected="the keyword event_id, or a value as event_id_dyn",
        )
    if event_id is not None:
        check_event(event_id)
    elif isinstance(dynamic, Const):
        check_event(int(dynamic.value))
    elif dynamic is not None:
        check_integer("event_id_dyn", scalar_dtype(dynamic))


@_sync("system.sync_set", core=Core.BY_CORE_TYPE, carried=("pipe",))
def system_sync_set(
    event_id_dyn: Index | None = None,
    *,
    pipe: PipeType,
    event_id: int | None = None,
    ffts_mode: int | None = None,
    core_type: str | None = None,
) -> UnknownType:
    """Sets an event for other cores once the pipe has come so far.

    The event is a number from 0 to 13 or a value; ``ffts_mode`` is 0, 1 or 2; ``core_type`` is ``"aic"`` or ``"aiv"``.
    Raises PL205 for anything else.
    """
    check_one_event(event_id, event_id_dyn)
    check_choice("core_type", core_type, _CORE_TYPES)
    if ffts_mode not in (None, 0, 1, 2):
        raise problem("PL205", "ffts_mode", "there is no such mode", found=ffts_mode, expected="0, 1 or 2")
    return UNKNOWN


@_sync("system.sync_wait", core=Core.BY_CORE_TYPE, carried=("pipe",))
def system_sync_wait(
    event_id_dyn: Index | None = None, *, pipe: PipeType, event_id: int | None = None, core_type: str | None = None
) -> UnknownType:
    """Holds the pipe until another core has set the event.

    The event is a number from 0 to 13 or a value; ``core_type`` is ``"aic"`` or ``"aiv"``. Raises PL205 for anything
    else.
    """
    check_one_event(event_id, event_id_dyn)
    check_choice("core_type", core_type, _CORE_TYPES)
    return UNKNOWN


@_sync("system.sync_src", carried=("set_pipe", "wait_pipe"))
def system_sync_src(*, set_pipe: PipeType, wait_pipe: PipeType, event_id: int) -> UnknownType:
    """Sets an event between two pipes of one core. Raises PL205 for a negative event."""
    _check_local_event(event_id)
    return UNKNOWN


@_sync("system.sync_dst", carried=("set_pipe", "wait_pipe"))
def system_sync_dst(*, set_pipe: PipeType, wait_pipe: PipeType, event_id: int) -> UnknownType:
    """Waits for an event between two pipes of one core. Raises PL205 for a negative event."""
    _check_local_event(event_id)
    return UNKNOWN


def _check_local_event(event_id: int) -> None:
    if event_id < 0:
        raise problem("PL205", "event_id", "there is no such event", found=event_id, expected="at least 0")


@_sync("system.bar_v")
def system_bar_v() -> UnknownType:
    """Waits for the vector pipe."""
    return UNKNOWN


@_sync("system.bar_m")
def system_bar_m() -> UnknownType:
    """Waits for the matrix pipe."""
    return UNKNOWN


@_sync("system.bar_all")
def system_bar_all() -> UnknownType:
    """Waits for all pipes of the core."""
    return UNKNOWN


@_sync("system.fence")
def system_fence() -> UnknownType:
    """Makes all writes so far visible before any later access."""
    return UNKNOWN


@_sync("system.cacheinvalid")
def system_cacheinvalid(
    tensor: TensorType | None = None, shapes: Dims | None = None, offsets: Dims | None = None
) -> UnknownType:
    """Makes the cache forget global memory: all of it, or the window ``shapes`` of a tensor at ``offsets``.

    Raises PL202 where only some of the three are given, PL203 where they do not fit.
    """
    given = [each for each in (tensor, shapes, offsets) if each is not None]
    if tensor is None or shapes is None or offsets is None:
        if given:
            raise problem(
                "PL202", "tensor", "a window takes all three", expected="tensor, shapes and offsets, or nothing"
            )
        return UNKNOWN
    check_extents("shapes", shapes, static=False)
    check_length("shapes", shapes, len(tensor.shape), "the tensor")
    check_length("offsets", offsets, len(tensor.shape), "the tensor")
    return UNKNOWN


@_sync(
    "system.syncall",
    core=Core.BY_CORE_TYPE,
    effects={"gm_workspace": When({"mode": "soft"}, Effect.READ_WRITE, Effect.READ)},
)
def system_syncall(
    *,
    core_type: str = "mix",
    mode: str = "hard",
    gm_workspace: TensorType | None = None,
    used_cores: ScalarType | None = None,
) -> UnknownType:
    """Waits until all cores have come here: ``"mix"``, ``"aic_only"`` or ``"aiv_only"``.

    ``mode="soft"`` counts them in ``gm_workspace``, for ``used_cores`` cores; the operands are for it alone.

    Raises PL202 for operands in the hard mode or a missing workspace in the soft one, PL205 for other strings.
    """
    check_choice("core_type", core_type, ("mix", "aic_only", "aiv_only"))
    check_choice("mode", mode, ("hard", "soft"))
    soft = mode == "soft"
    if soft and gm_workspace is None:
        raise problem("PL202", "gm_workspace", "the soft mode counts in global memory", expected="gm_workspace")
    if not soft and (gm_workspace is not None or used_cores is not None):
        operand = "used_cores" if gm_workspace is None else "gm_workspace"
        raise problem("PL202", operand, "the hard mode takes no operands", expected='mode="soft", or no operands')
    if used_cores is not None:
        check_integer("used_cores", used_cores.dtype)
    return UNKNOWN


@_sync("system.set_ffts")
def system_set_ffts(workspace: TensorType) -> UnknownType:
    """Sets the workspace for flags between cores: at least 256 INT64 in a row. Raises PL203 or PL204 otherwise."""
    check_rank("workspace", workspace, 1)
    check_dtype("workspace", workspace.dtype, (INT64,))
    words = workspace.shape[0]
    if not isinstance(words, int) or words < WORKSPACE_WORDS:
        raise problem(
            "PL203",
            "workspace",
            "the workspace is too small",
            found=list_text(workspace.shape),
            expected=f"a constant extent of at least {WORKSPACE_WORDS}",
        )
    return UNKNOWN


@operator("system.available_cluster_count")
def system_available_cluster_count() -> ScalarType:
    """How many clusters are free, an INT32."""
    return ScalarType(INT32)


@operator("system.available_aiv_count")
def system_available_aiv_count() -> ScalarType:
    """How many vector cores are free, an INT32."""
    return ScalarType(INT32)


@operator("system.task_invalid")
def system_task_invalid() -> ScalarType:
    """The TASK_ID of no task; ``None`` means it too."""
    return ScalarType(TASK_ID)


@operator("system.task_dummy", pure=False)
def system_task_dummy(*, deps: Tasks | None = None) -> ScalarType:
    """A task that does nothing but wait for others: for each TASK_ID, and all in each array of them.

    The result is its TASK_ID. Raises PL204 for what is no task.
    """
    for task in deps or ():
        if not isinstance(task.type, (ScalarType, ArrayType)) or task.type.dtype is not TASK_ID:
            expected = "a TASK_ID, or an array of them"
            raise problem("PL204", "deps", "a task is needed here", found=repr(task), expected=expected)
    return ScalarType(TASK_ID)


@operator("system.task_is_valid")
def system_task_is_valid(task_id: ScalarType) -> ScalarType:
    """Whether a TASK_ID (PL204) names a task, a BOOL."""
    check_dtype("task_id", task_id.dtype, (TASK_ID,))
    return ScalarType(BOOL)


def _in_order(np: Numpy) -> None:
    """Everything that is ordered here runs in this order anyway."""


for _ordering in (
    system_sync_set,
    system_sync_wait,
    system_sync_src,
    system_sync_dst,
    system_bar_v,
    system_bar_m,
    system_bar_all,
    system_fence,
    system_cacheinvalid,
    system_syncall,
    system_set_ffts,
):
    _ordering.evaluator(_in_order)


def _one(np: Numpy) -> int:
    """A run has one cluster and one vector core, and a task that waits for others has nothing to wait for."""
    return 1


for _counting in (system_available_cluster_count, system_available_aiv_count, system_task_dummy):
    _counting.evaluator(_one)


@system_task_invalid.evaluator
def _(np: Numpy) -> int:
    return NO_TASK


@system_task_is_valid.evaluator
def _(np: Numpy, task_id: int) -> bool:
    return task_id != NO_TASK
