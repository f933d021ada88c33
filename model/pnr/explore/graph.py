"""The graph of a search: what cannot be saved any more, how likely ruin is, who waits in a circle.

States are numbered from 0; the steps from one state to another are two arrays of numbers, of the
states where they begin and where they end.
"""

import numpy as np
import numpy.typing as npt
from scipy.sparse import coo_array, csr_array, eye_array
from scipy.sparse.linalg import spsolve

Numbers = npt.NDArray[np.int64]
Which = npt.NDArray[np.bool_]

UNREACHABLE = -1


def matrix_of(begins: Numbers, ends: Numbers, states: int) -> csr_array:
    """How many steps lead from a state (row) to another (column)."""
    ones = np.ones(len(begins))
    return coo_array((ones, (begins, ends)), shape=(states, states)).tocsr()


def steps_to(wanted: Which, begins: Numbers, ends: Numbers) -> Numbers:
    """By state, how many steps it takes at least to a state that is wanted; UNREACHABLE if none
    leads there."""
    states = len(wanted)
    distance = np.where(wanted, 0, UNREACHABLE).astype(np.int64)
    into = matrix_of(ends, begins, states)  # from where steps lead, by where they lead
    level, steps = np.flatnonzero(wanted), 0
    while len(level):
        steps += 1
        reached = np.unique(into[level].indices)
        level = reached[distance[reached] == UNREACHABLE]
        distance[level] = steps
    return distance


def chance_of(ruin: Which, good: Which, begins: Numbers, ends: Numbers) -> npt.NDArray[np.float64]:
    """By state, the probability that ruin comes before a good end, if of the steps that are
    possible each is as likely as any other.

    A Markov chain whose absorbing states are those of ruin and the good ends: from each other
    state, one of these must be reachable.
    """
    states = len(ruin)
    chance = ruin.astype(float)
    open_states = np.flatnonzero(~(ruin | good))
    if not len(open_states):
        return chance
    steps = matrix_of(begins, ends, states)[open_states]
    likely = steps.multiply(1 / steps.sum(axis=1)[:, None]).tocsr()
    within = eye_array(len(open_states)) - likely[:, open_states]
    chance[open_states] = spsolve(within.tocsc(), likely @ chance)
    return chance
