"""Writes the tables of docs/protocols.md from the code's own; with --check it only says whether they are up to date."""

import re
import sys
from collections.abc import Iterable
from pathlib import Path

from turnout.wire.anthropic import errors as anthropic_errors
from turnout.wire.anthropic import families, reasoning, rewrite, stop
from turnout.wire.anthropic.members import TTLS
from turnout.wire.chat import finish
from turnout.wire.gemini import errors as gemini_errors
from turnout.wire.gemini import finish as gemini_finish
from turnout.wire.gemini import rewrite as gemini_rewrite
from turnout.wire.responses import finish as responses_finish
from turnout.wire.responses import items
from turnout.wire.responses.dialect import DIALECTS

PAGE = Path(__file__).parents[1] / "docs" / "protocols.md"
_PLACE = re.compile(r"<!-- table: (\w+) -->\n(.*?)<!-- end -->", re.DOTALL)
_FIRST = "first version"


def table(head: Iterable[str], rows: Iterable[Iterable[object]]) -> str:
    """A table in Markdown."""
    names = list(head)
    lines = [names, ["---"] * len(names), *([str(cell) for cell in row] for row in rows)]
    return "".join(f"| {' | '.join(line)} |\n" for line in lines)


def code(words: Iterable[str]) -> str:
    """Words as code, separated by commas."""
    return ", ".join(f"`{word}`" for word in words) or "none"


def stops() -> str:
    """Why an answer ended, by both protocols."""
    reads = {name: [word for word, one in stop.READ.items() if one == name] for name in stop.WRITE}
    rows = [
        (
            f"`{name}`",
            code(reads[name]),
            f"`{stop.WRITE[name]}`",
            code([finish.WRITE[name]] if name in finish.WRITE else ["refused"]),
        )
        for name in stop.WRITE
    ]
    head = ("the answer ended", "Anthropic says", "told to an Anthropic client", "told to a chat client")
    return table(head, rows)


def errors() -> str:
    """The error types of Anthropic by status."""
    rows = [(status, f"`{kind}`") for status, kind in anthropic_errors.TYPES.items()]
    rows += [("any other below 500", f"`{anthropic_errors.type_of(400)}`")]
    rows += [("any other from 500", f"`{anthropic_errors.type_of(500)}`")]
    return table(("status", "`error.type`"), rows)


def choices() -> str:
    """Tool choices from Chat to Anthropic and back."""
    words = {"auto": "auto", "none": "none", "required": "required"}
    rows = [(f"`{word}`", f"`{rewrite.CHOICES[mode]}`") for mode, word in words.items()]
    rows += [("one named function", "`tool` with its name")]
    rows += [("`allowed_tools`", "only those tools are offered, with `auto` or `any`")]
    rows += [("`parallel_tool_calls: false`", "`disable_parallel_tool_use: true`")]
    return table(("Chat Completions", "Anthropic Messages"), rows)


def models() -> str:
    """What families of Anthropic's models take."""
    sampling = {"all": "all", "one": "temperature or top_p", "none": "none"}
    rows = [
        (
            line or "any",
            f"{since[0]}.{since[1]}" if since != (0, 0) else "any",
            row.output,
            sampling[row.sampling],
            row.thinks,
            code(row.efforts),
        )
        for line, since, row in families.ROWS
    ]
    head = ("line", _FIRST, "output limit", "sampling", "thinks", "efforts")
    return table(head, rows)


def budgets() -> str:
    """Efforts as tokens."""
    rows = [(f"`{effort}`", tokens) for effort, tokens in reasoning.BUDGETS.items()]
    return table(("`reasoning_effort`", "`thinking.budget_tokens`"), rows)


def tiers() -> str:
    """Service tiers."""
    rows = [(f"`{ours}`", f"`{theirs}`") for ours, theirs in rewrite.TIERS.items()]
    return table(("Chat Completions", "Anthropic Messages"), [*rows, ("any other", "refused")])


