"""What goes wrong in reordered sentences, for people."""

from __future__ import annotations

from wordorder.evaluate.errors import ErrorAnalysis
from wordorder.evaluate.parsers import ParserComparison
from wordorder.io.lines import counted
from wordorder.report.table import text_table

MOST = 15  # rows of a table; JSON has all


def errors_text(found: ErrorAnalysis) -> str:
    """All tables of one system."""
    pieces = [f"errors of {found.system}\n"]
    for name, groups in found.groups.items():
        rows = [[name, "count", "wrong", "jumps", "share"]]
        for group in groups[:MOST]:
            rows.append(
                [
                    group.name,
                    f"{group.count:,}",
                    f"{group.wrong:.3f}",
                    f"{group.jumps:.3f}",
                    f"{group.share:.3f}",
                ]
            )
        if len(rows) > 1:
            pieces.append(text_table(rows))
    pieces += _rules(found)
    pieces.append(_operators(found))
    pieces.append(_worst(found))
    return "\n".join(pieces)


def _rules(found: ErrorAnalysis) -> list[str]:
    if not found.rules:
        return []
    rows = [
        [
            "rule",
            "fired",
            "moved",
            f"gain in {found.metric}",
            "better",
            "worse",
            "gained",
            "harmed",
            "p",
            "moves",
        ]
    ]
    for one in found.rules:
        moves = ", ".join(f"{label} {count}" for label, count in one.relations[:4])
        chance = "" if one.p_value is None else f"{one.p_value:.4f}"
        numbers = [
            f"{one.gain:+.4f}",
            str(one.better),
            str(one.worse),
            f"{one.gained:.2f}",
            f"{one.harmed:.2f}",
        ]
        rows.append([one.name, f"{one.fired:,}", f"{one.moved:,}", *numbers, chance, moves])
    # The last column is text, and ends the line.
    lines = text_table([row[:-1] for row in rows]).splitlines()
    return ["".join(f"{line}  {row[-1]}\n" for line, row in zip(lines, rows, strict=True))]


def _operators(found: ErrorAnalysis) -> str:
    """Operators of the reference by rows, of the system by columns; rare ones together."""
    total: dict[str, int] = {}
    for pair, count in found.operators.items():
        for one in set(pair):
            total[one] = total.get(one, 0) + count
    usual = [name for name in ("⟨1,2⟩", "⟨2,1⟩", "⟨2,4,1,3⟩", "⟨3,1,4,2⟩") if name in total]
    columns = [*usual, "longer", "broken"]

    def column(name: str) -> str:
        return name if name in usual or name == "broken" else "longer"

    table = {row: dict.fromkeys(columns, 0) for row in [*usual, "longer"]}
    for (one, other), count in found.operators.items():
        table[column(one)][column(other)] += count
    rows = [["operator of reference / system", *columns]]
    rows += [[name, *(f"{count:,}" for count in counts.values())] for name, counts in table.items()]
    return text_table(rows)


def _worst(found: ErrorAnalysis) -> str:
    lines = [f"worst sentences by {found.metric}\n"]
    for one in found.worst:
        lines.append(f"{one.number}  {one.score:.4f}\n")
        lines += [f"  source     {one.source}\n  reference  {one.reference}\n  system     {one.system}\n"]
        lines += [f"  moved by   {text}\n" for text in one.rules]
    return "".join(lines)


def parsers_text(found: ParserComparison) -> str:
    """Two parsers: agreement, arcs that matter, sentences that differ most."""
    one, other = found.names
    lines = [
        f"parsers {one} and {other}: {found.unlabelled:.1%} of the heads agree, {found.labelled:.1%} with"
        f" their relation; {other} orders {counted(found.better, 'sentence')} better, {found.worse:,} worse\n"
    ]
    rows = [[f"relation by {one}", f"by {other}", "sentences", "mean change"]]
    for kind in found.kinds[:MOST]:
        rows.append([*kind.relations, str(kind.count), f"{kind.change:+.4f}"])
    if len(rows) > 1:
        lines.append(text_table(rows, left=2))
    for sentence in found.disagreements[:MOST]:
        arcs = "; ".join(map(str, sentence.arcs[:6])) + (" ..." if len(sentence.arcs) > 6 else "")
        lines.append(f"{sentence.number}  {sentence.scores[0]:.4f} {sentence.scores[1]:.4f}  {arcs}\n")
    return "".join(lines)
