"""400 kernels with the placement that each must get: what ``pypto-lite lower --format json`` says agrees with all.

A record names tiles as its text does. Names of inserted tiles may repeat in it, so those are compared by what they
are a copy of, the space and the block, and by their place among the other tiles.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable

RECORDS = [
    json.loads(line)
    for line in (Path(__file__).parent / "data" / "placement" / "visible.jsonl").read_text("utf-8").splitlines()
]
ROLES = {"branch_result": "if_result"}


@pytest.mark.parametrize("record", RECORDS, ids=[record["id"] for record in RECORDS])
def test_placement_is_as_recorded(
    record: dict[str, Any], lower_text: Callable[[str, str | None], dict[str, Any]]
) -> None:
    found = lower_text(record["source"], record["target"])
    expected = record["functions"]["kernel"]
    kernel = found["functions"]["kernel"]
    assert [each for each in found["diagnostics"] if each["severity"] != "note"] == []
    assert [tile_of(tile) for tile in kernel["tiles"]] == [
        (None if role == "inserted" else name, *rest, role) for name, *rest, role in expected["tiles"]
    ]
    assert [move_of(move) for move in kernel["moves"]] == [
        (None if origin == "inserted" else name, *rest, origin) for name, *rest, origin in expected["moves"]
    ]
    assert [[load["name"], load["target_memory"]] for load in kernel["loads"]] == expected["loads"]
    assert [[create["name"], create["target_memory"]] for create in kernel["creates"]] == expected["creates"]


def tile_of(tile: dict[str, Any]) -> tuple[Any, ...]:
    name = None if tile["role"] == "inserted" else tile["name"]
    role = ROLES.get(tile["role"], tile["role"])
    return (name, tile["space"], tile["blayout"], tile["slayout"], tile["fractal"], role)


def move_of(move: dict[str, Any]) -> tuple[Any, ...]:
    name = None if move["origin"] == "inserted" else move["name"]
    return (name, move["source"], move["to"], move["block"], move["origin"])
