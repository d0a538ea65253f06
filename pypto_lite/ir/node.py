"""The base of all IR nodes: slots, constructor and traversal are generated from the class body.

A node class lists its fields as annotations, and names as ``children`` those fields that hold other nodes, in
the order in which they are visited. A child field is a node, a node or None, a tuple of nodes, or a mapping, of
which the values that are expressions are children, beside plain data. ``defines`` names the child fields that hold
the variables which the node itself brings into being: the target of an assignment, a loop's variable, carries and
results, a branch's results. So whoever asks a statement for its ``definitions()`` sees every kind of value there is,
and can't forget one. A method ``derive`` is called at the end of
the constructor: it works out what is no field, but follows from the fields.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, ClassVar, Final, NamedTuple, TypeVar, cast

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence

    from typing_extensions import dataclass_transform

    from pypto_lite.diagnostics import Span
    from pypto_lite.ir.expressions import Var
    from pypto_lite.ir.regions import Phi, Region
else:  # it speaks to type checkers only, and importing it takes as long as half of this room

    def dataclass_transform(**_options: Any) -> Callable[[type], type]:
        return lambda cls: cls


NodeType = TypeVar("NodeType", bound="Node")


class _Declared(NamedTuple):
    """What a node class and those that it extends declare."""

    fields: dict[str, str]
    """The text of each field's annotation."""
    defaults: dict[str, Any]
    children: tuple[str, ...]
    defines: tuple[str, ...]


_NOTHING: Final = _Declared({}, {}, (), ())


@dataclass_transform(eq_default=False)
class NodeMeta(type):
    """Builds a slotted node class with ``__init__`` and ``children`` made for its fields.

    A class that adds fields to those of another node has them behind it, with defaults.
    """

    declared: _Declared = _NOTHING

    def __new__(
        mcs,
        name: str,
        bases: tuple[type, ...],
        namespace: dict[str, Any],
        *,
        children: tuple[str, ...] = (),
        defines: tuple[str, ...] = (),
    ) -> NodeMeta:
        annotations: dict[str, Any] = namespace.get("__annotations__", {})
        own = {field: str(text) for field, text in annotations.items() if "ClassVar" not in str(text)}
        defaults = {field: namespace.pop(field) for field in own if field in namespace}
        namespace["__slots__"] = tuple(own)
        cls = super().__new__(mcs, name, bases, namespace)
        if own:
            base = next((each.declared for each in bases if isinstance(each, NodeMeta)), _NOTHING)
            cls.declared = _Declared(
                {**base.fields, **own},
                {**base.defaults, **defaults},
                (*base.children, *children),
                (*base.defines, *defines),
            )
            _generate(cls, *cls.declared)
        return cls


def _generate(
    cls: type, fields: dict[str, str], defaults: dict[str, Any], children: tuple[str, ...], defines: tuple[str, ...]
) -> None:
    many = {field for field in children if fields[field].startswith("tuple[")}
    mixed = {field for field in children if fields[field].startswith("Mapping[")}
    optional = {field for field in children if fields[field].endswith("| None")}
    parameters = [f"{field}=defaults[{field!r}]" if field in defaults else field for field in fields]
    lines = [f"def __init__(self, {', '.join(parameters)}):"]
    lines += [f" self.{field} = {field}" for field in fields]
    if hasattr(cls, "derive"):
        lines.append(" self.derive()")
    blocks = tuple(field for field in children if fields[field] in ("Block", "Block | None"))
    operands = tuple(field for field in children if field not in (*defines, *blocks))
    parts = {"children": children, "operands": operands, "definitions": defines, "blocks": blocks}
    for method, taken in parts.items():
        if taken:  # else Node's own gives the empty tuple
            lines += [f"def {method}(self):", _concatenation(taken, many, mixed, optional)]
    scope: dict[str, Any] = {"defaults": defaults, "expressions_in": expressions_in}
    exec("\n".join(lines), scope)
    for method in ("__init__", *parts):
        function = scope.get(method)
        if function is not None and method not in vars(cls):
            function.__qualname__ = f"{cls.__qualname__}.{method}"
            function.__module__ = cls.__module__
            setattr(cls, method, function)
    annotated = cast("Any", cls)
    annotated.fields = tuple(fields)
    annotated.child_fields = children
    annotated.operand_fields = operands
    annotated.defining_fields = defines
    annotated.__match_args__ = tuple(fields)


def _concatenation(fields: Sequence[str], many: set[str], mixed: set[str], optional: set[str]) -> str:
    """The body of a generated function that returns these fields' nodes as one tuple."""
    if len(fields) == 1 and fields[0] in many:
        return f" return self.{fields[0]}"
    shortcut = ""
    if len(fields) == 2 and fields[0] in many and fields[1] in mixed:  # a call, mostly without attributes
        shortcut = f" if not self.{fields[1]}: return self.{fields[0]}\n"
    parts: list[str] = []
    for field in fields:
        if field in many:
            parts.append(f"*self.{field}")
        elif field in mixed:
            parts.append(f"*(expressions_in(self.{field}) if self.{field} else ())")
        elif field in optional:
            parts.append(f"*(() if self.{field} is None else (self.{field},))")
        else:
            parts.append(f"self.{field}")
    return f"{shortcut} return ({', '.join(parts)},)"


