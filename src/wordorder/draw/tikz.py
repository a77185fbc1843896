"""Write scenes as TikZ pictures, for LaTeX."""

from __future__ import annotations

from collections.abc import Iterator

from wordorder.draw.labels import is_right_to_left
from wordorder.draw.latex import escape_latex
from wordorder.draw.scene import Box, Group, Item, Label, Path, Scene
from wordorder.draw.style import Appearance, look_of
from wordorder.draw.svg import decimal

_POINTS = 0.75  # per pixel
_ANCHORS = {"left": "base west", "middle": "base", "right": "base east"}
_DOCUMENT = """\
% Latin text compiles with any LaTeX. Other scripts need lualatex or xelatex and a font that has them:
% replace the line of \\setmainfont, for example by \\setmainfont{Noto Sans CJK JP}.
\\documentclass[tikz,border=2mm]{standalone}
\\usepackage{iftex}
\\ifPDFTeX\\else\\usepackage{fontspec}\\fi
%\\setmainfont{Noto Sans}
\\begin{document}
%s\\end{document}
"""
# Words that run from right to left; LuaTeX has to be told, and other programs take them as they are.
_RIGHT_TO_LEFT = r"\providecommand\worighttoleft[1]{\ifdefined\textdir{\textdir TRT #1}\else #1\fi}"


def to_tikz(scene: Scene) -> str:
    r"""Write a scene as a ``tikzpicture``, for ``\input`` in a document that uses the package tikz.

    >>> print(to_tikz(Scene(8, 4, (Label("50 %", 2, 2, "word", 16),), "name", "")))
    \begin{tikzpicture}[x=0.75pt,y=-0.75pt]
    \providecommand\worighttoleft[1]{\ifdefined\textdir{\textdir TRT #1}\else #1\fi}
    \definecolor{wo1f2328}{HTML}{1f2328}
    \useasboundingbox (0,0) rectangle (8,4);
    \node[inner sep=0,anchor=base,text=wo1f2328,font=\fontsize{12}{12}\selectfont] at (2,7.6) {50 \%};
    \end{tikzpicture}
    <BLANKLINE>
    """
    body = [part for item in scene.items for part in _drawn(item)]
    colors = dict.fromkeys(color for item in scene.items for color in _colors(item))
    size = f"({decimal(scene.width)},{decimal(scene.height)})"
    lines = [
        f"\\begin{{tikzpicture}}[x={_POINTS}pt,y=-{_POINTS}pt]",
        _RIGHT_TO_LEFT,
        *(f"\\definecolor{{wo{color}}}{{HTML}}{{{color}}}" for color in colors),
        f"\\useasboundingbox (0,0) rectangle {size};",
        *body,
        "\\end{tikzpicture}",
    ]
    return "\n".join(lines) + "\n"


def to_latex(scene: Scene) -> str:
    """Write a scene as a LaTeX document of its own."""
    return _DOCUMENT.replace("%s", to_tikz(scene))


def _colors(item: Item) -> Iterator[str]:
    if isinstance(item, Group):
        for inner in item.items:
            yield from _colors(inner)
        return
    look = _look(item)
    for color in (look.fill, None if isinstance(item, Label) else look.stroke):
        if color not in (None, "none"):
            yield color.removeprefix("#")


def _look(item: Label | Path | Box) -> Appearance:
    return look_of(f"text {item.css}" if isinstance(item, Label) else item.css)


def _drawn(item: Item) -> Iterator[str]:
    if isinstance(item, Group):
        yield from _group(item)
    elif isinstance(item, Label):
        yield _text(item)
    elif isinstance(item, Path):
        yield f"\\path[{_options(item)}] {_path(item)};"
    else:
        corner = f"({decimal(item.x)},{decimal(item.y)})"
        other = f"({decimal(item.x + item.width)},{decimal(item.y + item.height)})"
        yield f"\\path[{_options(item)}] {corner} rectangle {other};"


def _group(item: Group) -> Iterator[str]:
    inner = [part for each in item.items for part in _drawn(each)]
    if not any(item.offset) and item.clip is None:
        yield from inner
        return
    over, down = map(decimal, item.offset)
    yield f"\\begin{{scope}}[shift={{({over},{down})}}]"
    if item.clip:
        left, top, wide, tall = item.clip
        corner = f"({decimal(left + wide)},{decimal(top + tall)})"
        yield f"\\clip ({decimal(left)},{decimal(top)}) rectangle {corner};"
    yield from inner
    yield "\\end{scope}"


def _text(item: Label) -> str:
    look = _look(item)
    points = f"{item.size * _POINTS:g}"
    bold = "\\bfseries" if look.bold else ""
    options = [
        "inner sep=0",
        f"anchor={_ANCHORS[item.anchor]}",
        f"text=wo{(look.fill or '').removeprefix('#')}",
        f"font=\\fontsize{{{points}}}{{{points}}}\\selectfont{bold}",
    ]
    lowered = 0.35 * item.size
    x, y = (item.x + lowered, item.y) if item.turned else (item.x, item.y + lowered)
    if item.turned:
        options.append("rotate=90")
    text = escape_latex(item.text)
    text = f"\\worighttoleft{{{text}}}" if is_right_to_left(item.text) else text
    return f"\\node[{','.join(options)}] at ({decimal(x)},{decimal(y)}) {{{text}}};"


def _options(item: Path | Box) -> str:
    look = _look(item)
    options = []
    if look.fill not in (None, "none"):
        options.append(f"fill=wo{look.fill.removeprefix('#')}")
        opacity = item.opacity if isinstance(item, Box) and item.opacity is not None else look.opacity
        if opacity is not None:
            options.append(f"fill opacity={opacity:.2f}")
    if look.stroke not in (None, "none"):
        options.append(f"draw=wo{look.stroke.removeprefix('#')}")
        options.append(f"line width={(look.width or 1) * _POINTS:g}pt")
    if isinstance(item, Path) and item.dash:
        parts = (f"{name} {length * _POINTS:g}pt" for name, length in _dashes(item.dash))
        options.append(f"dash pattern={' '.join(parts)}")
    if isinstance(item, Box) and item.radius:
        # TikZ shortens lines for rounded corners, but not below half of a side.
        radius = min(item.radius, item.width / 2, item.height / 2) - 0.01
        options.append(f"rounded corners={radius * _POINTS:.3g}pt")
    return ",".join(options)


def _dashes(lengths: tuple[float, ...]) -> Iterator[tuple[str, float]]:
    for k, length in enumerate(lengths):
        yield ("off" if k % 2 else "on"), length


def _path(item: Path) -> str:
    parts = []
    for name, numbers in item.steps:
        points = [f"({decimal(x)},{decimal(y)})" for x, y in zip(numbers[::2], numbers[1::2], strict=True)]
        if name == "C":
            parts.append(f".. controls {points[0]} and {points[1]} .. {points[2]}")
        elif name == "Z":
            parts.append("-- cycle")
        else:
            parts.append(f"{'-- ' if name == 'L' else ''}{points[0]}")
    return " ".join(parts)
