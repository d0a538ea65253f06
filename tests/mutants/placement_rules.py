"""Mutants of what placement decides from: the routes, the facts about a function, and how spaces are chosen by them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from tests.mutants.mutant import mutants_of

if TYPE_CHECKING:
    from tests.mutants.mutant import Mutant

_PASS: Final = "pypto_lite.passes.placed.placement"

_ROUTES: Final = mutants_of(
    "pypto_lite.analysis.routes",
    (
        "sources-through-vec",
        "Another way is preferred.",
        "[space for space in self._moves",
        "[space for space in (VEC, MAT, ACC)",
    ),
    (
        "tolerates-with-a-target",
        "Mat to Vec is tolerated for a chip.",
        "in self.chip.tolerated",
        "in UNSPECIFIED.tolerated",
    ),
    (
        "moves-within-any-space",
        "A move within Mat counts as legal.",
        "return destination in",
        "return source is destination or destination in",
    ),
    ("moves-to-absent-spaces", "A way leads to spaces that the target lacks.", "in row if chip.has(each)", "in row"),
    (
        "longer-ways-in-one-move",
        "Only the last of several moves is made.",
        "(*chains[space], following)",
        "(following,)",
    ),
    (
        "mat-is-not-cube-side",
        "A transposed view is moved to Mat as it is.",
        "self.entered - {",
        "self.entered - {MAT} - {",
    ),
    (
        "views-are-never-barred",
        "A transposed view may flow from Vec to the cube side.",
        "return source is not self.chip.staging and",
        "return False and",
    ),
)

_TARGET: Final = mutants_of(
    "pypto_lite.targets.target",
    (
        "no-way-from-acc-to-vec",
        "What a product made cannot be read by vector operators.",
        "Acc: (MemorySpace.Mat, MemorySpace.Vec),",
        "Acc: (MemorySpace.Mat,),",
    ),
    (
        "vec-to-bias-at-once",
        "A bias moves from Vec to Bias without Mat between.",
        "Vec: (MemorySpace.Mat,",
        "Vec: (MemorySpace.Bias, MemorySpace.Mat,",
    ),
    (
        "mat-to-vec-on-a-chip",
        "A move is made that no chip has.",
        "MemorySpace.Mat: (\n",
        "MemorySpace.Mat: (\n        MemorySpace.Vec,\n",
    ),
    (
        "moves-into-acc",
        "Accumulators are filled by moves.",
        "Vec: (MemorySpace.Mat,",
        "Vec: (MemorySpace.Acc, MemorySpace.Mat,",
    ),
    (
        "prefers-mat",
        "Mat is chosen where Vec would do.",
        "(MemorySpace.Vec, MemorySpace.Mat, MemorySpace.Acc)",
        "(MemorySpace.Mat, MemorySpace.Vec, MemorySpace.Acc)",
    ),
    (
        "couples-acc-first",
        "Joins are decided in the wrong order.",
        "(MemorySpace.Vec, MemorySpace.Acc)",
        "(MemorySpace.Acc, MemorySpace.Vec)",
    ),
)

_ORIENTATION: Final = mutants_of(
    "pypto_lite.analysis.layout_agreement",
    (
        "across-is-the-same",
        "A join takes a tile and one that lies across it.",
        "(one.blayout, one.slayout) !=",
        "False and (one.blayout, one.slayout) !=",
    ),
    ("one-row-lies-across", "A tile of one row has to lie as others do.", "if any(extent == 1", "if all(extent == 1"),
    (
        "views-end-at-views",
        "A view of a transposed view counts as none.",
        "if viewed is None else [(var, call.args[viewed])]",
        "if viewed is None else []",
    ),
)

_COLLECT: Final = mutants_of(
    f"{_PASS}.collect",
    (
        "ignores-written-targets",
        "The target_memory of a load or a create does not hold.",
        "if written is not None:",
        "if written is not None and not result.choices:",
    ),
    (
        "ignores-declared-spaces",
        "The space of an annotation does not hold.",
        "if space is not None and",
        "if False and",
    ),
    (
        "results-of-functions-in-mat",
        "What a function returns is taken to be in Mat.",
        "declared.space or self.routes.chip.preference[0]",
        "declared.space or MemorySpace.Mat",
    ),
    (
        "views-live-in-vec",
        "Views and inheriting results are put into Vec wherever their operand is.",
        "return self.inherited(stmt, call, operator, source)",
        "return self.fixed(stmt, MemorySpace.Vec, call)",
    ),
    (
        "views-are-other-buffers",
        "A write through a view is not seen by copies of what it views.",
        "self.problem.same_buffer.append((stmt.var, source))",
        "pass",
    ),
    (
        "aliases-are-other-buffers",
        "A write through an alias is not seen by copies of what it names.",
        "self.problem.same_buffer.append((var, source))",
        "pass",
    ),
    ("writes-change-nothing", "Copies of a tile outlive writes to it.", "self.problem.writes.append(", "("),
    ("changes-are-not-noted", "Changes in place may be missed.", "self.problem.changes.append(", "("),
    (
        "changes-reach-copies-only",
        "A tile is changed in a copy.",
        "overwritten and not (taken and isinstance(stmt, ir.Assign))",
        "False",
    ),
    (
        "overwritten-operands-are-shared",
        "A copy that its reader overwrites is used by others.",
        "operand, stmt, spaces, in_place, overwritten, written_move)",
        "operand, stmt, spaces, in_place, False, written_move)",
    ),
    (
        "held-carries-are-joins",
        "A carry that holds what it began with lives apart from that.",
        "in (carry, self.origin(init))",
        "in ()",
    ),
    (
        "equal-arms-are-joins",
        "A branch result whose arms give the same tile lives apart from that.",
        "if self.origin(then) is self.origin(otherwise)",
        "if False",
    ),
    (
        "loses-demands-on-held-carries",
        "Readers of what a loop hands on ask for nothing.",
        "holder.demands += group.demands",
        "pass",
    ),
    (
        "loses-flows-of-held-carries",
        "What a loop hands on does not flow further.",
        "holder.feeds += group.feeds",
        "pass",
    ),
    (
        "turns-one-join-only",
        "A transposed view counts as one in the first join only.",
        "pending += [member.join for member in group.feeds]",
        "pass",
    ),
    (
        "written-moves-take-views-anywhere",
        "A written move takes a transposed view from Vec to the cube side.",
        "if not self.routes.bars(space, destination))",
        ")",
    ),
    (
        "creates-never-yield",
        "A create keeps its target against its carry.",
        "                _let_yield(group)",
        "                pass",
    ),
    (
        "creates-forget-their-target",
        "A create that may yield always does.",
        "(group.preferred,) = group.domain",
        "pass",
    ),
)

_SOLVE: Final = mutants_of(
    f"{_PASS}.solve",
    (
        "joins-ask-nothing-of-members",
        "Members need not reach their join.",
        "for member in group.members:\n",
        "for member in ():\n",
    ),
    (
        "joins-are-anywhere",
        "A join may be where its members cannot get.",
        "self._narrow(member.join, self.reach.reached(group.domain, group.turned), group)",
        "pass",
    ),
    (
        "demands-ask-nothing",
        "Tiles are put where readers cannot be served.",
        "for demand in group.demands:",
        "for demand in ():",
    ),
    (
        "joins-of-products-in-vec",
        "A join of products is not in Acc.",
        "join.domain - self.routes.entered or join.domain",
        "join.domain",
    ),
    ("does-not-agree", "What is open does not follow its neighbours.", "if len(spaces) == 1 and", "if False and"),
    (
        "targets-of-creates-come-last",
        "A written target yields where it need not.",
        "if group.preferred is not None}",
        "if group.preferred is None and not group}",
    ),
    (
        "follows-direct-joins-only",
        "Joins behind joins are not decided with them.",
        "pending.append(member.join)",
        "pass",
    ),
)

_REACH: Final = mutants_of(
    f"{_PASS}.reach",
    (
        "joins-in-left",
        "A join lives where only products read.",
        "frozenset(routes.chip.preference)",
        "frozenset((MemorySpace.Left, *routes.chip.preference))",
    ),
    ("changes-may-be-moved", "A tile that is changed in place may be anywhere.", "if in_place:", "if False:"),
    ("tolerates-nothing", "Mat to Vec is refused without a target, too.", "(tolerant and", "(False and"),
)

_WRITES: Final = mutants_of(
    f"{_PASS}.writes",
    ("writes-anywhere-do-not-count", "Only operands of a certain space are written to.", "if not spaces or", "if"),
    (
        "nothing-takes-over",
        "A result is another buffer than the operand that it takes over.",
        "(*problem.same_buffer, *problem.taken_over)",
        "problem.same_buffer",
    ),
)

_REFUSALS: Final = (
    *mutants_of(
        f"{_PASS}.missed_writes",
        (
            "copies-miss-writes",
            "A join in another space misses later writes to what flowed in.",
            "for write in writes:",
            "for write in ():",
        ),
        (
            "sources-miss-writes",
            "A tile misses writes to the join that it flowed into as a copy.",
            "for write in _among(copy.values, self.writes) if reads else ():",
            "for write in ():",
        ),
        (
            "nothing-survives-an-iteration",
            "Writes in an earlier iteration are no matter.",
            "return outlives or any(carry",
            "return any(False and carry",
        ),
    ),
    *mutants_of(
        "pypto_lite.analysis.execution_order",
        (
            "arms-follow-each-other",
            "A write in one arm counts for a read in the other.",
            " and not self._exclusive(first, second)",
            "",
        ),
        (
            "loops-run-once",
            "A write does not count for reads of the next iteration.",
            "return any(loop in around and",
            "return any(False and",
        ),
    ),
    *mutants_of(
        f"{_PASS}.producers",
        (
            "annotations-relabel-producers",
            "A tile is declared where its operator cannot write.",
            "return None if declared in possible else",
            "return None if declared else",
        ),
    ),
    *mutants_of(
        f"{_PASS}.assemblies",
        (
            "assembles-from-near-only",
            "A tile is moved that could be assembled from where it is.",
            "use.spaces = _readable(problem, routes, use, destination)",
            "use.spaces = (destination,)",
        ),
        (
            "assembles-from-anywhere",
            "A tile is assembled from where no move leads.",
            "problem.uses[use.call].append(use)",
            "pass",
        ),
    ),
    *mutants_of(
        f"{_PASS}.__init__".removesuffix(".__init__"),
        (
            "missed-writes-are-no-errors",
            "Changes that would be missed are accepted.",
            "*find_missed_writes(problem, named.body)",
            "",
        ),
        (
            "returns-from-anywhere",
            "A caller gets a tile from another space than Vec.",
            "*_returns_elsewhere(functions, routes)",
            "",
        ),
    ),
)

RULES: Final[tuple[Mutant, ...]] = (
    *_TARGET,
    *_ROUTES,
    *_ORIENTATION,
    *_COLLECT,
    *_SOLVE,
    *_REACH,
    *_WRITES,
    *_REFUSALS,
)
