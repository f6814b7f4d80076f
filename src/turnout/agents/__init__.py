"""Agents of the application's own: logic that runs in process, written once, and served through every protocol."""

from .adaptation import adapt, is_agent
from .checking import checked
from .emission import Emit
from .marking import Marked, agent, info_of, marked, marked_in
from .permission import Run

__all__ = ["Emit", "Marked", "Run", "adapt", "agent", "checked", "info_of", "is_agent", "marked", "marked_in"]
