"""Tables in all formats."""

from __future__ import annotations

from wordorder.report.table import Table, write_table


def test_every_line_of_a_title_is_a_comment_in_latex() -> None:
    table = Table(title="a\nb", head=["", "x"], rows=[["m", "1"]], notes=["one"])
    assert write_table(table, "latex").decode().splitlines()[:3] == ["% a", "% b", "% one"]
