"""What rows for the model teach, beside the examples: in which direction texts are less ours than they look.

Strategy: logistic regression on the vectors, with the first score as a given part of the sum, so that the rows correct
it and need not learn it anew. Both kinds of rows weigh the same, however many there are of each; on average the texts
that ask for actions stay where they are, and thresholds keep their scale.
"""

from typing import Final

import numpy as np
from numpy.typing import NDArray

from .heads import Floats, least
from .scores import Lean

_STEEP: Final = 25.0
"""Log odds for a score that is greater by one, as found on several sets."""
_SCALE: Final = 4.0
_DECAY: Final = 0.005
_STEPS: Final = 60
_DIGITS: Final = 5
FEWEST: Final = 20
"""Rows of each kind below which nothing is learned."""


def learned(vectors: Floats, ours: Floats, asks: NDArray[np.bool_]) -> Lean | None:
    """The correction that tells the rows that ask for actions from the others best; `None` for too few of a kind.

    `vectors` has a row per text, `ours` its first score, `asks` whether it asks for an action.
    """
    asking = int(asks.sum())
    if min(asking, len(asks) - asking) < FEWEST:
        return None
    x = np.hstack([vectors * np.float32(_SCALE), np.ones((len(vectors), 1), np.float32)])
    given = np.float32(_STEEP) * (ours - ours.mean())
    weight = np.where(asks, 1 / asking, 1 / (len(asks) - asking)).astype(np.float32)
    sign = np.where(asks, -1, 1).astype(np.float32)
    shrink = np.full((x.shape[1], 1), _DECAY, np.float32)
    shrink[-1] = 0

    def loss(weights: Floats) -> tuple[float, Floats]:
        wrongly = sign * ((x @ weights)[:, 0] + given)
        told = weight * np.logaddexp(np.float32(0), wrongly)
        slope = weight * sign / (1 + np.exp(-wrongly))
        size = float(0.5 * (shrink * weights**2).sum())
        return float(told.sum()) + size, (x.T @ slope)[:, None] + shrink * weights

    found = least(loss, np.zeros((x.shape[1], 1), np.float32), _STEPS)[:-1, 0] * np.float32(_SCALE / _STEEP)
    weights = np.round(found.astype(np.float64), _DIGITS)
    constant = -float((vectors[asks] @ weights).mean())
    return Lean(constant=round(constant, _DIGITS), weights=tuple(weights.tolist()))
