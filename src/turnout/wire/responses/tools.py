"""Tools and which of them may be called, in both directions.

Shapes: `FunctionTool`, `CustomTool`, namespaces of both, hosted tools, and the forms of `tool_choice` of openai 3.57.
The grammar of a custom tool is kept in the nested form that Chat Completions has; here it is flat.
"""

from typing import Any, Literal

import msgspec

from turnout.model import Body, Json, Tool, ToolChoice
from turnout.model.errors import InvalidRequest, Unsupported
from turnout.wire.codec import FORM
from turnout.wire.layers import (
    BROKEN,
    MAYBE_STRING,
    NULL,
    STRING,
    Members,
    Raw,
    leftover,
    members,
    open_object,
    open_string,
    raw_of,
    read,
    said,
    text,
)
from turnout.wire.losses import Losses

from .content import write_cache
from .dialect import ResponsesDialect
from .members import PROTOCOL, bag, form, own, restore, take_cache

Wire = dict[str, Any]
Names = dict[str, str]

_LIST: "msgspec.json.Decoder[list[Raw] | None]" = msgspec.json.Decoder(list[Raw] | None)
_BOOL = msgspec.json.Decoder(bool | None)
_NAMED = ("function", "custom")


# ---- reading -----------------------------------------------------------------------------------------------------


def read_tools(raw: Raw) -> tuple[Tool, ...]:
    """All tools; those of a namespace stand where it stood.

    Raises:
        InvalidRequest: one is malformed; `param` names it.
    """
    tools: list[Tool] = []
    for at, row in enumerate(read(_LIST, raw, "tools", "a list") or ()):
        tools.extend(_read(row, f"tools[{at}]"))
    return tuple(tools)


def _read(raw: Raw, param: str) -> list[Tool]:
    row = members(raw, param)
    kind = read(STRING, row.pop("type", NULL), f"{param}.type", "a string")
    if kind in _NAMED:
        return [_read_named(row, kind, param)]
    if kind == "namespace" and said(row.get("tools")):
        return _read_namespace(row, param)
    return [Tool(name=kind, kind="hosted", extra=own(leftover(row)))]


def _read_namespace(row: Members, param: str) -> list[Tool]:
    """The tools of a namespace; each knows how the group was written, the first also tells other protocols of it."""
    rows: list[Raw] = read(_LIST, row.pop("tools"), f"{param}.tools", "a list") or []
    group = read(STRING, row.pop("name", NULL), f"{param}.name", "a string")
    written = msgspec.json.encode({name: raw for name, raw in row.items() if raw != NULL}).decode()
    tools: list[Tool] = []
    for at, raw in enumerate(rows):
        path = f"{param}.tools[{at}]"
        inner = members(raw, path)
        kind = read(STRING, inner.pop("type", NULL), f"{path}.type", "a string")
        if kind not in _NAMED:
            raise InvalidRequest(f"{path}.type cannot be in a namespace", param=f"{path}.type")
        # The place keeps two groups of one name apart.
        names = {FORM + "namespace": written, FORM + "place": f'"{param}"'}
        if not at and said(row.get("description")):
            names["namespace/description"] = text(row["description"])
        tools.append(_read_named(inner, kind, path, group, names))
    return tools or [_empty(group, row)]


def _empty(group: str, row: Members) -> Tool:
    """A namespace of nothing, kept as a tool that nobody names."""
    names = {"name": msgspec.json.encode(group).decode(), **leftover(row), "tools": "[]"}
    return Tool(name="namespace", kind="hosted", extra=bag(names))


def _read_named(
    row: Members, kind: str, param: str, namespace: str | None = None, names: Names | None = None
) -> Tool:
    names = {} if names is None else names
    fields: Wire = {"name": read(STRING, row.pop("name", NULL), f"{param}.name", "a string")}
    description = read(MAYBE_STRING, row.pop("description", NULL), f"{param}.description", "a string")
    if description is not None:
        fields["description"] = description
    if kind == "custom":
        fields["kind"] = "custom"
        _take_format(row, fields, names)
    else:
        _take_schemas(row, fields, names, param)
    cache = take_cache(row, names)
    if cache is not None:
        fields["cache"] = cache
    names.update(leftover(row))
    return Tool(namespace=namespace, extra=bag(names), **fields)


def _take_schemas(row: Members, fields: Wire, names: Names, param: str) -> None:
    for name in ("parameters", "output_schema"):
        raw = row.pop(name, NULL)
        if raw != NULL:
            fields[name] = text(raw)
    strict = read(_BOOL, row.get("strict", NULL), f"{param}.strict", "true or false")
    if strict is None:
        names[FORM + "strict"] = "null" if "strict" in row else '""'
    row.pop("strict", None)
    fields["strict"] = strict


def _take_format(row: Members, fields: Wire, names: Names) -> None:
    raw = row.get("format")
    if raw is None or not said(raw):
        return
    inner = open_object(row.pop("format")) or {}
    if open_string(inner.get("type")) == "grammar":
        kind = inner.pop("type")
        fields["format"] = msgspec.json.encode({"type": kind, "grammar": inner}).decode()
    else:
        fields["format"] = text(raw)
    names[FORM + "format"] = text(raw)


