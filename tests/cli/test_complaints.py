"""Errors in French: each pattern is that of a message the program has, and messages are told whole."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from othellier.cli import main
from othellier.messages import language
from othellier.messages.complaints import FIELD, complaint, complaint_patterns

PACKAGE = Path(__file__).parents[2] / "src" / "othellier"
OF_TYPER = ("No such ", "Missing ", "Option ", "Got unexpected ", "Invalid value ", "Input should ")
OF_THE_SYSTEM = (
    "no such file or directory",
    "permission denied",
    "is a directory",
    "not a directory",
    "file exists",
    "no space left on device",
    "read-only file system",
    "address already in use",
)


@pytest.fixture
def french() -> Iterator[None]:
    language.choose_language(["--language", "fr"])
    yield
    language.choose_language(["--language", "en"])


def texts() -> Iterator[str]:
    """Every text of the program, a star for each value in it."""
    for path in PACKAGE.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                yield node.value
            elif isinstance(node, ast.JoinedStr):
                yield "".join(str(part.value) if isinstance(part, ast.Constant) else "*" for part in node.values)


def test_every_pattern_is_that_of_a_message() -> None:
    """Word by word, the values left out; what is put together of several texts is found by its parts."""
    known = [re.sub(r"\W+", " ", text) for text in texts()]
    strange = []
    for pattern in complaint_patterns("fr"):
        if pattern.startswith(OF_TYPER) or pattern.lower() in OF_THE_SYSTEM:
            continue
        pieces = [re.sub(r"\W+", " ", piece).strip() for piece in re.split(r"\{\w+\}|: |, did|, known|, none", pattern)]
        strange += [pattern for piece in pieces if not any(piece in text for text in known)]
    assert strange == []


def test_values_are_neither_lost_nor_made_up() -> None:
    for pattern, words in complaint_patterns("fr").items():
        assert sorted(FIELD.findall(pattern)) == sorted(FIELD.findall(words)), pattern


@pytest.mark.parametrize(
    ("message", "words"),
    [
        ("nothing.obf: no such file", "nothing.obf : ce fichier n'existe pas"),
        (
            "text, line 1, ply 2: illegal move a1: it flips nothing",
            "texte, ligne 1, coup 2 : coup illégal a1 : il ne retourne rien",
        ),
        (
            "text, line 1, character 5: 'X9' is not a move on a board of size 8",
            "texte, ligne 1, caractère 5 : 'X9' n'est pas un coup sur un plateau de 8",
        ),
        (
            "mine.py:bad lost 2 games in a row by errors, which ends the match: bad played a1, which is illegal "
            "(-----OX--XO----- X)",
            "mine.py:bad a perdu 2 parties de suite par erreur, ce qui met fin au match : bad a joué a1, qui est "
            "illégal (-----OX--XO----- X)",
        ),
        (
            "Mine answered nodes=-1: a number from 0 to 9 expected (-----OX--XO----- X)",
            "Mine a répondu nodes=-1 : un nombre de 0 à 9 est attendu (-----OX--XO----- X)",
        ),
        ("games.ggf, line 3: nobody has words for this", "games.ggf, line 3: nobody has words for this"),
    ],
)
def test_a_message_is_told_whole_or_left(french: None, message: str, words: str) -> None:
    assert complaint(message) == words


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ("plya", "il n'y a pas de commande 'plya'. Vouliez-vous dire 'play' ?"),
        ("evaluate --size 8 --depth 0", "valeur impossible pour '--depth' : 1 est le minimum"),
        ("evaluate --size 8 --depth x", "valeur impossible pour '--depth' : un nombre entier est attendu"),
        ("match random random:seed=x", "joueur 'random:seed=x' : option seed=x : il faut un nombre entier"),
        ("match random pvs:depth=99", "joueur 'pvs:depth=99' : depth=99 : un nombre de 1 à 60 est attendu"),
        ("solve --size 7", "valeur impossible pour '--size' : taille 7x7 : les côtés sont pairs, de 4 à 12"),
    ],
)
def test_commands_complain_in_french(capsys: pytest.CaptureFixture[str], arguments: str, words: str) -> None:
    try:
        assert main(["--language", "fr", *arguments.split()]) == 2
    finally:
        language.choose_language(["--language", "en"])
    assert capsys.readouterr().err == f"othellier: {words}\n"
