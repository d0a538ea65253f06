"""How a diagnostic reads: place, source line, caret, found and expected, notes, hint."""

from pypto_lite.diagnostics import Diagnostic, Note, Severity, SourceText, Span, UserError


def rendered(text: str, column: int, end_column: int, line: int = 1, **details: object) -> list[str]:
    """The lines of a diagnostic about a part of a line of ``text``."""
    span = Span(SourceText("kernel.py", text), line, column, line, end_column)
    return str(Diagnostic("PL105", "unknown name", span, **details)).splitlines()


def marked(lines: list[str]) -> str:
    """What the carets stand under."""
    source, carets = lines[3], lines[4]
    return "".join(character for character, caret in zip(source, carets, strict=False) if caret == "^")


def test_all_parts_stand_in_order():
    span = Span(SourceText("kernel.py", "y = exq(x)\nz = y\n"), 1, 5, 1, 8)
    other = Span(span.source, 2, 1, 2, 2)
    diagnostic = Diagnostic(
        "PL105", "there is no 'exq'", span, found="exq", expected="an operator", notes=[Note("used here", other)],
        hint="did you mean 'exp'?",
    )  # fmt: skip
    assert str(diagnostic).splitlines() == [
        "error[PL105]: there is no 'exq'",
        "  --> kernel.py:1:5",
        "    |",
        "  1 | y = exq(x)",
        "    |     ^^^",
        "  found:    exq",
        "  expected: an operator",
        "note: used here",
        "  --> kernel.py:2:1",
        "    |",
        "  2 | z = y",
        "    | ^",
        "hint: did you mean 'exp'?",
    ]


def test_a_diagnostic_without_a_place_is_its_message():
    assert str(Diagnostic("PL105", "nowhere", severity=Severity.NOTE)) == "note[PL105]: nowhere"


def test_lines_count_from_the_first_line_of_the_text():
    source = SourceText("kernel.py", "a\nb\n", first_line=41)
    assert source.line(42) == "b"
    assert source.line(40) is None


def test_the_caret_stands_under_text_behind_tabs():
    assert marked(rendered("\t\ty = q\n", 7, 8)) == "q"


def test_the_caret_stands_under_text_behind_wide_characters():
    lines = rendered("数 = q\n", 5, 6)
    assert lines[4].index("^") - lines[4].index("|") == len("| 数数 = ")


def test_a_mark_over_several_lines_reaches_the_end_of_the_first():
    span = Span(SourceText("kernel.py", "y = f(a,\n      b)\n"), 1, 5, 2, 9)
    assert marked(str(Diagnostic("PL105", "here", span)).splitlines()) == "f(a,"


def test_an_empty_mark_still_has_a_caret():
    assert "^" in rendered("y = \n", 5, 5)[4]


def test_a_long_line_is_cut_around_the_mark():
    text = "m = " + " + ".join(["n"] * 500) + " + wrong + " + " + ".join(["n"] * 500)
    column = text.index("wrong") + 1
    lines = rendered(text, column, column + 5)
    assert marked(lines) == "wrong"
    assert max(map(len, lines)) < 140
    assert lines[3].count("...") == 2


def test_a_mark_longer_than_the_excerpt_is_cut_with_it():
    text = "m = " + " + ".join(["n"] * 500)
    lines = rendered(text, 5, len(text) + 1)
    assert marked(lines).startswith("n + n")
    assert max(map(len, lines)) < 140


def test_carriage_returns_and_form_feeds_do_not_shift_lines():
    source = SourceText("kernel.py", "a\r\nb\x0cc\rd\n")
    assert [source.line(number) for number in (1, 2, 3)] == ["a", "b\x0cc", "d"]


def test_nothing_that_is_shown_reaches_the_terminal_as_a_command():
    lines = rendered("x = '\x1b[2J\x9b\x7f\u202e' + q\n", 17, 18, found="\x07", hint="\x00")
    assert all(line.isprintable() for line in lines)
    assert lines[3].endswith("x = '␛[2J\ufffd␡\ufffd' + q")
    assert marked(lines) == "q"


def test_text_of_any_script_is_shown_as_it_is():
    text = "größe = '数\u00a0\u3000é' + q"
    assert rendered(f"{text}\n", 1, 6)[3].endswith(text)


def test_a_user_error_shows_all_its_diagnostics():
    error = UserError(Diagnostic("PL105", "first"), Diagnostic("PL106", "second"))
    assert error.code == "PL105"
    assert str(error) == "error[PL105]: first\n\nerror[PL106]: second"
