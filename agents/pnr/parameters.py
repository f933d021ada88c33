"""In which ranges the numbers of designs are; a name that gives another is refused."""

from typing import Annotated

from pydantic import Field

Seconds = Annotated[float, Field(ge=1e-9, le=10**8)]  # for which a timer can be set
Share = Annotated[float, Field(ge=0, le=1)]
Times = Annotated[float, Field(ge=0)]  # of something, as a factor
Count = Annotated[int, Field(ge=1, le=10**6)]
Several = Annotated[int, Field(ge=0, le=10**6)]  # or none
