"""A scripted model that speaks all four protocols, in the standard library alone: no code of ours judges itself.

A scene is what the model says: thoughts, words, calls. The last turn of a request picks it, and the path says in which
protocol it is told. Run as a program it prints the port; `GET /seen` gives what was asked.
"""

import http.server
import json
import sys
import threading
from collections.abc import Callable, Iterator
from typing import Any, ClassVar, NamedTuple

PROOF = "c2lnbmVkIGJ5IHRoZSBtb2RlbA=="
"""What proves a thought to its maker."""
USED, THOUGHT, GIVEN = 11, 2, 5
"""Tokens of input, of thoughts and of the rest of the output."""
CITIES = ("Rome", "Oslo")


class Scene(NamedTuple):
    """What the model says, in this order; `calls` are the arguments of calls of one tool."""

    thought: str = ""
    words: str = ""
    calls: tuple[dict[str, Any], ...] = ()
    tool: str = "look"


class Piece(NamedTuple):
    """One event of a stream: its name, `""` where the protocol has none, and its data."""

    name: str
    data: Any


SCENES = {
    "hello": Scene(words="Hello there"),
    "think": Scene(thought="I ponder", words="Done."),
    "weather": Scene(thought="I should look", calls=tuple({"city": city} for city in CITIES)),
    "result": Scene(words="It is sunny."),
    "image": Scene(words="a red square"),
    "json": Scene(words='{"city":"Rome","degrees":21}'),
    "cut": Scene(words="Once upon a time"),
}


def scene_of(body: dict[str, Any]) -> str:
    """The name of the scene that a request asks for."""
    turns = body.get("messages") or body.get("contents") or body["input"]
    last = json.dumps(turns if isinstance(turns, str) else turns[-1])
    if any(mark in last for mark in ('"tool_result"', '"role": "tool"', "functionResponse", "call_output")):
        return "result"
    if "QUJD" in last:
        return "image"
    return next((name for name in (*SCENES, "limited", "broken") if name in last), "hello")


