"""Mutants that break a rule of placement for which no generic operator has a form."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.mutants.pattern import named

if TYPE_CHECKING:
    from tests.mutants.mutant import Mutant


def rules() -> list[Mutant]:
    """What placement decides from, and what it makes of that."""
    return [
        named(
            "vec-to-bias-at-once",
            "A bias moves from Vec to Bias without Mat between.",
            "ASCEND_MOVES",
            "(MemorySpace.Mat, MemorySpace.Left, MemorySpace.Right, MemorySpace.Vec)",
            "(MemorySpace.Mat, MemorySpace.Left, MemorySpace.Right, MemorySpace.Vec, MemorySpace.Bias)",
        ),
        named(
            "moves-into-acc",
            "Accumulators are filled by moves.",
            "ASCEND_MOVES",
            "(MemorySpace.Mat, MemorySpace.Left, MemorySpace.Right, MemorySpace.Vec)",
            "(MemorySpace.Mat, MemorySpace.Left, MemorySpace.Right, MemorySpace.Vec, MemorySpace.Acc)",
        ),
        named(
            "mat-to-vec-on-a-chip",
            "A move is made that no chip has.",
            "Routes.__init__",
            "chip.moves.items()",
            "{**chip.moves, MemorySpace.Mat: (MemorySpace.Vec, *chip.moves[MemorySpace.Mat])}.items()",
        ),
        named(
            "tolerates-with-a-target",
            "Mat to Vec is tolerated for a chip.",
            "Target.__init__",
            "frozenset(tolerated)",
            "frozenset([(MemorySpace.Mat, MemorySpace.Vec)])",
        ),
        named(
            "ignores-written-targets",
            "The target_memory of a load or a create does not hold.",
            "_Collector.by_keyword",
            "written is not None",
            "written is not None and not result.choices",
        ),
        named(
            "views-live-in-vec",
            "Views and inheriting results are put into Vec wherever their operand is.",
            "_Collector.produced",
            "self.inherited(stmt, call, operator, source)",
            "self.fixed(stmt, MemorySpace.Vec, call)",
        ),
        named(
            "overwritten-operands-are-shared",
            "A copy that its reader overwrites is used by others.",
            "_Collector.call",
            "OperandConstraint("
            "eclass, argument, call, position, operand, stmt, spaces, in_place, overwritten, written_move)",
            "OperandConstraint(eclass, argument, call, position, operand, stmt, spaces, in_place, False, written_move)",
        ),
        named(
            "joins-in-left",
            "A join lives where only products read.",
            "FeasibleSpaces.__init__",
            "frozenset(routes.chip.preference)",
            "frozenset({MemorySpace.Left, *routes.chip.preference})",
        ),
        named(
            "notices-the-first-write-only",
            "A copy is stale after the first write alone.",
            "Copier.touch",
            "self._states[buffer] = Write(stmt)",
            "self._states.setdefault(buffer, Write(stmt))",
        ),
        named(
            "takes-moves-from-the-start",
            "Each move of a longer way starts where the tile lives.",
            "Copier._move",
            "self.placed[var] if source is None else source.var",
            "self.placed[var]",
        ),
        named(
            "skips-moves-of-operands",
            "An operand is read from where it cannot be.",
            "Placer._served",
            "self._copied(use)",
            "self.placed[use.var]",
        ),
        named(
            "calls-of-one-operator-are-alike",
            "A call gets the type of one with other keywords.",
            "inference_key",
            "key += (name, kind, value)",
            "key += (name, kind)",
        ),
        named(
            "follows-without-a-cause",
            "What lives where another tile does does not name that.",
            "Reasons._decide",
            "(cause,)",
            "()",
        ),
        named(
            "cites-every-constraint",
            "A constraint that makes no difference is cited.",
            "Facts._demands",
            "any(rival not in served for rival in rivals)",
            "True",
        ),
        named(
            "copies-live-at-their-source",
            "The reason of a copy names the space of what was copied.",
            "Reasons._inserted",
            "insertion.space",
            "space",
        ),
        named(
            "names-the-wrong-tile",
            "The cause of a copy is another tile.",
            "Reasons._inserted",
            'Cause(f"{self._names[insertion.source]!r} lives in {NAMES[space]}", source.span, source)',
            'Cause(f"{self._names[insertion.source]!r} lives in {NAMES[space]}", source.span, insertion.var)',
        ),
    ]
