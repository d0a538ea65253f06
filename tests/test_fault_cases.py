"""Kernels that are easily placed wrong, each with what is right for every target.

The docstring of a case says what is right and why. An expected refusal that is not required may take the place of the
placement; then its message is judged instead.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import pytest

FOLDER = Path(__file__).parent / "data" / "faults"
EXPECTED: dict[str, dict[str, Any]] = json.loads((FOLDER / "expected.json").read_text("utf-8"))
TARGETS = (None, "Ascend910B", "Ascend950")

LowerText = Callable[[str, "str | None"], "dict[str, Any]"]


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("case", sorted(EXPECTED))
def test_fault_is_avoided(case: str, target: str | None, lower_text: LowerText) -> None:
    expected = EXPECTED[case]
    found = lower_text((FOLDER / f"{case}.py").read_text("utf-8"), target)
    errors = [each["message"] for each in found["diagnostics"] if each["severity"] == "error"]
    refusal = expected["error"]
    if errors:
        assert refusal is not None, f"refused: {errors}"
        text = "\n".join(errors)
        assert [word for word in refusal.get("must_mention", ()) if word not in text] == [], text
        assert [word for word in refusal.get("must_not_mention", ()) if word in text] == [], text
        return
    assert refusal is None or not refusal["required"], "accepted, but must be refused"
    judge(expected, found["functions"]["kernel"])


def test_every_case_file_has_its_expectation() -> None:
    assert {path.stem for path in FOLDER.glob("*.py")} == set(EXPECTED)


def judge(expected: dict[str, Any], kernel: dict[str, Any]) -> None:
    versioned = expected.get("ssa_first", False)

    def plain(name: str) -> str:
        return re.sub(r"__\d+$", "", name) if versioned else name

    spaces: dict[str, set[str]] = {}
    for tile in kernel["tiles"]:
        spaces.setdefault(plain(tile["name"]), set()).add(tile["space"])
    for name, allowed in expected["spaces"].items():
        assert spaces[name] <= alternatives(allowed), f"{name} lives in {spaces[name]}"
    for group in expected.get("same_space", ()):
        assert len({space for name in group for space in spaces[name]}) == 1, f"{group}: {spaces}"
    layouts = {plain(t["name"]): [t["blayout"], t["slayout"], t["fractal"]] for t in kernel["tiles"]}
    for name, layout in expected.get("layouts", {}).items():
        assert layouts[name] == layout, name
    for kind in ("loads", "creates"):
        targets = {plain(each["name"]): each["target_memory"] for each in kernel[kind]}
        for name, target in expected.get(kind, {}).items():
            assert targets[name] == target, name
    judge_moves(expected, [{**move, "source": plain(move["source"])} for move in kernel["moves"]])


def judge_moves(expected: dict[str, Any], moves: list[dict[str, Any]]) -> None:
    wanted = expected["moves"]
    count = wanted["count"]
    least, most = count if isinstance(count, list) else (count, count)
    assert least <= sum(move["origin"] == "inserted" for move in moves) <= most, moves
    pairs = Counter(json.dumps(pair) for pair in wanted["must_include"])
    for pair, times in pairs.items():
        sources, targets = map(alternatives, json.loads(pair))
        matching = [move for move in moves if move["source"] in sources and move["to"] in targets]
        assert len(matching) >= times, f"{pair} stands {len(matching)} times in {moves}"
    forbidden = [tuple(pair) for pair in wanted["must_not_include"]]
    assert [move for move in moves if (move["from"], move["to"]) in forbidden] == []
    placed = {(move["source"], move["to"], move["block"]) for move in moves}
    assert {tuple(place) for place in expected.get("where", ())} <= placed


def alternatives(value: str | Iterable[str]) -> set[str]:
    return {value} if isinstance(value, str) else set(value)
