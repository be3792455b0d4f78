"""The studies that are measured anew, cited once and for all: who wrote them, what they are called, where and when."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = [
    "BOULANGER",
    "FEINSTEIN",
    "FOREST",
    "INSA",
    "KNUTH",
    "NEUCHATEL",
    "OWN",
    "STUDIES",
    "UTRECHT",
    "Citation",
    "Publication",
]


@dataclass(frozen=True, slots=True)
class Publication:
    """A publication."""

    short: str
    """What it is called in a table."""
    authors: str
    title: str
    where: str
    """The kind of publication and the institution."""
    year: int | None = None

    def cite(self) -> str:
        """The whole reference.

        >>> INSA.cite().startswith("Eliott Georges, Izaak Aubert–Mécibah: “Analyse")
        True
        """
        authors = f"{self.authors}: " if self.authors else ""
        return f"{authors}“{self.title}”, {self.where}{f', {self.year}' if self.year else ''}"


UTRECHT = Publication(
    "Utrecht thesis",
    "Rixt de Vries",
    "Oplossingsalgoritmes voor Othello",
    "bachelorscriptie wiskunde, Universiteit Utrecht",
    2018,
)
INSA = Publication(
    "INSA report",
    "Eliott Georges, Izaak Aubert–Mécibah",
    "Analyse de différents algorithmes d'IA appliqués au jeu de plateau Othello",
    "rapport de travaux pratiques, INSA Hauts-de-France",
    2024,
)
BOULANGER = Publication(
    "Boulanger's report",
    "Elias Boulanger",
    "Intelligence artificielle appliquée au jeu d'Othello",
    "rapport de travaux pratiques, INSA Hauts-de-France",
    2024,
)
NEUCHATEL = Publication("Neuchâtel project", "", "Othello", "projet de bachelor, HE-Arc, Neuchâtel")
FOREST = Publication("FOREST manual", "Olivier Casile", "FOREST, mode d'emploi", "version 9.3", 2024)
FEINSTEIN = Publication("Feinstein", "Joel Feinstein", "6×6 Othello", "solved with his program MODOT", 1993)
KNUTH = Publication(
    "Knuth and Moore",
    "Donald E. Knuth, Ronald W. Moore",
    "An Analysis of Alpha-Beta Pruning",
    "Artificial Intelligence 6 (4), 293–326",
    1975,
)
OWN = Publication("our own study", "", "Othellier", "no publication")

STUDIES = (UTRECHT, INSA, BOULANGER, NEUCHATEL, FOREST, FEINSTEIN, KNUTH)
"""All that can be looked up: OWN is none of them."""


@dataclass(frozen=True, slots=True)
class Citation:
    """A place in a study."""

    study: Publication
    place: str = ""
    """A table, figure or section, in English."""