# ---- writing -----------------------------------------------------------------------------------------------------


def write_tools(tools: tuple[Tool, ...], dialect: ResponsesDialect, losses: Losses) -> list[Any]:
    """All tools as JSON-able values; neighbours of one namespace in one group.

    Raises:
        Unsupported: one is of a kind that this provider does not have; `param` names it.
    """
    out: list[Any] = []
    group: tuple[str, Json | None, Json | None] | None = None
    for at, tool in enumerate(tools):
        losses.of_extra(tool.extra)
        wire = _write(tool, f"tools[{at}]", dialect, losses)
        if tool.namespace is None:
            group = None
            out.append(wire)
            continue
        written = form(tool.extra, "namespace")
        key = (tool.namespace, written, form(tool.extra, "place"))
        if group != key:
            group = key
            out.append(_namespace(tool.namespace, written))
        out[-1]["tools"].append(wire)
    return out


def _namespace(name: str, written: Json | None) -> Wire:
    rest = {} if written is None else (open_object(raw_of(written)) or {})
    return {"type": "namespace", "name": name, "description": name, **rest, "tools": []}


def _write(tool: Tool, param: str, dialect: ResponsesDialect, losses: Losses) -> Wire:
    if tool.kind == "hosted":
        if tool.extra is not None and tool.extra.protocol != PROTOCOL:
            raise Unsupported(f"{param}.type", f"the tool {tool.name} is hosted by another protocol")
        wire: Wire = {"type": tool.name}
        restore(wire, tool.extra)
        return wire
    wire = _write_named(tool)
    write_cache(wire, tool, dialect, losses)
    if tool.extra is not None and tool.extra.protocol == PROTOCOL:
        for name, json in tool.extra.members.items():
            if not name.startswith((FORM, "namespace/")):
                wire[name.removeprefix("/")] = raw_of(json)
    return wire


def _write_named(tool: Tool) -> Wire:
    wire: Wire = {"type": tool.kind, "name": tool.name}
    if tool.description is not None:
        wire["description"] = tool.description
    if tool.kind == "custom":
        _put_format(wire, tool)
    else:
        wire["parameters"] = NULL if tool.parameters is None else raw_of(tool.parameters)
        written = form(tool.extra, "strict")
        if tool.strict is not None or written is None:
            # Left out it means true here, and false in the protocols that may leave it out.
            wire["strict"] = tool.strict is True
        elif written == "null":
            wire["strict"] = None
        if tool.output_schema is not None:
            wire["output_schema"] = raw_of(tool.output_schema)
    return wire


def _put_format(wire: Wire, tool: Tool) -> None:
    if tool.format is None:
        return
    inner = open_object(raw_of(tool.format)) or {}
    grammar = open_object(inner.get("grammar"))
    wire["format"] = raw_of(tool.format) if grammar is None else {"type": "grammar", **grammar}


# ---- choice ------------------------------------------------------------------------------------------------------

_WORDS: dict[str, Literal["auto", "none", "required"]] = {
    "auto": "auto",
    "none": "none",
    "required": "required",
}


def read_choice(raw: Raw) -> ToolChoice | None:
    """Which tools may be called: a word, one tool, or `allowed_tools`; `None` when it is none of these.

    A tool without a name of its own is named by its type.
    """
    word = open_string(raw)
    if word is not None:
        mode = _WORDS.get(word)
        return None if mode is None else ToolChoice(mode=mode)
    row = open_object(raw)
    if row is None:
        return None
    if open_string(row.get("type")) == "allowed_tools":
        mode = _WORDS.get(open_string(row.get("mode")) or "")
        names = _names_of(row.get("tools"))
        return None if mode is None or names is None else ToolChoice(mode=mode, names=names)
    name = _name_of(row)
    return None if name is None else ToolChoice(mode="required", names=(name,))


def _name_of(row: Members) -> str | None:
    kind = open_string(row.get("type"))
    if kind is None:
        return None
    return open_string(row.get("name")) or (None if kind in _NAMED else kind)


def _names_of(raw: Raw | None) -> tuple[str, ...] | None:
    try:
        rows = _LIST.decode(NULL if raw is None else raw) or []
    except BROKEN:
        return None
    opened = [open_object(row) for row in rows]
    names = [None if row is None else _name_of(row) for row in opened]
    return None if None in names else tuple([name for name in names if name is not None])


def write_choice(body: Body, choice: ToolChoice) -> Any:
    """Which tools may be called, as it came where it still says the same."""
    written = form(body.extra, "tool_choice")
    if written is not None and read_choice(raw_of(written)) == choice:
        return raw_of(written)
    if not choice.names or choice.mode == "none":
        return choice.mode
    kinds = {tool.name: tool.kind for tool in body.tools}
    named: list[Wire] = []
    for name in choice.names:
        kind = kinds.get(name, "function")
        named.append({"type": name} if kind == "hosted" else {"type": kind, "name": name})
    if choice.mode == "required" and len(named) == 1:
        return named[0]
    return {"type": "allowed_tools", "mode": choice.mode, "tools": named}