def halves(text: str) -> tuple[str, ...]:
    """A text in two pieces."""
    return (text[: len(text) // 2], text[len(text) // 2 :]) if text else ()


# ---- Chat Completions ------------------------------------------------------------------------------------------------

_CHAT_USAGE = {
    "prompt_tokens": USED,
    "completion_tokens": THOUGHT + GIVEN,
    "total_tokens": USED + THOUGHT + GIVEN,
    "completion_tokens_details": {"reasoning_tokens": THOUGHT},
}


def _chat(kind: str, choices: list[Any], **more: Any) -> dict[str, Any]:
    return {"id": "c1", "object": kind, "created": 1_790_000_000, "model": "up", "choices": choices, **more}


def chat_whole(scene: Scene) -> Any:
    calls = [
        {
            "id": f"call_{at}",
            "type": "function",
            "function": {"name": scene.tool, "arguments": json.dumps(each)},
        }
        for at, each in enumerate(scene.calls)
    ]
    message: dict[str, Any] = {"role": "assistant", "content": scene.words or None, "refusal": None}
    message |= {"tool_calls": calls} if calls else {}
    message |= {"reasoning_content": scene.thought} if scene.thought else {}
    reason = "tool_calls" if calls else "stop"
    choice = {"index": 0, "message": message, "finish_reason": reason, "logprobs": None}
    return _chat("chat.completion", [choice], usage=_CHAT_USAGE)


def chat_stream(scene: Scene) -> Iterator[Piece]:
    deltas: list[dict[str, Any]] = [{"role": "assistant", "content": ""}]
    deltas += [{"reasoning_content": piece} for piece in halves(scene.thought)]
    deltas += [{"content": piece} for piece in halves(scene.words)]
    for at, each in enumerate(scene.calls):
        head = {"id": f"call_{at}", "type": "function", "function": {"name": scene.tool, "arguments": ""}}
        deltas += [{"tool_calls": [{"index": at, **head}]}]
        pieces = halves(json.dumps(each))
        deltas += [{"tool_calls": [{"index": at, "function": {"arguments": piece}}]} for piece in pieces]
    for delta in deltas:
        choice = {"index": 0, "delta": delta, "finish_reason": None}
        yield Piece("", _chat("chat.completion.chunk", [choice]))
    reason = "tool_calls" if scene.calls else "stop"
    yield Piece("", _chat("chat.completion.chunk", [{"index": 0, "delta": {}, "finish_reason": reason}]))
    yield Piece("", _chat("chat.completion.chunk", [], usage=_CHAT_USAGE))
    yield Piece("", "[DONE]")


# ---- Anthropic Messages ----------------------------------------------------------------------------------------------

_CLAUDE_USAGE = {
    "input_tokens": USED,
    "output_tokens": THOUGHT + GIVEN,
    "output_tokens_details": {"thinking_tokens": THOUGHT},
}


def _claude(content: list[Any], reason: str | None, usage: dict[str, Any]) -> dict[str, Any]:
    head = {"id": "msg_1", "type": "message", "role": "assistant", "model": "up", "content": content}
    return {**head, "stop_reason": reason, "stop_sequence": None, "usage": usage}


def _blocks(scene: Scene) -> list[dict[str, Any]]:
    blocks: list[dict[str, Any]] = []
    if scene.thought:
        blocks.append({"type": "thinking", "thinking": scene.thought, "signature": PROOF})
    if scene.words:
        blocks.append({"type": "text", "text": scene.words})
    calls = [
        {"type": "tool_use", "id": f"toolu_{at}", "name": scene.tool, "input": each}
        for at, each in enumerate(scene.calls)
    ]
    return blocks + calls


def claude_whole(scene: Scene) -> Any:
    return _claude(_blocks(scene), "tool_use" if scene.calls else "end_turn", _CLAUDE_USAGE)


def claude_stream(scene: Scene) -> Iterator[Piece]:
    start = _claude([], None, {"input_tokens": USED, "output_tokens": 1})
    yield Piece("message_start", {"message": start})
    for index, block in enumerate(_blocks(scene)):
        shell, deltas = _grown(block)
        yield Piece("content_block_start", {"index": index, "content_block": shell})
        for delta in deltas:
            yield Piece("content_block_delta", {"index": index, "delta": delta})
        yield Piece("content_block_stop", {"index": index})
    end = {"stop_reason": "tool_use" if scene.calls else "end_turn", "stop_sequence": None}
    yield Piece("message_delta", {"delta": end, "usage": _CLAUDE_USAGE})
    yield Piece("message_stop", {})


def _grown(block: dict[str, Any]) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    """A block as it begins, and what is added to it."""
    match block["type"]:
        case "text":
            return block | {"text": ""}, [
                {"type": "text_delta", "text": piece} for piece in halves(block["text"])
            ]
        case "thinking":
            pieces = [{"type": "thinking_delta", "thinking": piece} for piece in halves(block["thinking"])]
            proof = {"type": "signature_delta", "signature": block["signature"]}
            return block | {"thinking": "", "signature": ""}, [*pieces, proof]
        case _:
            text = json.dumps(block["input"])
            return block | {"input": {}}, [
                {"type": "input_json_delta", "partial_json": piece} for piece in halves(text)
            ]


# ---- Responses -------------------------------------------------------------------------------------------------------

_RESPONSE_USAGE = {
    "input_tokens": USED,
    "input_tokens_details": {"cached_tokens": 0, "cache_write_tokens": 0},
    "output_tokens": THOUGHT + GIVEN,
    "output_tokens_details": {"reasoning_tokens": THOUGHT},
    "total_tokens": USED + THOUGHT + GIVEN,
}


def _items(scene: Scene) -> list[dict[str, Any]]:
    items: list[dict[str, Any]] = []
    if scene.thought:
        summary = [{"type": "summary_text", "text": scene.thought}]
        items.append({"type": "reasoning", "id": "rs_1", "summary": summary, "encrypted_content": PROOF})
    if scene.words:
        text = {"type": "output_text", "text": scene.words, "annotations": [], "logprobs": []}
        head = {"type": "message", "id": "msg_1", "status": "completed", "role": "assistant"}
        items.append({**head, "content": [text]})
    for at, each in enumerate(scene.calls):
        ids = {"id": f"fc_{at}", "call_id": f"call_{at}", "status": "completed"}
        items.append({"type": "function_call", **ids, "name": scene.tool, "arguments": json.dumps(each)})
    return items


def _response(output: list[Any], status: str) -> dict[str, Any]:
    head = {"id": "resp_1", "object": "response", "created_at": 1_790_000_000, "model": "up"}
    rest = {
        "status": status,
        "output": output,
        "parallel_tool_calls": True,
        "tool_choice": "auto",
        "tools": [],
    }
    return {**head, **rest, "usage": _RESPONSE_USAGE if status == "completed" else None}


def responses_whole(scene: Scene) -> Any:
    return _response(_items(scene), "completed")


def responses_stream(scene: Scene) -> Iterator[Piece]:
    items = _items(scene)
    told = [Piece("response.created", {"response": _response([], "in_progress")})]
    for at, item in enumerate(items):
        told += _told(at, item)
    told.append(Piece("response.completed", {"response": _response(items, "completed")}))
    for number, piece in enumerate(told):
        yield Piece(piece.name, {**piece.data, "sequence_number": number})


def _told(at: int, item: dict[str, Any]) -> list[Piece]:
    """The events of one item."""
    place = {"item_id": item["id"], "output_index": at}
    match item["type"]:
        case "message":
            part, shell = item["content"][0], item | {"content": [], "status": "in_progress"}
            inner = {**place, "content_index": 0}
            bare = {**inner, "logprobs": []}
            grown = [
                Piece("response.content_part.added", {**inner, "part": part | {"text": ""}}),
                *(
                    Piece("response.output_text.delta", {**bare, "delta": one})
                    for one in halves(part["text"])
                ),
                Piece("response.output_text.done", {**bare, "text": part["text"]}),
                Piece("response.content_part.done", {**inner, "part": part}),
            ]
        case "reasoning":
            part, shell = item["summary"][0], item | {"summary": [], "encrypted_content": None}
            inner = {**place, "summary_index": 0}
            kind = "response.reasoning_summary"
            grown = [
                Piece(f"{kind}_part.added", {**inner, "part": part | {"text": ""}}),
                *(Piece(f"{kind}_text.delta", {**inner, "delta": one}) for one in halves(part["text"])),
                Piece(f"{kind}_text.done", {**inner, "text": part["text"]}),
                Piece(f"{kind}_part.done", {**inner, "part": part}),
            ]
        case _:
            text, shell = item["arguments"], item | {"arguments": "", "status": "in_progress"}
            kind = "response.function_call_arguments"
            grown = [
                *(Piece(f"{kind}.delta", {**place, "delta": one}) for one in halves(text)),
                Piece(f"{kind}.done", {**place, "arguments": text, "name": item["name"]}),
            ]
    added = Piece("response.output_item.added", {"output_index": at, "item": shell})
    return [added, *grown, Piece("response.output_item.done", {"output_index": at, "item": item})]


# ---- Gemini ----------------------------------------------------------------------------------------------------------

_GOOGLE_USAGE = {
    "promptTokenCount": USED,
    "candidatesTokenCount": GIVEN,
    "thoughtsTokenCount": THOUGHT,
    "totalTokenCount": USED + THOUGHT + GIVEN,
}


def _google(parts: list[Any], *, end: bool) -> dict[str, Any]:
    candidate: dict[str, Any] = {"content": {"role": "model", "parts": parts}, "index": 0}
    head = {"candidates": [candidate], "responseId": "r1", "modelVersion": "up"}
    if not end:
        return head
    candidate["finishReason"] = "STOP"
    return {**head, "usageMetadata": _GOOGLE_USAGE}


def _parts(scene: Scene, cut: Callable[[str], tuple[str, ...]]) -> list[dict[str, Any]]:
    parts: list[dict[str, Any]] = [{"text": piece, "thought": True} for piece in cut(scene.thought)]
    parts += [{"text": piece} for piece in cut(scene.words)]
    calls: list[dict[str, Any]] = [
        {"functionCall": {"id": f"call_{at}", "name": scene.tool, "args": each}}
        for at, each in enumerate(scene.calls)
    ]
    if calls:
        calls[0]["thoughtSignature"] = PROOF
    return parts + calls


def google_whole(scene: Scene) -> Any:
    return _google(_parts(scene, lambda text: (text,) if text else ()), end=True)


def google_stream(scene: Scene) -> Iterator[Piece]:
    parts = _parts(scene, halves)
    for part in parts[:-1]:
        yield Piece("", _google([part], end=False))
    yield Piece("", _google(parts[-1:], end=True))


# ---- the server ------------------------------------------------------------------------------------------------------


class Spoken(NamedTuple):
    """How one protocol tells a scene, and what its errors look like."""

    whole: Callable[[Scene], Any]
    stream: Callable[[Scene], Iterator[Piece]]
    error: Callable[[int, str], Any]
    limited: str
    broken: str


def _openai_error(status: int, word: str) -> Any:
    return {"error": {"message": f"no: {status}", "type": word, "param": None, "code": None}}


def _claude_error(status: int, word: str) -> Any:
    return {"type": "error", "error": {"type": word, "message": f"no: {status}"}, "request_id": "req_1"}


def _google_error(status: int, word: str) -> Any:
    return {"error": {"code": status, "message": f"no: {status}", "status": word}}


SPOKEN = {
    "/chat/completions": Spoken(chat_whole, chat_stream, _openai_error, "rate_limit_error", "server_error"),
    "/responses": Spoken(
        responses_whole, responses_stream, _openai_error, "rate_limit_error", "server_error"
    ),
    "/messages": Spoken(claude_whole, claude_stream, _claude_error, "rate_limit_error", "api_error"),
    "enerateContent": Spoken(google_whole, google_stream, _google_error, "RESOURCE_EXHAUSTED", "INTERNAL"),
}
"""By how the path ends."""


class Handler(http.server.BaseHTTPRequestHandler):
    """One connection; what was asked is kept on the class for the tests to read."""

    protocol_version = "HTTP/1.1"
    asked: ClassVar[list[dict[str, Any]]] = []

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002 -- the name in the base class
        """Say nothing."""

    def do_GET(self) -> None:
        """What was asked so far."""
        self.answer(200, self.asked)

    def do_POST(self) -> None:
        """Play a scene."""
        body = json.loads(self.rfile.read(int(self.headers["content-length"])))
        self.asked.append(body)
        path = self.path.partition("?")[0]
        spoken = next(how for end, how in SPOKEN.items() if path.endswith(end))
        name = scene_of(body)
        if name == "limited":
            self.answer(429, spoken.error(429, spoken.limited), ("retry-after", "7"))
        elif name == "broken":
            self.answer(500, spoken.error(500, spoken.broken))
        elif body.get("stream") or "streamGenerate" in path:
            self.tell(spoken.stream(SCENES[name]), cut=name == "cut")
        else:
            self.answer(200, spoken.whole(SCENES[name]))

    def answer(self, status: int, body: Any, *headers: tuple[str, str]) -> None:
        """A JSON answer."""
        data = json.dumps(body).encode()
        self.send_response(status)
        for key, value in (
            ("content-type", "application/json"),
            ("content-length", str(len(data))),
            *headers,
        ):
            self.send_header(key, value)
        self.end_headers()
        self.wfile.write(data)

    def tell(self, pieces: Iterator[Piece], *, cut: bool) -> None:
        """A stream; one that is cut ends with its connection, in the middle."""
        self.send_response(200)
        self.send_header("content-type", "text/event-stream")
        self.send_header("transfer-encoding", "chunked")
        self.end_headers()
        told = list(pieces)
        # what it takes to get to the first words, and not to the second
        for piece in told[: -(len(told) // 2)] if cut else told:
            data = piece.data
            if piece.name:
                data = {"type": piece.name, **data}
            head = f"event: {piece.name}\n" if piece.name else ""
            text = data if isinstance(data, str) else json.dumps(data)
            self.chunk(f"{head}data: {text}\n\n".encode())
        if cut:
            self.close_connection = True
        else:
            self.chunk(b"")

    def chunk(self, data: bytes) -> None:
        """One chunk of the chunked body; the empty one ends it."""
        self.wfile.write(b"%x\r\n%b\r\n" % (len(data), data))
        self.wfile.flush()


def start() -> http.server.ThreadingHTTPServer:
    """The scripted model on a free loopback port, in threads of its own."""
    Handler.asked.clear()
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return server


if __name__ == "__main__":
    running = start()
    print(running.server_address[1], flush=True)
    sys.stdin.read()
