"""The outcome for what the user should hear: the action could not do it, and this is why."""

from typing import Any


class Failed(Exception):
    """An action that could not be done, for a reason in the user's own terms; returned or raised by an action.

    `data` are JSON-able facts for whoever words or reads the result. Any other exception of an action is a failure
    of the system: its text never reaches the user.
    """

    def __init__(self, reason: str, /, **data: Any) -> None:
        super().__init__(reason)
        self.reason = reason
        self.data = data
