"""Text in LaTeX."""

from __future__ import annotations

from wordorder.draw.labels import visible

_ESCAPED = {c: f"\\{c}" for c in "&%$#_{}"} | {
    "~": r"\textasciitilde{}", "^": r"\textasciicircum{}", "\\": r"\textbackslash{}",
    "↓": r"$\downarrow$", "±": r"$\pm$", "<": "$<$", ">": "$>$", "|": "$|$", "−": "$-$", "→": r"$\to$",
    "⟨": r"$\langle$", "⟩": r"$\rangle$", "×": r"$\times$", "·": r"$\cdot$", "…": r"\ldots{}",
}  # fmt: skip


def escape_latex(text: str) -> str:
    r"""Escape a text so that LaTeX prints it as it is.

    >>> print(escape_latex(r"50 % of \x_1"), escape_latex("⟨2,1⟩"))
    50 \% of \textbackslash{}x\_1 $\langle$2,1$\rangle$
    """
    return "".join(_ESCAPED.get(character, character) for character in visible(text))
