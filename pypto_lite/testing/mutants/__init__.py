"""Faults planted in the passes one at a time, to see whether random programs and the tests find them.

``mutant`` says what a mutant is and plants it, ``placement_rules``, ``placement_moves`` and ``planted`` list them,
``judgement`` tries one in a process of its own, ``attempt`` is what that process does.
"""
