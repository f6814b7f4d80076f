"""`turnout demo`: the main job, offline and without keys."""

from .command import command

__all__ = ["command"]