def expressions_in(mixed: Mapping[str, Any]) -> list[Expr]:
    """The expressions among the values of a mapping, in its order."""
    return [value for value in mixed.values() if isinstance(value, Expr)]


class Node(metaclass=NodeMeta):
    """A piece of IR. Immutable by contract; compared by identity: ``structural_equal`` compares programs."""

    fields: ClassVar[tuple[str, ...]] = ()
    """All field names, in the order of the constructor."""
    child_fields: ClassVar[tuple[str, ...]] = ()
    """The fields that hold nodes, in the order in which they are visited."""
    operand_fields: ClassVar[tuple[str, ...]] = ()
    """Those of the child fields that hold expressions which this node reads."""
    defining_fields: ClassVar[tuple[str, ...]] = ()
    """Those of the child fields that hold variables which this node defines."""

    def children(self) -> tuple[Node, ...]:
        """All nodes directly below this one: operands, defined variables and blocks, in order of visit."""
        return ()

    def operands(self) -> tuple[Expr, ...]:
        """The expressions that this node reads directly, outside its blocks."""
        return ()

    def definitions(self) -> tuple[Any, ...]:
        """The variables that this node itself defines, of whatever kind."""
        return ()

    def blocks(self) -> tuple[Any, ...]:
        """The nested statement lists of this node."""
        return ()

    def rebuild(self: NodeType, children: Sequence[Node]) -> NodeType:
        """The same node with other children, given in the order of ``children()``. Raises ValueError for another
        number of them."""
        if len(children) != len(self.children()):
            raise ValueError(f"{self!r} has {len(self.children())} children, and {len(children)} are given")
        return self._with(self.child_fields, children) if children else self

    def with_operands(self: NodeType, operands: Sequence[Expr]) -> NodeType:
        """The same node with other operands, as many as before and in the order of ``operands()``."""
        return self._with(self.operand_fields, operands)

    def _with(self: NodeType, fields: Sequence[str], nodes: Iterable[Node]) -> NodeType:
        """The same node with these in the place of what the fields hold."""
        take = iter(nodes)
        changed: dict[str, Any] = {}
        for field in fields:
            before = getattr(self, field)
            if isinstance(before, tuple):
                changed[field] = tuple([next(take) for _ in cast("tuple[Node, ...]", before)])
            elif isinstance(before, Mapping):
                if before:
                    named = cast("Mapping[str, Any]", before)
                    changed[field] = {key: next(take) if isinstance(v, Expr) else v for key, v in named.items()}
            elif before is not None:
                changed[field] = next(take)
        return self.replace(**changed)

    def replace(self: NodeType, **changes: Any) -> NodeType:
        """The same node with some fields changed."""
        values = {field: getattr(self, field) for field in self.fields}
        return cast("Callable[..., NodeType]", type(self))(**{**values, **changes})

    def __copy__(self: NodeType) -> NodeType:
        return self  # nobody changes a node, and a copied variable would be another variable

    def __deepcopy__(self: NodeType, memo: dict[int, Any]) -> NodeType:
        return self


class Type:
    """The base of the types of values; the classes are in ``types``."""

    __slots__ = ()

    symbolic: bool = False
    """Whether the type mentions expressions."""

    def expressions(self) -> tuple[Expr, ...]:
        """The expressions that the type mentions, in dimensions, valid regions and strides."""
        return ()

    def map_expressions(self, change: Callable[[Expr], int | Expr]) -> Type:
        """The type with each of its expressions replaced by another dimension; the same object where none changes."""
        return self

    def facts(self) -> dict[str, Any]:
        """The type as plain data, in the form that PyPTO's facts use."""
        raise TypeError(f"{type(self).__name__} has no facts")


class _ExprFields:
    """What all expressions have. No Node, so that each class lists these among its own fields, in its own order."""

    __slots__ = ()
    type: Type
    span: Span


class Expr(Node, _ExprFields):
    """The base of everything that has a value."""

    def as_dim(self) -> int | Expr:
        """The expression as a dimension: a constant is an int there."""
        return self

    def structure(self) -> Hashable:
        """A key that two expressions share exactly when they are the same expression over the same variables.

        A call is the same as itself only: another one may give another value.
        """
        return self


class _StmtFields:
    """What all statements have; see ``_ExprFields``."""

    __slots__ = ()
    span: Span
    comments: tuple[str, ...]


class Stmt(Node, _StmtFields):
    """The base of statements. ``comments`` are the source comments in front of it and at its end."""

    def entry_operands(self) -> tuple[Expr, ...]:
        """The operands that are read once, before any of its regions runs."""
        return self.operands()

    def regions(self) -> tuple[Region, ...]:
        """Its nested blocks in program order, as it runs them; a Block has none, being a part of what is around it."""
        return ()

    def exit_definitions(self) -> tuple[Var, ...]:
        """The variables that it defines behind its last region."""
        return ()

    def phis(self) -> tuple[Phi, ...]:
        """The variables that take their value from one of several places, with these."""
        return ()


def walk(root: Node) -> Iterator[Node]:
    """Every node below and including ``root``, each before its children, in program order."""
    stack: list[Node] = [root]
    pop = stack.pop
    extend = stack.extend
    while stack:
        node = pop()
        yield node
        children = node.children()
        if children:
            extend(children[::-1])
