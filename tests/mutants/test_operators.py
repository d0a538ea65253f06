"""What the generic operators make of a function, and what they leave alone."""

from __future__ import annotations

import pytest

from tests.mutants.operators import OPERATORS, changes
from tests.mutants.sources import Source

KNOWN = {"other": (["Tile", "Tile"], "Tile")}


def changed(operator: str, text: str) -> list[str]:
    """What an operator makes of the last definition of a text: each time the line that becomes another one."""
    source = Source("mutated", text)
    definition = source.definitions[-1]
    results: list[str] = []
    for change in changes(definition, KNOWN):
        if change.operator == operator:
            start = source.start(change.node)
            result = text[:start] + change.after + text[start + len(source.text_of(change.node)) :]
            compile(result, "mutated", "exec")
            results += [new for new, old in zip(result.splitlines(), text.splitlines(), strict=True) if new != old]
    return [line.strip() for line in results]


def in_function(*lines: str, returns: str = "None") -> str:
    return f"def f(a, b) -> {returns}:\n" + "".join(f"    {line}\n" for line in lines)


@pytest.mark.parametrize(
    ("operator", "line", "results"),
    [
        ("negates", "if a: pass", ["if (not (a)): pass"]),
        ("negates", "x = 1 if a or b else 2", ["x = 1 if (not (a or b)) else 2"]),
        ("flips", "if a < b: pass", ["if (a <= b): pass"]),
        ("flips", "x = a is b", ["x = (a is not b)"]),
        ("flips", "x = 0 <= a not in b", ["x = (0 < a not in b)", "x = (0 <= a in b)"]),
        ("drops-an-operand", "x = a or b", ["x = ((b))", "x = ((a))"]),
        ("drops-an-operand", "x = (a or b) and c.span", ["x = (((b))) and c.span", "x = (((a))) and c.span"]),
        ("another-constant", "f(True, b=False)", ["f(False, b=False)", "f(True, b=True)"]),
        ("drops-the-statement", "a.append(b)", ["pass"]),
        ("drops-the-statement", "del a[b]", ["pass"]),
        ("drops-the-statement", "a[b] = 1", ["pass"]),
        ("drops-the-statement", "a.x = a.y = b", []),
        ("drops-the-statement", "a = a or b", ["pass"]),
        ("skips-the-first", "for each in a.b: pass", ["for each in [*(a.b)][1:]: pass"]),
        ("skips-the-last", "x = [each for each in a]", ["x = [each for each in [*(a)][:-1]]"]),
        ("takes-the-last", "x = next((y for y in a), b)", ["x = next(reversed([*((y for y in a))]), b)"]),
        ("ignores-a-filter", "x = [y for y in a if y < b]", ["x = [y for y in a if True]"]),
        ("another-space", "x = MemorySpace.Vec", ["x = MemorySpace.Mat"]),
        ("another-preference", "x = (VEC, MAT, ACC)", ["x = (MAT, VEC, ACC)"]),
        ("drops-an-element", "x = {VEC, ACC}", ["x = (ACC, )", "x = (VEC, )"]),
        ("drops-an-element", "x = [*a, b]", ["x = [b, ]"]),
        ("the-opposite", "x = any(a)", ["x = all(a)"]),
        ("one-side-only", "x = a | b", ["x = (a)", "x = (b)"]),
        ("one-side-only", "x = a - b", ["x = (a)"]),
        ("the-other-end", "x = a[0] + b[:-1]", ["x = a[-1] + b[:-1]", "x = a[0] + b[:]"]),
        ("argument-instead", "x = other(a, b)", ["x = (a)"]),
        ("argument-instead", "x = list(reversed(a))", ["x = list((a))"]),
        ("swaps-arguments", "x = other(a, b)", ["x = other(b, a)"]),
    ],
)  # fmt: skip
def test_a_line(operator: str, line: str, results: list[str]) -> None:
    assert changed(operator, in_function(line)) == results


@pytest.mark.parametrize(
    ("returns", "line", "results"),
    [
        ("bool", "return a is b", ["return True", "return False"]),
        ("Tile | None", "return a", ["return None"]),
        ("list[Tile]", "return [a]", ["return []"]),
        ("tuple[Tile, ...]", "return (a, b)", ["return ()"]),
        ("tuple[Tile, Tile]", "return (a, b)", []),
        ("Tile", "return a", []),
    ],
)
def test_what_is_returned(returns: str, line: str, results: list[str]) -> None:
    assert changed("returns-something-else", in_function(line, returns=returns)) == results


@pytest.mark.parametrize(
    "line",
    [
        "assert a < b",
        "raise ValueError(a or b)",
        "x = Diagnostic('PL1', f'{a}', b or a, [each for each in a])",
        "x = f'{a or b}'",
        "x: A | B = a",
        "if a < b: raise ValueError(a)",
        "if isinstance(a, B): pass",
        "if a is not None: pass",
    ],
)
def test_what_decides_nothing_about_programs_is_left_alone(line: str) -> None:
    assert [change for name in OPERATORS for change in changed(name, in_function(line))] == []


def test_what_only_writes_text_is_left_alone() -> None:
    assert changed("negates", in_function("return 'a' if a else 'b'", returns="str")) == []


def test_a_memo_is_left_alone() -> None:
    memo = in_function("found = a.get(b)", "if found is None: found = g(b)", "a[b] = found", "return found")
    assert changed("drops-the-statement", memo) == []


def test_a_list_that_grows_in_its_loop_is_not_copied() -> None:
    assert changed("skips-the-first", in_function("for each in a:", "    a.append(each.next)")) == []


def test_types_are_needed_where_more_is_asked_for() -> None:
    line = "x = isinstance(a, B) and a.b and a.c is not None"
    assert changed("drops-an-operand", in_function(line)) == ["x = ((isinstance(a, B)) and (a.c is not None))"]


def test_a_constant_of_a_module() -> None:
    assert changed("another-preference", "ORDER: Final = (VEC, MAT)\n") == ["ORDER: Final = (MAT, VEC)"]
