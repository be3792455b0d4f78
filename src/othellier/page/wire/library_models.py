"""What the library is asked and answers about many games at once: collections, selections."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, StringConstraints

from othellier.base.text import clean_line

MOST = 10_000
"""Games named one by one; a search finds more."""
Ending = Literal["black", "white", "draw", "unfinished"]
GameOrigin = Literal["played", "imported"]
_Id = Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9_-]{1,40}$")]
_MaybeId = Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9_-]{0,40}$")]
_Words = Annotated[str, StringConstraints(max_length=200)]
_Name = Annotated[
    str, StringConstraints(strip_whitespace=True, max_length=80), AfterValidator(clean_line), Field(min_length=1)
]


class CollectionName(BaseModel):
    """What a collection is to be called."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    name: _Name


class Selection(BaseModel):
    """Something to be done to several games: those named, else all that a search finds."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    do: Literal["delete", "restore", "collect", "take_out", "analyse"]
    games: Annotated[list[_Id], Field(max_length=MOST)] | None = None
    search: _Words = ""
    tag: _Words = ""
    result: Ending | None = None
    source: GameOrigin | None = None
    collection: _MaybeId = ""
    into: _MaybeId = ""
    """The collection they are put into or taken out of."""
    moment: Annotated[float, Field(allow_inf_nan=False)] | None = None
    """When those to be restored were deleted."""


class Selected(BaseModel):
    """How many games something was done to."""

    games: int
    moment: float | None = None
    """When they were deleted, to undo that."""
    job: str | None = None
    """Their analysis, to be asked about."""


class CollectionView(BaseModel):
    """A collection and how many games are in it."""

    collection: str
    name: str
    games: int


class CollectionList(BaseModel):
    """One's collections, by name."""

    collections: list[CollectionView]
