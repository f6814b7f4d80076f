"""Exact statistics of counts: how sure a share is that was seen as `hits` of `trials`.

Strategy: the tails of the binomial distribution are the incomplete beta function, computed by its continued fraction
(DLMF 8.17.22, evaluated as in Lentz 1976); bounds invert them by bisection. No approximation by the normal
distribution where a promise hangs on it.
"""

import math
from functools import lru_cache
from typing import Final

_TINY: Final = 1e-300
_CLOSE: Final = 1e-14
_MOST_TERMS: Final = 10_000
_HALVINGS: Final = 45


def at_most(hits: int, trials: int, share: float) -> float:
    """The probability of at most `hits` in `trials` when each is one with probability `share`."""
    if hits >= trials or share <= 0.0:
        return 1.0
    if hits < 0 or share >= 1.0:
        return 0.0
    return 1.0 - _beta(hits + 1, trials - hits, share)


@lru_cache(maxsize=65_536)
def upper(hits: int, trials: int, error: float) -> float:
    """The largest share that `hits` of `trials` leave possible (Clopper-Pearson, one-sided).

    The true share is above it with probability `error` at most. Nothing tried leaves everything possible: 1.
    """
    if hits >= trials:
        return 1.0
    low, high = hits / trials, 1.0
    for _ in range(_HALVINGS):
        middle = (low + high) / 2
        if at_most(hits, trials, middle) > error:
            low = middle
        else:
            high = middle
    return high


def lower(hits: int, trials: int, error: float) -> float:
    """The smallest share that `hits` of `trials` leave possible; see `upper`."""
    return 1.0 - upper(trials - hits, trials, error)


def wilson(hits: int, trials: int, z: float = 1.96) -> tuple[float, float]:
    """The interval of shares that fit, by Wilson's score; `z` = 1.96 stands for 95 %. For reports, not for promises."""
    if trials == 0:
        return 0.0, 1.0
    share = hits / trials
    scale = 1 + z * z / trials
    middle = (share + z * z / (2 * trials)) / scale
    half = z * math.sqrt(share * (1 - share) / trials + z * z / (4 * trials * trials)) / scale
    return max(0.0, middle - half), min(1.0, middle + half)


def _beta(a: float, b: float, x: float) -> float:
    """The regularised incomplete beta function I_x(a, b), for 0 < x < 1."""
    if x > (a + 1) / (a + b + 2):
        return 1.0 - _beta_left(b, a, 1.0 - x)
    return _beta_left(a, b, x)


def _beta_left(a: float, b: float, x: float) -> float:
    log_front = math.lgamma(a + b) - math.lgamma(a) - math.lgamma(b) + a * math.log(x) + b * math.log1p(-x)
    ratio, inverse = 1.0, 1.0 / _away(1.0 - (a + b) * x / (a + 1))
    value = inverse
    for term in range(1, _MOST_TERMS):
        even = term * (b - term) * x / ((a + 2 * term - 1) * (a + 2 * term))
        inverse = 1.0 / _away(1.0 + even * inverse)
        ratio = _away(1.0 + even / ratio)
        value *= inverse * ratio
        odd = -(a + term) * (a + b + term) * x / ((a + 2 * term) * (a + 2 * term + 1))
        inverse = 1.0 / _away(1.0 + odd * inverse)
        ratio = _away(1.0 + odd / ratio)
        step = inverse * ratio
        value *= step
        if abs(step - 1.0) < _CLOSE:
            break
    return math.exp(log_front) * value / a


def _away(value: float) -> float:
    """The value, kept off zero."""
    return value if abs(value) > _TINY else _TINY
