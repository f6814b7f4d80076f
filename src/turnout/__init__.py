"""turnout: an embeddable AI gateway. Importing it is cheap; what you touch is loaded on first use."""

from typing import TYPE_CHECKING, Any

__version__ = "0.1.0"

if TYPE_CHECKING:
    from . import actions, agents, errors, llm, model, plane, providers, serve, store, system1, wire
    from .actions import Failed, action
    from .agents import agent
    from .model import Answer, Context, Limits, Reply, Request
    from .providers import provider
    from .serve import Server, chat_completions
    from .serve.app import App

_HOMES = {
    "Answer": "model",
    "App": "serve.app",
    "Context": "model",
    "Failed": "actions",
    "Limits": "model",
    "Reply": "model",
    "Request": "model",
    "Server": "serve",
    "action": "actions",
    "agent": "agents",
    "chat_completions": "serve",
    "provider": "providers",
}
_ROOMS = frozenset(
    {"actions", "agents", "errors", "llm", "model", "plane", "providers", "serve", "store", "system1", "wire"}
)


def __getattr__(name: str) -> Any:
    from importlib import import_module

    if name in _ROOMS:
        return import_module(f".{name}", __name__)
    home = _HOMES.get(name)
    if home is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(import_module(f".{home}", __name__), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *_HOMES, *_ROOMS})


__all__ = [
    "Answer",
    "App",
    "Context",
    "Failed",
    "Limits",
    "Reply",
    "Request",
    "Server",
    "action",
    "actions",
    "agent",
    "agents",
    "chat_completions",
    "errors",
    "llm",
    "model",
    "plane",
    "provider",
    "providers",
    "serve",
    "store",
    "system1",
    "wire",
]
