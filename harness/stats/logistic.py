"""Logistic regression with a ridge, for the few coefficients that the product keeps as constants."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

_STEPS = 20
_MAX_STEP = 3.0
_START = -4.0  # of the intercept: what is looked for is rare

Floats = npt.NDArray[np.float64]


def ridge_logistic(x: Floats, share: Floats, weight: Floats, ridge: float) -> Floats:
    """float64[k + 1], intercept and coefficients, by Newton's method on standardised columns.

    Args:
        x: float64[n, k].
        share: float64[n], 0..1, how much of each example is positive.
        weight: float64[n], of each example.
        ridge: Penalty on the squared coefficients of the standardised columns; the intercept has none.
    """
    mean, deviation = x.mean(0), x.std(0) + 1e-9
    z = np.column_stack([np.ones(len(x)), (x - mean) / deviation])
    penalty = ridge * np.eye(z.shape[1])
    penalty[0, 0] = 0.0
    theta = np.zeros(z.shape[1])
    theta[0] = _START
    for _ in range(_STEPS):
        p = 1.0 / (1.0 + np.exp(-(z @ theta)))
        slope = z.T @ (weight * (p - share)) + penalty @ theta
        curve = (z * (weight * np.maximum(p * (1.0 - p), 1e-6))[:, None]).T @ z + penalty
        step = np.linalg.solve(curve, slope)
        theta = theta - step * min(1.0, _MAX_STEP / max(1e-12, float(np.abs(step).max())))
    coefficients = theta[1:] / deviation
    return np.concatenate([[theta[0] - float(coefficients @ mean)], coefficients])
