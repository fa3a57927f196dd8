"""Write the TypeScript types of everything the server sends to the pages and reads from them.

`python -m scripts.wire_types` writes `web/static/wire.d.ts` from the route handlers, the socket's messages and the
replay file; with `--check` it only says whether the file is up to date.
"""

from __future__ import annotations

import importlib
import pkgutil
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, Final, get_args, get_origin, get_type_hints

import msgspec
from litestar import Response
from litestar.handlers import HTTPRouteHandler
from msgspec import inspect

from ludotheque.server import commands, routes
from ludotheque.server.routes import table_commands
from ludotheque.server.tables import messages
from ludotheque.server.tables.view_shapes import TableView
from ludotheque.show import offline

WIRE: Final = Path(__file__).parents[1] / "src" / "ludotheque" / "web" / "static" / "wire.d.ts"
UNIONS: Final[dict[str, Any]] = {"FromClient": commands.FromClient, "ToClient": messages.ToClient | TableView}
HEADING: Final = "// What goes over the wire. Written by scripts/wire_types.py from the server's own definitions.\n"
PLAIN: Final[dict[type[inspect.Type], str]] = {
    inspect.AnyType: "unknown",
    inspect.BoolType: "boolean",
    inspect.DateTimeType: "string",
    inspect.DateType: "string",
    inspect.FloatType: "number",
    inspect.IntType: "number",
    inspect.NoneType: "null",
    inspect.StrType: "string",
}


def handlers() -> Iterator[HTTPRouteHandler]:
    """All route handlers of the server."""
    for module in pkgutil.iter_modules(routes.__path__):
        members = vars(importlib.import_module(f"{routes.__name__}.{module.name}")).values()
        yield from (member for member in members if isinstance(member, HTTPRouteHandler))
    yield from table_commands.HANDLERS


def struct_types(hint: Any) -> Iterator[type[msgspec.Struct]]:
    """The struct inside a handler's annotation: `X`, `Response[X]`, `list[X]`, `Annotated[X, ...]`."""
    if isinstance(hint, type) and issubclass(hint, msgspec.Struct):
        yield hint
    elif get_origin(hint) is not None:
        for part in get_args(hint):
            yield from struct_types(part)


def roots() -> Iterator[Any]:
    """Yield the types that pages send or receive, before their parts are followed."""
    yield from UNIONS.values()
    yield offline.Film
    for handler in handlers():
        for name, hint in get_type_hints(handler.fn, include_extras=True).items():
            if name in ("return", "data") and hint is not Response:
                yield from struct_types(hint)


def parts(kind: inspect.Type) -> Iterator[inspect.Type]:
    """The types that a type is made of."""
    if isinstance(kind, inspect.StructType):
        yield from (field.type for field in kind.fields)
    elif isinstance(kind, inspect.UnionType):
        yield from kind.types
    elif isinstance(kind, inspect.TupleType):
        yield from kind.item_types
    elif isinstance(kind, inspect.CollectionType):
        yield kind.item_type
    elif isinstance(kind, inspect.DictType):
        yield kind.value_type


def structs(kinds: Iterable[inspect.Type]) -> dict[str, inspect.StructType]:
    """All structs reached from some types, by name."""
    found: dict[str, inspect.StructType] = {}
    waiting = [*kinds]
    while waiting:
        kind = waiting.pop()
        if isinstance(kind, inspect.StructType):
            known = found.get(kind.cls.__name__)
            if known is not None and known.cls is not kind.cls:
                raise ValueError(f"two structs are called {kind.cls.__name__}")
            if known is not None:
                continue
            found[kind.cls.__name__] = kind
        waiting += parts(kind)
    return found


def typescript(kind: inspect.Type) -> str:
    """A type as TypeScript writes it."""
    if isinstance(kind, inspect.StructType):
        return kind.cls.__name__
    if isinstance(kind, inspect.LiteralType):
        return " | ".join(msgspec.json.encode(value).decode() for value in kind.values)
    if isinstance(kind, inspect.UnionType):
        return " | ".join(typescript(one) for one in kind.types)
    if isinstance(kind, inspect.TupleType):
        return f"[{', '.join(typescript(item) for item in kind.item_types)}]"
    if isinstance(kind, inspect.CollectionType):
        return f"Array<{typescript(kind.item_type)}>"
    if isinstance(kind, inspect.DictType):
        return f"Record<string, {typescript(kind.value_type)}>"
    return PLAIN[type(kind)]


def is_optional(kind: inspect.StructType, field: inspect.Field) -> bool:
    """Whether a field may be missing: the client may leave out a default, the server leaves out some."""
    leaves_out = kind.forbid_unknown_fields or kind.cls.__struct_config__.omit_defaults
    return not field.required and (leaves_out or field.name in _unset(kind.cls))


def _unset(struct: type[msgspec.Struct]) -> set[str]:
    """The fields that a struct leaves unset unless they are given."""
    return {field.name for field in msgspec.structs.fields(struct) if field.default is msgspec.UNSET}


def fields(kind: inspect.StructType) -> Iterator[str]:
    """The fields of a struct as TypeScript writes them, the tag first."""
    if kind.tag is not None:
        yield f"type: {msgspec.json.encode(kind.tag).decode()}"
    for field in kind.fields:
        yield f"{field.encode_name}{'?' if is_optional(kind, field) else ''}: {typescript(field.type)}"


def interface(kind: inspect.StructType) -> str:
    """A struct as a TypeScript interface."""
    body = "\n".join(f"  {field};" for field in fields(kind))
    if not body:
        return f"export type {kind.cls.__name__} = Record<string, never>;\n"
    return f"export interface {kind.cls.__name__} {{\n{body}\n}}\n"


def wire_types() -> str:
    """The whole file."""
    found = structs(inspect.multi_type_info(roots()))
    unions = [f"export type {name} = {typescript(inspect.type_info(union))};\n" for name, union in UNIONS.items()]
    return "\n".join([HEADING, *unions, *(interface(found[name]) for name in sorted(found))])


def main(check: bool) -> int:
    text = wire_types()
    is_current = WIRE.exists() and WIRE.read_text(encoding="utf-8") == text
    if not is_current and not check:
        WIRE.write_text(text, encoding="utf-8")
    if not is_current:
        print("wire.d.ts", "is out of date: run python -m scripts.wire_types" if check else "is brought up to date")
    return 1 if check and not is_current else 0


if __name__ == "__main__":
    sys.exit(main("--check" in sys.argv[1:]))
