"""The table of diagnostic codes: PL1xx language, PL2xx types, PL3xx IR and passes, PL4xx memory, PL5xx runs,
PL9xx internal."""

from __future__ import annotations

from typing import NamedTuple


class Code(NamedTuple):
    """One code and what it stands for, in a few words."""

    code: str
    title: str


CODES: dict[str, Code] = {
    code: Code(code, title)
    for code, title in {
        # PL1xx: the language
        "PL101": "syntax error",
        "PL102": "the source text cannot be found",
        "PL103": "unsupported statement",
        "PL104": "unsupported expression",
        "PL105": "unknown name",
        "PL106": "name used outside its scope",
        "PL107": "unknown operator",
        "PL108": "wrong loop header",
        "PL109": "wrong number of values",
        "PL110": "wrong function signature",
        "PL111": "wrong type annotation",
        "PL112": "missing or wrong return",
        "PL113": "wrong call of a function",
        "PL114": "wrong yield",
        "PL115": "wrong decorator or program structure",
        "PL116": "value is not a compile-time constant",
        "PL117": "static assertion failed",
        "PL118": "nesting is too deep",
        "PL119": "file cannot be read as a program",
        "PL120": "used outside a kernel",
        "PL121": "the file's own code failed",
        # PL2xx: types
        "PL201": "wrong operand kind",
        "PL202": "wrong number of operands",
        "PL203": "wrong shape",
        "PL204": "wrong dtype",
        "PL205": "unknown or wrong keyword",
        "PL206": "window outside its source",
        "PL207": "name bound again with another type",
        "PL208": "wrong valid region",
        "PL209": "not supported yet",
        "PL210": "wrong memory space or layout",
        "PL211": "write into a parameter that is only read",
        "PL212": "written parameter whose annotation gives no direction",
        # PL3xx: IR and passes
        "PL301": "not in SSA form",
        "PL302": "value used before its definition",
        "PL303": "types do not agree",
        "PL304": "nested call",
        "PL305": "statement structure is not normal",
        "PL306": "break or continue outside a loop",
        "PL307": "control flow is not structured",
        "PL308": "in-core and orchestration code are mixed",
        "PL309": "in-core code is not all two-dimensional static tiles",
        "PL310": "required property does not hold",
        "PL311": "scope is not lowered yet",
        "PL312": "expression or nesting too deep to print",
        "PL313": "unknown pass",
        # PL4xx: memory
        "PL401": "tile has no memory space",
        "PL402": "operand in a space its operator cannot read",
        "PL403": "producer cannot write the space",
        "PL404": "no route between spaces",
        "PL405": "join members live in different spaces",
        "PL406": "tile that crosses the border of an in-core function",
        "PL407": "move that no target can make",
        "PL408": "space does not exist on the target",
        "PL409": "unknown target",
        "PL410": "alias or view in another space than what it names",
        "PL411": "tiles do not fit into a memory",
        "PL412": "tiles fit into a memory only if they share buffers",
        "PL413": "written memory space gives way",
        # PL5xx: runs
        "PL501": "it is not clear which function is to run",
        "PL502": "arguments of a run are missing or unknown",
        "PL503": "argument of a run does not fit its parameter",
        "PL504": "use of an element that has no value",
        "PL505": "access outside a tile, a tensor or an array",
        "PL506": "operation without a value",
        "PL507": "operator or scope has no meaning in a run",
        "PL508": "element type is not known to numpy",
        # What only a sanitized run looks at, PL520 to PL522 in notes
        "PL511": "operand is in a space its operator cannot read",
        "PL512": "operator does not write the space of its result",
        "PL513": "tile is carried between spaces without a route",
        "PL514": "tile is in a space that the target does not have",
        "PL515": "value reaches a name that stands for another space",
        "PL516": "more bytes of a memory are in use than there are",
        "PL517": "element is read from outside a valid region",
        "PL518": "iterations of a parallel loop depend on each other",
        "PL519": "iterations of a parallel loop write the same place",
        "PL520": "operand is read after something else was written there",
        "PL521": "accumulator begins with elements that nothing was written to",
        "PL522": "output ends with elements that nothing was written to",
        # PL9xx: internal
        "PL901": "internal error",
    }.items()
}
