"""A canned model that speaks Anthropic Messages, in the standard library alone, so that no code of ours judges itself.

The last text of the last message picks the scene; every answer is written here by hand.
"""

import http.server
import json
import threading
from typing import Any, ClassVar

USAGE = {
    "input_tokens": 9,
    "cache_read_input_tokens": 100,
    "cache_creation_input_tokens": 30,
    "cache_creation": {"ephemeral_5m_input_tokens": 10, "ephemeral_1h_input_tokens": 20},
    "output_tokens": 7,
    "output_tokens_details": {"thinking_tokens": 2},
}
THOUGHT = {"type": "thinking", "thinking": "Rome is sunny, I guess.", "signature": "c2lnbmVk"}
CALLS = [
    {"type": "tool_use", "id": "toolu_a", "name": "get_weather", "input": {"city": "Rome"}},
    {"type": "tool_use", "id": "toolu_b", "name": "get_weather", "input": {"city": "Oslo"}},
]


def scene(request: dict[str, Any]) -> str:
    """What the last message asks the model to play."""
    content = request["messages"][-1]["content"]
    if isinstance(content, str):
        return content
    kinds = [block["type"] for block in content]
    for kind in ("tool_result", "image", "document"):
        if kind in kinds:
            return kind
    return content[-1]["text"]


def blocks(name: str) -> tuple[list[dict[str, Any]], str]:
    """The content of a scene, and its stop reason."""
    match name:
        case "tool":
            return [THOUGHT, {"type": "text", "text": "Let me look."}, CALLS[0]], "tool_use"
        case "parallel":
            return [*CALLS], "tool_use"
        case "json":
            return [{"type": "text", "text": '{"city":"Rome","degrees":21}'}], "end_turn"
        case "image":
            return [{"type": "text", "text": "a red square"}], "end_turn"
        case "document":
            return [{"type": "text", "text": "a short report"}], "end_turn"
        case "tool_result":
            return [{"type": "text", "text": "It is sunny."}], "end_turn"
        case "refuse":
            return [], "refusal"
        case "long":
            return [{"type": "text", "text": "Once upon"}], "max_tokens"
        case _:
            return [{"type": "text", "text": "Hello from Claude"}], "end_turn"


def details(reason: str) -> dict[str, Any] | None:
    """Why it refused."""
    if reason != "refusal":
        return None
    return {"type": "refusal", "category": "bio", "explanation": "No, sorry."}


def events(content: list[dict[str, Any]]) -> list[tuple[str, dict[str, Any]]]:
    """The same content in pieces."""
    out: list[tuple[str, dict[str, Any]]] = []
    for index, block in enumerate(content):
        deltas: list[dict[str, Any]] = []
        match block["type"]:
            case "text":
                shell = {"type": "text", "text": ""}
                words = block["text"]
                deltas = [{"type": "text_delta", "text": piece} for piece in (words[:4], words[4:])]
            case "thinking":
                shell = {"type": "thinking", "thinking": "", "signature": ""}
                deltas = [
                    {"type": "thinking_delta", "thinking": block["thinking"]},
                    {"type": "signature_delta", "signature": block["signature"]},
                ]
            case _:
                shell = {**block, "input": {}}
                given = json.dumps(block["input"])
                pieces = ("", given[:5], given[5:])
                deltas = [{"type": "input_json_delta", "partial_json": piece} for piece in pieces]
        out.append(("content_block_start", {"index": index, "content_block": shell}))
        out += [("content_block_delta", {"index": index, "delta": delta}) for delta in deltas]
        out.append(("content_block_stop", {"index": index}))
    return out


class Handler(http.server.BaseHTTPRequestHandler):
    """One connection; what was asked is kept on the class for the tests to read."""

    protocol_version = "HTTP/1.1"
    requests: ClassVar[list[dict[str, Any]]] = []

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002 -- the name in the base class
        """Say nothing."""

    def do_POST(self) -> None:
        """Play a scene."""
        body = json.loads(self.rfile.read(int(self.headers["content-length"])))
        self.requests.append({"headers": dict(self.headers), "body": body, "path": self.path})
        if "count_tokens" in self.path:
            self.answer(200, {"input_tokens": 42})
            return
        name = scene(body)
        if name == "limited":
            self.fail(429, "rate_limit_error", [("retry-after", "7")])
        elif name == "overloaded":
            self.fail(529, "overloaded_error")
        elif body.get("stream"):
            self.stream(body, name)
        else:
            content, reason = blocks(name)
            self.answer(
                200,
                {
                    **self.head(body),
                    "content": content,
                    "stop_reason": reason,
                    "stop_details": details(reason),
                    "usage": USAGE,
                },
            )

    def head(self, body: dict[str, Any]) -> dict[str, Any]:
        """What every message has."""
        return {
            "id": "msg_1",
            "type": "message",
            "role": "assistant",
            "model": body["model"],
            "stop_sequence": None,
        }

    def fail(self, status: int, kind: str, headers: list[tuple[str, str]] | None = None) -> None:
        """An error answer."""
        error = {"type": kind, "message": "not now"}
        self.answer(status, {"type": "error", "error": error, "request_id": "req_1"}, headers)

    def answer(self, status: int, body: Any, headers: list[tuple[str, str]] | None = None) -> None:
        """A JSON answer."""
        data = json.dumps(body).encode()
        self.send_response(status)
        pairs = [("content-type", "application/json"), ("content-length", str(len(data)))]
        for key, value in [*pairs, ("request-id", "req_1"), *(headers or [])]:
            self.send_header(key, value)
        self.end_headers()
        self.wfile.write(data)

    def stream(self, body: dict[str, Any], name: str) -> None:
        """The streamed answer of a scene; `cut` and `stumble` end in the middle."""
        self.send_response(200)
        self.send_header("content-type", "text/event-stream")
        self.send_header("transfer-encoding", "chunked")
        self.end_headers()
        content, reason = blocks(name)
        start = {"input_tokens": 9, "output_tokens": 1}
        message = {**self.head(body), "content": [], "stop_reason": None, "usage": start}
        self.event("message_start", {"message": message})
        self.event("ping", {})
        told = events(content)
        for kind, members in told[: 3 if name in ("cut", "stumble") else None]:
            self.event(kind, members)
        if name == "stumble":
            error = {"type": "overloaded_error", "message": "not now"}
            self.event("error", {"error": error})
            self.chunk(b"")
            return
        if name == "cut":
            self.close_connection = True
            return
        end = {"stop_reason": reason, "stop_sequence": None, "stop_details": details(reason)}
        usage = {name: count for name, count in USAGE.items() if name != "cache_creation"}
        self.event("message_delta", {"delta": end, "usage": usage})
        self.event("message_stop", {})
        self.chunk(b"")

    def event(self, kind: str, members: dict[str, Any]) -> None:
        """One event in one chunk."""
        self.chunk(f"event: {kind}\ndata: {json.dumps({'type': kind, **members})}\n\n".encode())

    def chunk(self, data: bytes) -> None:
        """One chunk of the chunked body; the empty one ends it."""
        self.wfile.write(b"%x\r\n%b\r\n" % (len(data), data))
        self.wfile.flush()


def start() -> http.server.ThreadingHTTPServer:
    """The canned model on a free loopback port, in threads of its own."""
    Handler.requests.clear()
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return server
