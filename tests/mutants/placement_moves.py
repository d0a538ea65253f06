"""Mutants of what placement makes of its decisions: copies and types, loads that leave loops, the reasons it gives."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from tests.mutants.mutant import mutants_of

if TYPE_CHECKING:
    from tests.mutants.mutant import Mutant

_PASS: Final = "pypto_lite.passes.placed.placement"

_COPIES: Final = mutants_of(
    f"{_PASS}.copies",
    (
        "shares-copies-across-branches",
        "A copy made in a nested list is used outside it.",
        "del self._copies[key]",
        "pass",
    ),
    ("uses-stale-copies", "A copy is used after a write.", "found.state is self._state(var)", "True"),
    (
        "notices-the-first-write-only",
        "A copy is stale after the first write alone.",
        "self._states[buffer] = Write(stmt)",
        "self._states.setdefault(buffer, Write(stmt))",
    ),
    (
        "arms-see-each-other",
        "What one arm writes makes copies stale in the other.",
        "self._states.update(states)",
        "pass",
    ),
    (
        "own-copies-are-found",
        "A copy that is written to is one that others read.",
        "None if request.own else self._find(var, destination)",
        "self._find(var, destination)",
    ),
    ("own-copies-are-kept", "A copy that was written to is read by others.", "if not request.own:", "if True:"),
    (
        "views-are-moved-as-they-are",
        "A transposed view is moved from Vec to the cube side.",
        "natural = self.problem.natural(var) if",
        "natural = None if",
    ),
    ("views-in-reverse", "The views of a view are repeated in the wrong order.", "in reversed(chain):", "in chain:"),
    (
        "takes-moves-from-the-start",
        "Each move of a longer way starts where the tile lives.",
        "self.placed[var] if source is None else source.var",
        "self.placed[var]",
    ),
    ("forgets-askers", "A copy does not say what it is there for.", "found.askers.append(request.asker)", "pass"),
    (
        "forgets-further-steps",
        "A copy does not say what is made from it.",
        "source.made_from_it.append(insertion)",
        "pass",
    ),
    (
        "forgets-staleness",
        "A second copy does not say that the first is stale.",
        "if before is not None and state is not None:",
        "if False:",
    ),
)

_CALLS: Final = mutants_of(
    f"{_PASS}.calls",
    (
        "vec-is-boxed",
        "What is moved to Vec keeps its boxes.",
        "is_flattened = not",
        "is_flattened = destination is not ir.MemorySpace.Vec and not",
    ),
)

_LIKENESS: Final = mutants_of(
    "pypto_lite.ops.framework.inference_cache",
    (
        "calls-of-one-operator-are-alike",
        "A call gets the type of one with other keywords.",
        "key += (name, kind, value)",
        "key += (name, kind)",
    ),
)

_PLACE: Final = mutants_of(
    f"{_PASS}.place",
    (
        "loops-write-nothing",
        "A copy from before a loop is read in it after the loop's writes.",
        "stale = self.writes.inside(stmt.body)",
        "stale = {}",
    ),
    (
        "arms-write-nothing",
        "A copy from before a branch is read after writes in its arms.",
        "self.copier.touch(self.writes.inside(arm))",
        "pass",
    ),
    (
        "statements-write-nothing",
        "A copy is read after a write in the same list.",
        "self.copier.touch(self.writes.at(stmt))",
        "pass",
    ),
    (
        "skips-moves-into-joins",
        "A value flows into a join from another space.",
        "placed.append(self._flowing(member))",
        "placed.append(self._expression(value))",
    ),
    (
        "skips-moves-of-operands",
        "An operand is read from where it cannot be.",
        "return self._copied(use)\n",
        "return self.placed[use.var]\n",
    ),
    (
        "moves-what-can-be-read",
        "An operand is copied though it could be read.",
        "if space in use.spaces:",
        "if space is use.spaces[:1]:",
    ),
    (
        "moves-to-the-last-space",
        "Of the spaces that an operand is read from the last is taken.",
        "next((each for each in wanted if",
        "next((each for each in wanted[::-1] if",
    ),
    (
        "nothing-leaves-loops",
        "What a loop only hands on is copied inside it.",
        "if not self.problem.held:\n            return hoists",
        "if self.problem.held:\n            return hoists",
    ),
    (
        "shares-copies-for-written-joins",
        "A copy that flows into a join that is written is read by others.",
        "Request(member, write is not None,",
        "Request(member, False,",
    ),
    (
        "loads-do-not-say-where",
        "A load that was placed in Mat does not say so.",
        'return {**call.keywords, "target_memory": group.space}',
        "return call.keywords",
    ),
    (
        "yields-without-a-note",
        "A written target gives way and nobody is told.",
        "self.diagnostics.append(_yielded_target(group, written))",
        "pass",
    ),
    (
        "impossible-moves-without-a-warning",
        "A move that no chip can make is made silently.",
        "self.diagnostics.append(_impossible_move(",
        "(_impossible_move(",
    ),
    (
        "drops-written-layouts",
        "The layout of an annotation does not hold.",
        "if declared.view is not None and value is not stmt.value:",
        "if False:",
    ),
)

_HELD: Final = mutants_of(
    f"{_PASS}.held",
    (
        "hoists-past-writes",
        "A copy is made in front of a loop that writes to the tile.",
        "None if self._write_under(var) is not None else",
        "",
    ),
    (
        "copies-carries-outside",
        "A carry is copied in front of its own loop.",
        "return var if held is None else held[0]",
        "return var",
    ),
)

_RESULTS: Final = mutants_of(
    f"{_PASS}.results",
    (
        "return-types-without-space",
        "A tile is returned without its space.",
        "return function if same else",
        "return function if function else",
    ),
    (
        "calls-without-space",
        "A call gives a tile without its space.",
        "return node if placed is node.type else node.replace(type=placed)\n\n    def item",
        "return node\n\n    def item",
    ),
    (
        "any-return-type-will-do",
        "A tile is returned from another space than declared.",
        "and declared.space is not value.type.space",
        "and False",
    ),
)

_RESIDENCY: Final = (
    *mutants_of(
        f"{_PASS}.residency",
        ("hoists-from-branches", "A load leaves a branch that may not be taken.", "if place.conditional:", "if False:"),
        ("hoists-from-empty-loops", "A load leaves a loop that does not run.", "if start >= stop:", "if False:"),
        (
            "hoists-what-changes",
            "A load leaves a loop though it reads another window in each iteration.",
            "if variant is not None:",
            "if False:",
        ),
        (
            "hoists-past-effects",
            "A load is moved past a write.",
            "if closing is not None and closing.position",
            "if False and closing.position",
        ),
        (
            "hoists-what-is-written",
            "A load is moved though its tensor is written.",
            "return self.provenance.refuse(self.function, source)",
            "return None",
        ),
        (
            "hoists-without-room",
            "Loads fill more than there is.",
            "if limit is not None and size > limit:",
            "if False:",
        ),
        (
            "hoists-into-pipelines",
            "A load takes room that a pipeline needs.",
            "if replicated is not None:",
            "if False:",
        ),
        ("keeps-marks", "A load keeps the private mark.", "if name != MARK}", "if name}"),
    ),
    *mutants_of(
        f"{_PASS}.provenance",
        (
            "aliases-do-not-write",
            "An output in the same storage counts as another.",
            "if written is candidate:",
            "if False:",
        ),
        (
            "any-tensor-is-created",
            "A tensor of unknown origin counts as one of its own.",
            "if candidate is None or candidate in caller.params:",
            "if candidate is None:",
        ),
    ),
    *mutants_of(
        "pypto_lite.analysis.loops",
        ("nothing-orders", "A synchronisation in a loop is no matter.", "operator.synchronises or", ""),
    ),
)

_REASONS: Final = mutants_of(
    f"{_PASS}.reasons",
    (
        "loses-a-decision",
        "The first tile of a function has no reason.",
        "in self._problem.group_of.items()]",
        "in [*self._problem.group_of.items()][1:]]",
    ),
    (
        "follows-without-a-cause",
        "What lives where another tile does does not name that.",
        "group.space, (cause,))",
        "group.space, ())",
    ),
    (
        "calls-joined-default",
        "What joins hold counts as a default.",
        'return "joined" if joined else "default"',
        'return "default"',
    ),
    (
        "calls-written-produced",
        "A written target counts as the producer's choice.",
        'return "written" if "target_memory" in call.keywords else',
        "return",
    ),
    (
        "forgets-obstacles",
        "A copy does not say what kept an earlier one from being used.",
        "for each in insertion.obstacles:\n",
        "for each in ():\n",
    ),
    (
        "forgets-turned-views",
        "A join in Mat does not name the transposed view.",
        "causes += self._turning(group)",
        "pass",
    ),
    (
        "cites-decisive-demands-only",
        "A demand is cited only if it excludes all that could be.",
        "if any(rival not in served",
        "if all(rival not in served",
    ),
    (
        "cites-every-demand",
        "A demand that makes no difference is cited.",
        "if any(rival not in served for rival in rivals):",
        "if True:",
    ),
    ("forgets-anchors", "A join does not name what holds it.", "if _is_anchor(member, group)]", "if False]"),
    (
        "copies-live-at-their-source",
        "The reason of a copy names the space of what was copied.",
        "Decision(rule, insertion.var, insertion.space,",
        "Decision(rule, insertion.var, space,",
    ),
    (
        "names-the-wrong-tile",
        "The cause of a copy is another tile.",
        'lives in {NAMES[space]}", source.span, source)',
        'lives in {NAMES[space]}", source.span, insertion.var)',
    ),
    (
        "views-inherit",
        "A view counts as an inheriting result.",
        "if operator.view_of is not None and what.args",
        "if False and what.args",
    ),
)

_VERIFIER: Final = mutants_of(
    "pypto_lite.passes.properties.tile_memory_inferred",
    ("operands-are-not-verified", "An operand in a wrong space passes.", "space not in operand.spaces:", "False:"),
    ("routes-are-not-verified", "An impossible move passes.", "self._check_route(var, call)", "pass"),
    (
        "turned-moves-are-not-verified",
        "A transposed view may be moved as it is.",
        "if source in self.turned and",
        "if False and",
    ),
    (
        "returns-are-not-verified",
        "A tile may be returned from another space than declared.",
        "space, expected = _space(value), declared.space if",
        "space, expected = None, declared.space if",
    ),
)

MOVES: Final[tuple[Mutant, ...]] = (
    *_COPIES,
    *_CALLS,
    *_LIKENESS,
    *_PLACE,
    *_HELD,
    *_RESULTS,
    *_RESIDENCY,
    *_REASONS,
    *_VERIFIER,
)
