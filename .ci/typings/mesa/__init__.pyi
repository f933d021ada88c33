"""The types of the parts of Mesa that we use, whose package does not offer its own.

An agent's `model` has no type here: each class of ours says what it expects of its model.
"""

from collections.abc import Callable, Mapping
from typing import Any, TypeVar

import pandas as pd

M = TypeVar("M")

class Agent:
    def __init__(self, model: object) -> None: ...

class Model:
    running: bool
    @property
    def agents(self) -> Any: ...
    def __init__(self, *, rng: int | None = ...) -> None: ...

class DataCollector:
    model_vars: dict[str, list[float]]
    def __init__(
        self,
        model_reporters: Mapping[str, Callable[[M], float]],
        *,
        agenttype_reporters: Mapping[type[Agent], Mapping[str, Callable[[Any], float]]] = ...,
    ) -> None: ...
    def collect(self, model: object) -> None: ...
    def get_model_vars_dataframe(self) -> pd.DataFrame: ...
