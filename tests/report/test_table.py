"""Tables in all formats."""

from __future__ import annotations

import pytest

from wordorder.report.table import Table, write_table


@pytest.mark.parametrize(("form", "first"), [("text", "a�b"), ("markdown", "**a�b**"), ("latex", "% a�b")])
def test_a_line_break_in_a_title_does_not_leave_it(form: str, first: str) -> None:
    table = Table(title="a\nb", head=["", "x"], rows=[["m", "1"]], notes=["one"])
    assert write_table(table, form).decode().split("\n")[0] == first
