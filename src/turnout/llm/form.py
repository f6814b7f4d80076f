"""An answer in a form: how it is asked for, and how strictly it is read."""

from typing import Any, Final, Literal, TypeAlias, cast

import msgspec

from turnout.model import Answer, Json, OutputFormat, Refusal, Text, Tool, ToolCall, ToolChoice, V
from turnout.model.errors import BadOutput

Structured: TypeAlias = Literal["schema", "tool"]
"""How a model is made to answer in a form: its native structured output, or a tool that it is forced to call.

`tool` is for models without the former. Some refuse a forced tool while they think.
"""

LONGEST: Final = 65_536
"""In code points: no answer in a form is longer."""

_WHOLE: Final = frozenset({"end", "stop_sequence", "tool_calls", "unknown"})


class Form(V, frozen=True, kw_only=True):
    """A closed JSON Schema of an object, under a name."""

    name: str
    description: str
    schema: dict[str, Any]

    def fields(self, structured: Structured) -> dict[str, Any]:
        """The fields of a body that ask for it."""
        text: Json = msgspec.json.encode(self.schema).decode()
        if structured == "tool":
            tool = Tool(name=self.name, description=self.description, parameters=text)
            return {"tools": (tool,), "tool_choice": ToolChoice(mode="required", names=(self.name,))}
        return {"format": OutputFormat(kind="json_schema", name=self.name, schema=text, strict=True)}

    def read(self, answer: Answer, structured: Structured) -> dict[str, Any]:
        """The object that the answer holds; whether it fits the schema is for the caller to see.

        Raises:
            BadOutput: the model refused, was cut off, or answered in another form.
        """
        if answer.stop not in _WHOLE or any(isinstance(part, Refusal) for part in answer.parts):
            raise BadOutput("the model refused, or did not come to an end")
        text = self._called(answer) if structured == "tool" else _said(answer)
        if len(text) > LONGEST:
            raise BadOutput("the model's answer is too long")
        try:
            value = msgspec.json.decode(text)
        except (msgspec.DecodeError, RecursionError):
            # No chained cause: it may quote what the user said.
            raise BadOutput("the model's answer is not JSON") from None
        if not isinstance(value, dict):
            raise BadOutput("the model's answer is not an object")
        return cast("dict[str, Any]", value)

    def _called(self, answer: Answer) -> str:
        calls = [part for part in answer.parts if isinstance(part, ToolCall)]
        if len(calls) != 1 or calls[0].name != self.name:
            raise BadOutput("the model did not call the tool that it was given, once")
        return calls[0].arguments


def _said(answer: Answer) -> str:
    if any(isinstance(part, ToolCall) for part in answer.parts):
        raise BadOutput("the model called a tool that it was not given")
    return "".join(part.text for part in answer.parts if isinstance(part, Text))
