"""The one way to change IR: rewrite from the leaves up, sharing everything that stays the same."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, TypeAlias, TypeVar, cast

from pypto_lite.ir.arithmetic import SIMPLIFIERS, fold
from pypto_lite.ir.expressions import Const, MakeTuple, Var, expr_dim
from pypto_lite.ir.node import Expr, Node, Stmt, Type, walk
from pypto_lite.ir.program import Function, Program
from pypto_lite.ir.statements import Block

if TYPE_CHECKING:
    from pypto_lite.ir.interned import Dim

NodeType = TypeVar("NodeType", bound=Node)
Rule: TypeAlias = Callable[[Any], "Node | Sequence[Stmt]"]
"""Gets a node whose children are already rewritten; returns it, another node, or (for a statement) several."""


def rewrite(
    root: NodeType,
    rules: Mapping[type[Node], Rule],
    enter: Mapping[type[Node], Callable[[Any], None]] = MappingProxyType({}),
) -> NodeType:
    """``root`` with each node of a class in ``rules`` replaced by what its rule returns; the nearest base class counts.

    Children come before parents, in program order; a node none of whose children changed stays the same object. A
    rule for a statement may return a sequence of statements, which takes the place of the statement in its Block
    (an empty one deletes it). ``enter`` has functions that are told of the nodes of just these classes, as they were,
    before their children are rewritten. Uses an explicit stack, so depth never meets the recursion limit.

    Raises TypeError for a rule that puts something of another kind in the place of a node.
    """
    rule_of = _Rules(rules)
    is_plain = rule_of[Const] is None and Const not in enter
    """Whether a list of integers is as good as a node without children."""
    stack: list[Any] = [root]
    """Nodes, and those whose children are being rewritten as tuples with these."""
    done: list[Any] = []
    while stack:
        node = stack.pop()
        if node.__class__ is tuple:
            node, children = node
        else:
            if node.__class__ in enter:
                enter[node.__class__](node)
            children = node.children()
            pending = len(children)
            for child in children:
                if child.child_fields and not (is_plain and type(child) is MakeTuple and child.integers is not None):
                    break
                # What has no children need not go over the stack, where everything before it is done.
                if child.__class__ in enter:
                    enter[child.__class__](child)
                rule = rule_of[child.__class__]
                done.append(child if rule is None else _replaced(child, rule))
                pending -= 1
            if pending:
                stack.append((node, children))
                stack.extend(children[: -pending - 1 : -1])
                continue
        if children:
            first = len(done) - len(children)
            changed = done[first:]
            del done[first:]
            if changed != [*children]:  # nodes are equal if they are the same
                node = _rebuilt(node, changed)
        rule = rule_of[node.__class__]
        done.append(node if rule is None else _replaced(node, rule))
    (result,) = done
    return cast("NodeType", result)


class _Rules(dict[type[Node], "Rule | None"]):
    """The rule for each class that occurs: its own, or that of its nearest base class; None where there is none."""

    def __init__(self, rules: Mapping[type[Node], Rule]) -> None:
        super().__init__()
        self._rules = rules

    def __missing__(self, kind: type[Node]) -> Rule | None:
        found = self[kind] = next((self._rules[base] for base in kind.__mro__ if base in self._rules), None)
        return found


def _rebuilt(node: Node, changed: list[Any]) -> Node:
    return node.rebuild(_spliced(changed)) if isinstance(node, Block) else _checked(node, node.rebuild(changed))


def _replaced(node: Node, rule: Rule) -> Node | Sequence[Stmt]:
    after = rule(node)
    if after is node or _is_alike(node, after):
        return after
    name = getattr(rule, "__qualname__", repr(rule))
    raise TypeError(f"the rule {name} returns {after!r}, which cannot take the place of {node!r}")


def _is_alike(node: Node, after: object) -> bool:
    """Whether both are expressions, or statements (which may be several), or functions, or programs."""
    if isinstance(node, Stmt) and isinstance(after, Sequence):
        return all(isinstance(each, Stmt) for each in cast("Sequence[object]", after))
    return any(isinstance(node, kind) and isinstance(after, kind) for kind in (Expr, Stmt, Function, Program))


def _checked(before: Node, after: NodeType) -> NodeType:
    """The rebuilt node; TypeError where something else stands for a variable that it defines, or for a body."""
    for each in after.definitions():
        if not isinstance(each, Var):
            raise TypeError(f"{before!r} defines a variable, in whose place {each!r} cannot be")
    for each in after.blocks():
        if not isinstance(each, Block):
            raise TypeError(f"{before!r} has a body, in whose place {each!r} cannot be")
    return after


def _spliced(results: Iterable[Any]) -> list[Stmt]:
    statements: list[Stmt] = []
    for result in results:
        if isinstance(result, Stmt):
            statements.append(result)
        else:
            statements.extend(result)
    return statements


class Substitution:
    """Puts other expressions in the place of variables, in types as well as in code.

    A variable that is not in the mapping but whose type mentions one that is becomes a new variable of the
    changed type, everywhere it stands.
    """

    def __init__(self, mapping: Mapping[Var, Expr]) -> None:
        self._mapping: dict[Var, Expr] = dict(mapping)
        self._rules: dict[type[Node], Rule] = {
            Var: self.var,
            Expr: self.typed,
            Function: self.function,
        }

    def apply(self, root: NodeType) -> NodeType:
        """``root`` with the substitution made."""
        return rewrite(root, self._rules)

    def type(self, before: Type) -> Type:
        """The type with the substitution made in its dimensions."""
        return before.map_expressions(self._dimension) if before.symbolic else before

    def _dimension(self, before: Expr) -> Dim:
        """A dimension with the substitution made, and folded where that makes it constant, as types want it."""
        written = set(walk(before))

        def folded(node: Any) -> Expr:
            return node if node in written else fold(node)

        return expr_dim(rewrite(before, {**self._rules, **dict.fromkeys(SIMPLIFIERS, folded)}))

    def var(self, var: Var) -> Expr:
        """What stands for this variable."""
        found = self._mapping.get(var)
        if found is not None:
            return found
        if not var.type.symbolic:
            return var
        changed = self.type(var.type)
        result = var if changed == var.type else Var(var.name, changed, var.span)
        self._mapping[var] = result
        return result

    def typed(self, node: Any) -> Any:
        """An expression with the substitution made in its own type."""
        if not node.type.symbolic:
            return node
        changed = self.type(node.type)
        return node if changed == node.type else node.replace(type=changed)

    def function(self, node: Function) -> Function:
        """A function with the substitution made in the types that it returns."""
        if not any(type_.symbolic for type_ in node.return_types):
            return node
        changed = tuple([self.type(type_) for type_ in node.return_types])
        return node if changed == node.return_types else node.replace(return_types=changed)


def substitute(root: NodeType, mapping: Mapping[Var, Expr]) -> NodeType:
    """``root`` with each variable of ``mapping`` replaced by its expression, in types too.

    Raises TypeError where ``root`` defines one of them and the expression is no variable.
    """
    return Substitution(mapping).apply(root)