def lifetimes() -> str:
    """Lifetimes of cache breakpoints."""
    return table(("asked for", "sent to Anthropic"), [(f"`{a}`", f"`{b}`") for a, b in TTLS.items()])


def responses_stops() -> str:
    """Why an answer ended, as Responses say it."""
    read = {stop: reason for reason, stop in responses_finish.INCOMPLETE.items()}
    rows: list[tuple[str, str, str]] = []
    for name in stop.WRITE:
        reason = responses_finish.REASONS.get(name)
        told = "`completed`" if reason is None else f"`incomplete`, `{reason}`"
        told = {
            "refusal": "`completed` with the refusal, else `incomplete`, `content_filter`",
            "pause": "refused",
            "input_required": "`incomplete`",
        }.get(name, told)
        said = f"`incomplete`, `{read[name]}`" if name in read else "`completed`"
        said = "none" if name in ("context_full", "pause", "input_required", "stop_sequence") else said
        rows.append((f"`{name}`", said, told))
    return table(("the answer ended", "Responses say", "told to a Responses client"), rows)


def responses_items() -> str:
    """Items of an answer that only a client of Responses can answer."""
    return code(sorted((*items.CLIENTS_PART, "tool_search_call"))) + "\n"


def responses_dialects() -> str:
    """What providers of Responses take."""
    rows = [
        (
            name or "any other",
            "yes" if row.custom_tools else "as functions",
            "yes" if row.namespaces else "as names",
            "Open Responses" if row.open else "OpenAI",
        )
        for name, row in sorted(DIALECTS.items(), key=lambda pair: (not pair[0], pair[0]))
    ]
    return table(("provider", "custom tools", "namespaces", "shape"), rows)


def gemini_stops() -> str:
    """Why an answer ended, in Gemini's words."""
    rows = [
        (
            f"`{name}`",
            code([word for word, one in gemini_finish.READ.items() if one == name]),
            f"`{word}`",
        )
        for name, word in gemini_finish.WRITE.items()
    ]
    rows += [("an error, 502", code(sorted(gemini_finish.FAILURES)), "an error")]
    return table(("the answer ended", "Gemini says", "told to a Gemini client"), rows)


def gemini_levels() -> str:
    """Efforts as levels, and as tokens for models that know no levels."""
    rows = [
        (f"`{effort}`", f"`{level}`", gemini_rewrite.BUDGETS[effort])
        for effort, level in gemini_rewrite.LEVELS.items()
    ]
    return table(("effort", "`thinkingLevel`", "`thinkingBudget` (Gemini 2)"), rows)


def gemini_status() -> str:
    """Google's words by status."""
    rows = [(status, f"`{word}`") for status, word in gemini_errors.STATUS.items()]
    rows += [("any other below 500", f"`{gemini_errors.status_word(418)}`")]
    rows += [("any other from 500", f"`{gemini_errors.status_word(599)}`")]
    return table(("status", "`error.status`"), rows)


TABLES = {
    "responses_stops": responses_stops,
    "responses_items": responses_items,
    "responses_dialects": responses_dialects,
    "gemini_stops": gemini_stops,
    "gemini_levels": gemini_levels,
    "gemini_status": gemini_status,
    "stops": stops,
    "errors": errors,
    "choices": choices,
    "models": models,
    "budgets": budgets,
    "tiers": tiers,
    "lifetimes": lifetimes,
}


def written(page: str) -> str:
    """The page with every table as the code has it."""
    return _PLACE.sub(lambda found: f"<!-- table: {found[1]} -->\n{TABLES[found[1]]()}<!-- end -->", page)


def main() -> int:
    """Write the tables, or compare them."""
    page = PAGE.read_text(encoding="utf-8")
    text = written(page)
    if "--check" in sys.argv:
        if page != text:
            print("docs/protocols.md is not up to date: run .ci/protocols.py")
            return 1
        return 0
    PAGE.write_text(text, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
