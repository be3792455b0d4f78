"""Tables for a paper: LaTeX, with the package booktabs."""

from __future__ import annotations

from othellier.lab.experiment import Measured, Table, Value
from othellier.lab.words import Words

__all__ = ["latex_table"]

SPECIAL = {
    "\\": r"\textbackslash{}",
    "&": r"\&",
    "%": r"\%",
    "$": r"\$",
    "#": r"\#",
    "_": r"\_",
    "{": r"\{",
    "}": r"\}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "–": "--",
    "−": "$-$",
    "±": r"$\pm$",
    "×": r"$\times$",
    "⌈": r"$\lceil$",
    "⌉": r"$\rceil$",
    "⌊": r"$\lfloor$",
    "⌋": r"$\rfloor$",
    "→": r"$\to$",
    "√": r"$\surd$",
    "µ": r"\textmu{}",
    "…": r"\ldots{}",
    "\N{NARROW NO-BREAK SPACE}": r"\,",
}


def _text(words: str) -> str:
    return "".join(SPECIAL.get(sign, sign) for sign in words)


def _cell(value: Value, say: Words) -> str:
    if value is None:
        return "--"
    if isinstance(value, str):
        return _text(value)
    if isinstance(value, Measured):
        middle, low, high = say.measured(*value)
        return _text(f"{middle} [{low}{say.between}{high}]")
    return _text(say.number(value))


def latex_table(table: Table, say: Words) -> str:
    r"""A table with its caption and a label, to be read in by `\input`.

    >>> print(latex_table(Table("t", "50 % & more", ("a_1", "n"), [("x", 1234)]), Words()))
    % \usepackage{booktabs}
    \begin{table}
    \centering
    \caption{50 \% \& more}
    \label{tab:t}
    \begin{tabular}{lr}
    \toprule
    a\_1 & n \\
    \midrule
    x & 1,234 \\
    \bottomrule
    \end{tabular}
    \end{table}
    <BLANKLINE>
    """
    words = [
        all(row[index] is None or isinstance(row[index], str) for row in table.rows)
        for index in range(len(table.heading))
    ]
    lines = [
        r"% \usepackage{booktabs}",
        r"\begin{table}",
        r"\centering",
        rf"\caption{{{_text(table.title)}}}",
        rf"\label{{tab:{table.name}}}",
        rf"\begin{{tabular}}{{{''.join('l' if one else 'r' for one in words)}}}",
        r"\toprule",
        " & ".join(map(_text, table.heading)) + r" \\",
        r"\midrule",
        *(" & ".join(_cell(value, say) for value in row) + r" \\" for row in table.rows),
        r"\bottomrule",
        r"\end{tabular}",
        r"\end{table}",
        "",
    ]
    return "\n".join(lines)
