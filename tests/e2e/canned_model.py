"""A canned chat model in the standard library alone, so that no code of ours judges itself.

The last message's text picks the scene; every answer is written here by hand. Run as a program it prints the port.
"""

import http.server
import json
import sys
import threading
from typing import Any, ClassVar

CREATED = 1_790_000_000
USAGE = {"prompt_tokens": 11, "completion_tokens": 5, "total_tokens": 16}
CALLS = [
    {"id": "call_a", "type": "function", "function": {"name": "get_weather", "arguments": '{"city":"Rome"}'}},
    {"id": "call_b", "type": "function", "function": {"name": "get_weather", "arguments": '{"city":"Oslo"}'}},
]


def scene(request: dict[str, Any]) -> str:
    """What the last message asks the model to play."""
    content = request["messages"][-1].get("content") or ""
    if isinstance(content, list):
        kinds = [part["type"] for part in content]
        return "image" if "image_url" in kinds else content[0]["text"]
    return content


def message(name: str) -> tuple[dict[str, Any], str]:
    """The assistant's message of a scene, and its finish reason."""
    match name:
        case "tool":
            return {"role": "assistant", "content": None, "tool_calls": CALLS[:1]}, "tool_calls"
        case "parallel":
            return {"role": "assistant", "content": None, "tool_calls": CALLS}, "tool_calls"
        case "json":
            return {"role": "assistant", "content": '{"city":"Rome","degrees":21}'}, "stop"
        case "image":
            return {"role": "assistant", "content": "a red square"}, "stop"
        case "refuse":
            return {"role": "assistant", "content": None, "refusal": "No, sorry."}, "stop"
        case _:
            return {"role": "assistant", "content": "Hello from the model"}, "stop"


def deltas(said: dict[str, Any]) -> list[dict[str, Any]]:
    """The same message in pieces."""
    out: list[dict[str, Any]] = [{"role": "assistant", "content": None if said["content"] is None else ""}]
    if said.get("refusal"):
        out += [{"refusal": word} for word in ("No,", " sorry.")]
    for word in (said["content"] or "").replace(" ", "\0 ").split("\0"):
        if word:
            out.append({"content": word})
    for index, call in enumerate(said.get("tool_calls", ())):
        head = {"index": index, "id": call["id"], "type": "function"}
        out.append({"tool_calls": [head | {"function": {"name": call["function"]["name"], "arguments": ""}}]})
        arguments = call["function"]["arguments"]
        for piece in (arguments[:6], arguments[6:]):
            out.append({"tool_calls": [{"index": index, "function": {"arguments": piece}}]})
    return out


class Handler(http.server.BaseHTTPRequestHandler):
    """One connection; what was asked is kept on the class for the tests to read."""

    protocol_version = "HTTP/1.1"
    requests: ClassVar[list[dict[str, Any]]] = []
    gone: ClassVar[threading.Event] = threading.Event()
    hold: ClassVar[threading.Event] = threading.Event()
    left: ClassVar[list[str]] = []

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002 -- the name in the base class
        """Say nothing."""

    def do_GET(self) -> None:
        """The list of models, and what was asked so far."""
        if self.path == "/seen":
            seen = {"requests": self.requests, "gone": self.gone.is_set(), "left": len(self.left)}
            self.answer(200, seen)
        elif self.path.endswith("/models"):
            self.answer(200, {"object": "list", "data": [
                {"id": "canned", "object": "model", "created": CREATED, "owned_by": "tests"}]})  # fmt: skip
        else:
            self.answer(404, {"error": {"message": "no", "type": "x", "param": None, "code": None}})

    def do_POST(self) -> None:
        """Play a scene."""
        body = self.rfile.read(int(self.headers["content-length"]))
        request = json.loads(body)
        self.requests.append({"headers": dict(self.headers), "body": body.decode(), "path": self.path})
        name = scene(request)
        if name == "limited":
            error = {
                "message": "slow down",
                "type": "rate_limit_error",
                "param": None,
                "code": "rate_limit_exceeded",
            }
            self.answer(429, {"error": error}, [("retry-after", "7")])
        elif name == "broken":
            self.answer(
                500, {"error": {"message": "oops", "type": "server_error", "param": None, "code": None}}
            )
        elif name == "never":
            self.wait_for_leaving()
        elif request.get("stream"):
            self.stream(request, name)
        else:
            self.whole(request, name)

    def answer(self, status: int, body: Any, headers: list[tuple[str, str]] | None = None) -> None:
        """A JSON answer."""
        data = json.dumps(body).encode()
        self.send_response(status)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(data)))
        for key, value in headers or []:
            self.send_header(key, value)
        self.end_headers()
        self.wfile.write(data)

    def whole(self, request: dict[str, Any], name: str) -> None:
        """The whole answer of a scene."""
        said, reason = message(name)
        choice = {"index": 0, "message": said, "finish_reason": reason, "logprobs": None}
        self.answer(200, {"id": "chatcmpl-1", "object": "chat.completion", "created": CREATED, "usage": USAGE,
                          "model": request["model"], "choices": [choice]})  # fmt: skip

    def stream(self, request: dict[str, Any], name: str) -> None:
        """The streamed answer of a scene; `endless` goes on until the reader leaves."""
        self.send_response(200)
        self.send_header("content-type", "text/event-stream")
        self.send_header("transfer-encoding", "chunked")
        self.end_headers()
        base = {
            "id": "chatcmpl-1",
            "object": "chat.completion.chunk",
            "created": CREATED,
            "model": request["model"],
        }
        said, reason = message(name)
        for delta in deltas(said):
            self.event(base | {"choices": [{"index": 0, "delta": delta, "finish_reason": None}]})
        if name == "endless":
            self.wait_for_leaving()
            return
        if name == "cut":
            self.close_connection = True
            return
        self.event(base | {"choices": [{"index": 0, "delta": {}, "finish_reason": reason}]})
        if (request.get("stream_options") or {}).get("include_usage"):
            self.event(base | {"choices": [], "usage": USAGE})
        self.chunk(b"data: [DONE]\n\n")
        self.chunk(b"")

    def event(self, data: Any) -> None:
        """One event in one chunk."""
        self.chunk(b"data: " + json.dumps(data).encode() + b"\n\n")

    def chunk(self, data: bytes) -> None:
        """One chunk of the chunked body; the empty one ends it."""
        self.wfile.write(b"%x\r\n%b\r\n" % (len(data), data))
        self.wfile.flush()

    def wait_for_leaving(self) -> None:
        """Say nothing more; note when the other side closes."""
        self.connection.settimeout(20)
        if self.connection.recv(1) == b"":
            self.left.append(self.path)
            self.gone.set()
        self.close_connection = True


def start() -> http.server.ThreadingHTTPServer:
    """A canned model on a free loopback port, in threads of its own."""
    Handler.requests.clear()
    Handler.gone.clear()
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return server


if __name__ == "__main__":
    running = start()
    print(running.server_address[1], flush=True)
    sys.stdin.read()
