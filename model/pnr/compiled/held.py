"""How a compiled function is handed the world by Python: by the address of a description.

Numba asks each array of a tuple for its type and its place whenever it is handed over, which takes
longer than most functions that a message needs. Here that is written down once, as Numba itself
would have it in memory, and a function is given the address as a number.
"""

from typing import Any

import numba.extending
import numpy as np
from numba.core import types

from model.pnr.compiled.records import World

_numba: Any = numba.extending  # which has no types


class Held(types.NamedTuple):
    """The type of a tuple of arrays whose description is at an address."""


def _type_of(world: World, context: Any) -> Any:
    held: Any = Held
    return held([_numba.typeof_impl(array, context) for array in world], World)


def _look_up(held: Held, address: Any, compiler: Any) -> Any:
    place = compiler.pyapi.long_as_voidptr(address)
    described = compiler.context.get_value_type(held).as_pointer()
    return _numba.NativeValue(compiler.builder.load(compiler.builder.bitcast(place, described)))


_numba.register_model(Held)(_numba.models.TupleModel)
_numba.typeof_impl.register(World)(_type_of)
_numba.unbox(Held)(_look_up)


def description(world: World) -> np.ndarray:
    """What Numba keeps of each array: two pointers that are not used, its size, and its place."""
    numbers: list[int] = []
    for array in world:
        numbers += (0, 0, array.size, array.itemsize, array.ctypes.data)
        numbers += array.shape + array.strides
    return np.array(numbers, np.int64)
