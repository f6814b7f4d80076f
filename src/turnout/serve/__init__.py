"""The protocol server: any step behind every protocol that is built, as an ASGI app."""

from .handler import Handler, chat_completions
from .outlet import Pace
from .routes import ROWS, Row
from .server import Server
from .settings import Settings
from .write import write_response

__all__ = ["ROWS", "Handler", "Pace", "Row", "Server", "Settings", "chat_completions", "write_response"]
