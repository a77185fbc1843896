"""Tables of parses from CoNLL-U files."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest

from wordorder.errors import BadFile, BadSetting
from wordorder.io.parse_table import read_parses
from wordorder.text.parses import pieces_lines

FIRST = """\
# text = Vámonos al mar.
1-2\tVámonos\t_\t_\t_\t_\t_\t_\t_\t_
1\tVamos\tir\tVERB\t_\t_\t0\troot\t_\t_
2\tnos\tnosotros\tPRON\t_\t_\t1\tobj\t_\t_
3-4\tal\t_\t_\t_\t_\t_\t_\t_\t_
3\ta\ta\tADP\t_\t_\t5\tcase\t_\t_
4\tel\tel\tDET\t_\t_\t5\tdet\t_\t_
4.1\tgran\tgrande\tADJ\t_\t_\t_\t_\t5:amod\t_
5\tmar\tmar\tNOUN\t_\t_\t1\tobl\t_\tSpaceAfter=No
6\t.\t.\tPUNCT\t_\t_\t1\tpunct\t_\t_

"""
SECOND = """\
1\tYes\t_\t_\t_\t_\t0\troot\t_\tSpaceAfter=No
2\t!\t_\t_\t_\t_\t1\tpunct\t_\t_

# text = Vámonos al mar.
1\tno\t_\t_\t_\t_\t0\troot\t_\t_

"""


def test_several_files_and_packed_ones(tmp_path: Path) -> None:
    one, two = tmp_path / "one.conllu", tmp_path / "two.conllu.gz"
    one.write_text(FIRST, encoding="utf-8")
    two.write_bytes(gzip.compress(SECOND.encode()))
    table = read_parses([str(one), str(two)])
    by_text = ["Vámonos al mar.", "Yes!"]
    by_words = ["Vamos nos a el mar .", "Yes !"]
    arcs = [
        "root(,vamos) obj(vamos,nos) case(mar,a) det(mar,el) obl(vamos,mar) punct(vamos,.)",
        "root(,yes) punct(yes,!)",
    ]
    assert pieces_lines(table, by_text, "arc") == pieces_lines(table, by_words, "arc") == arcs
    assert table.find("no").forms == ("no",) and table.sources == [str(one), str(two)]


def test_trees_that_are_none_are_refused_with_their_line(tmp_path: Path) -> None:
    path = tmp_path / "bad.conllu"
    path.write_text(FIRST + SECOND.replace("\t0\troot", "\t2\troot", 1), encoding="utf-8")
    with pytest.raises(BadFile, match=r"bad.conllu:12: no root"):
        read_parses([str(path)])
    with pytest.raises(BadSetting, match="list of files"):
        read_parses(str(path))
    with pytest.raises(BadFile, match="does not exist"):
        read_parses([str(tmp_path / "none.conllu")])
