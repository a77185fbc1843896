"""Readers of rankings, and of any form, on small files made by hand; what is odd is counted, never filled."""

from __future__ import annotations

import gzip
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.judge.files import written
from wordorder.data import sample_judgments
from wordorder.errors import BadFile, BadSetting
from wordorder.judge.formats import wmt_csv
from wordorder.judge.formats.checks import check_judgment_format
from wordorder.judge.formats.tables import TableFolder
from wordorder.judge.judgments import Judgments, Preferences, Ranked, pairs_of_rankings
from wordorder.judge.read import read_judgments, sniff_judgments
from wordorder.judge.text_files import TextFiles

NUMBERS = range(1, 6)
HEAD = ",".join(
    ["srclang,trglang,srcIndex,documentId,segmentId,judgeId"]
    + [f"system{k}Number,system{k}Id" for k in NUMBERS]
    + [f"system{k}rank" for k in NUMBERS]
)


def five_way(segment: int, judge: str, systems: str, ranks: str, languages: str = "Czech,English") -> str:
    named = ",".join(f"{k},{system}" for k, system in zip(NUMBERS, systems.split(), strict=True))
    return f"{languages},{segment},doc,{segment},{judge},{named},{','.join(ranks.split())}"


def said(one: Judgments) -> set[tuple[str, str, str, int, int, int]]:
    """The preferences by name, each pair in the order of its names."""
    p = one.preferences
    assert p is not None
    rows = set()
    columns = (p.first, p.second, p.wins, p.losses, p.ties)
    for a, b, wins, losses, ties in zip(*(column.tolist() for column in columns), strict=True):
        first, second = (one.systems[int(one.item_system[k])] for k in (a, b))
        segment = one.segments[int(one.item_segment[a])]
        assert segment == one.segments[int(one.item_segment[b])] and first != second
        swapped = first > second
        rows.add((segment, min(first, second), max(first, second), losses if swapped else wins,
                  wins if swapped else losses, ties))  # fmt: skip
    return rows


# Rankings


def test_a_five_way_ranking_is_ten_judgments_with_ties_repeats_and_judges(tmp_path: Path) -> None:
    path = written(
        tmp_path,
        "wmt.csv",
        HEAD,
        five_way(7, "j1", "a b c d e", "1 2 2 4 5"),
        five_way(7, "j2", "e d c b a", "1 2 3 4 5"),
        five_way(3, "j1", "a b c d e", "1 1 1 1 1"),
        five_way(1, "j1", "a b c d e", "1 2 3 4 5", "deu,eng"),
    )
    czech, german = read_judgments(path)
    assert (czech.pair, german.pair, czech.collection) == ("cs-en", "de-en", "wmt")
    assert czech.preferences is not None and german.preferences is not None
    assert (czech.preferences.untied, czech.preferences.tied) == (9 + 10, 1 + 10)
    assert german.preferences.untied == 10
    assert czech.segments == ["3", "7"], "in the order of the test set"
    assert {row.judge for row in czech.rankings} == {"j1", "j2"}
    assert ("7", "a", "b", 1, 1, 0) in said(czech) and ("7", "b", "c", 0, 1, 1) in said(czech)
    assert czech.odd["pairs judged more than once"] == 10
    assert czech.odd["pairs with contradicting judgments"] == 9
    assert czech.odd["judged items without an output"] == 10 and czech.missing.all()
    assert czech.sources is None and list(czech.references) == []


def test_unjudged_blank_and_merged_places_are_counted(tmp_path: Path) -> None:
    path = written(
        tmp_path,
        "wmt.csv",
        HEAD,
        five_way(1, "j", "a b+c PLACEHOLDER _ref d", "1 2 -1 1 -1"),
        five_way(2, "j", "a b c d e", "1 -1 -1 -1 -1"),
        five_way(3, "j", "a a b c d", "1 2 3 -1 -1"),
    )
    (one,) = read_judgments(path)
    assert {row for row in said(one) if row[0] == "1"} == {
        ("1", "a", "b", 1, 0, 0),
        ("1", "a", "c", 1, 0, 0),
        ("1", "b", "c", 0, 0, 1),  # merged: the same output, so they tie
    }
    assert one.segments == ["1", "3"]
    assert one.odd[wmt_csv.UNJUDGED] == 1 + 4 + 2
    assert one.odd[wmt_csv.BLANKS] == one.odd[wmt_csv.REFERENCE] == one.odd[wmt_csv.MERGED] == 1
    assert one.odd[wmt_csv.SHORT] == one.odd[wmt_csv.TWICE] == 1
    (kept,) = read_judgments(path, merged=None)
    assert "b+c" in kept.systems


def test_pairwise_rows_of_one_ranking_are_not_expanded_again(tmp_path: Path) -> None:
    path = written(
        tmp_path,
        "wmt16.csv",
        "srclang,trglang,srcIndex,segmentId,judgeID,system1Id,system1rank,system2Id,system2rank,rankingID",
        "cze,eng,5,5,judge1,a,1,b,2,9",
        "cze,eng,5,5,judge1,a,1,c,1,9",
        "cze,eng,5,5,judge1,b+d,2,c,1,9",
    )
    (one,) = read_judgments(path)
    assert said(one) == {
        ("5", "a", "b", 1, 0, 0),
        ("5", "a", "c", 0, 0, 1),
        ("5", "b", "c", 0, 1, 0),
        ("5", "c", "d", 1, 0, 0),
    }


@pytest.mark.parametrize("separator", [" ", "\t", ","])
@pytest.mark.parametrize("head", ["LP DATA SID BETTER WORSE", "LP SID BETTER WORSE"])
def test_preferences_of_the_metrics_tasks(tmp_path: Path, separator: str, head: str) -> None:
    rows = [head, "de-en newstest2017 4 a b", "de-en newstest2017 4 b a 31.5", "de-en newstest2017 2 a+c b"]
    path = written(tmp_path, "RR-seglevel.csv", *(row.replace(" ", separator) for row in rows))
    (one,) = read_judgments(path)
    assert (one.pair, one.testset, one.year) == ("de-en", "newstest2017", 2017)
    assert said(one) == {("4", "a", "b", 1, 1, 0), ("2", "a", "b", 1, 0, 0), ("2", "b", "c", 0, 1, 0)}
    assert one.odd[wmt_csv.MERGED] == 1


def texts(folder: Path, **more: Any) -> TextFiles:
    written(folder, "src.cs", "s1", "s2", "s3")
    written(folder, "ref.en", "r1", "r2", "r3")
    written(folder, "out/cs-en.a", "a1", "a2", "")
    with gzip.open(folder / "out" / "cs-en.b.gz", "wt", encoding="utf-8") as out:
        out.write("b1\nb2\nb3\n")
    return TextFiles(
        **{
            "source": f"{folder}/src.{{src}}",
            "references": (f"{folder}/ref.{{trg}}",),
            "output": f"{folder}/out/{{pair}}.{{system}}",
            **more,
        }
    )


def test_texts_beside_a_ranking(tmp_path: Path) -> None:
    path = written(tmp_path, "wmt.csv", HEAD, five_way(3, "j", "a b c d d", "1 2 3 -1 -1"),
                   five_way(1, "j", "a c c d d", "1 2 -1 -1 -1"))  # fmt: skip
    (one,) = read_judgments(path, texts=texts(tmp_path), testset="newstest2012")
    assert one.sources == ["s1", "s3"] and one.references == [["r1", "r3"]]
    assert one.systems == ["a", "b", "c"], "d was never ranked"
    assert list(one.outputs) == ["a1", "b1", None, "", "b3", None], "an empty output is not a missing one"
    assert one.odd["systems without an output file"] == 1
    assert one.odd["judged items without an output"] == 2
    assert one.name == "wmt cs-en newstest2012"


def test_texts_that_do_not_fit(tmp_path: Path) -> None:
    path = written(tmp_path, "wmt.csv", HEAD, five_way(9, "j", "a b c d e", "1 2 3 4 5"))
    with pytest.raises(BadFile, match=r"src\.cs: has 3 lines, but segment 9 was judged or rated"):
        read_judgments(path, texts=texts(tmp_path))
    path = written(tmp_path, "wmt.csv", HEAD, five_way(1, "j", "a b c d e", "1 2 3 4 5"))
    written(tmp_path, "short.cs", "s1")
    with pytest.raises(BadFile, match=r"ref\.en: has 3 lines, .*short\.cs has 1"):
        read_judgments(path, texts=texts(tmp_path, source=f"{tmp_path}/short.cs"))
    with pytest.raises(BadFile, match="nowhere: does not exist"):
        read_judgments(path, texts=texts(tmp_path, source=f"{tmp_path}/nowhere"))
    with pytest.raises(BadSetting, match=r"'language'.*known: "):
        read_judgments(path, texts=texts(tmp_path, source="{language}"))


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        ([HEAD], "a header, but no judgments"),
        (
            [HEAD, five_way(1, "j", "a b c d e", "1 2 3 4 5")[:-4]],
            ":2: has 19 columns, but the header",
        ),
        ([HEAD, five_way(1, "j", "a b c d e", "1 2 3 4 x")], ":2: system5rank is 'x'"),
        ([HEAD, five_way(1, "j", "a b c d e", "1 2 3 4 1.5")], "1.5'; expected a whole number"),
        ([HEAD.replace("srcIndex", "x").replace("segmentId", "y"), ""], "no column 'srcIndex'"),
        ([HEAD.replace("srclang", "x"), ""], "no column 'srclang'"),
        ([HEAD.replace("system4rank", "x"), ""], "no column 'system4rank'"),
        (["lp data better worse x"], "no column 'sid'"),
        (["lp data sid better worse", "de-en t 1 a a"], ":2: a is better than itself"),
        (["lp data sid better worse", "de-en t one a b"], ":2: sid is 'one'"),
        (["lp data sid better worse", "de-en t 1 a"], ":2: has 4 columns"),
        (["lp data sid better worse", "de-en t 1 a b c"], ":2: the column after worse is 'c'"),
    ],
)
def test_wrong_rankings_are_refused_with_their_place(tmp_path: Path, lines: list[str], message: str) -> None:
    with pytest.raises(BadFile) as caught:
        read_judgments(written(tmp_path, "wmt.csv", *lines))
    assert message in str(caught.value)


ROWS = st.lists(
    st.tuples(
        st.integers(1, 3),
        st.sampled_from(["j1", "j2"]),
        st.lists(st.sampled_from("abcdefg"), min_size=5, max_size=5, unique=True),
        st.lists(st.integers(1, 5), min_size=5, max_size=5),
    ),
    min_size=1,
    max_size=6,
)


@given(rows=ROWS)
def test_five_way_pairwise_and_plain_tables_say_the_same(
    tmp_path_factory: pytest.TempPathFactory, rows: list[tuple[int, str, list[str], list[int]]]
) -> None:
    folder = tmp_path_factory.mktemp("rankings")
    five = [five_way(n, judge, " ".join(s), " ".join(map(str, r))) for n, judge, s, r in rows]
    two = [
        f"cze,eng,{n},{judge},{s[i]},{r[i]},{s[k]},{r[k]}"
        for n, judge, s, r in rows
        for i in range(5)
        for k in range(i)
    ]
    table = [
        f"cs-en\t-\t{n}\t{judge}\t{number}\t{s[k]}\t{r[k]}"
        for number, (n, judge, s, r) in enumerate(rows)
        for k in range(5)
    ]
    (first,) = read_judgments(written(folder, "five.csv", HEAD, *five))
    head = "srclang,trglang,segment,judgeId,system1Id,system1rank,system2Id,system2rank"
    (second,) = read_judgments(written(folder, "two.csv", head, *two))
    written(folder, "segments.tsv", "lp\ttestset\tsegment\treference",
            *(f"cs-en\t-\t{n}\tr" for n in range(1, 4)))  # fmt: skip
    written(folder, "rankings.tsv", "lp\ttestset\tsegment\tjudge\tranking\tsystem\trank", *table)
    (third,) = TableFolder().read(str(folder))
    assert said(first) == said(second) == said(third)
    assert first.preferences is not None
    assert first.preferences.untied + first.preferences.tied == 10 * len(rows)


# Any form


def test_what_is_not_known_is_said(tmp_path: Path) -> None:
    with pytest.raises(BadFile, match="does not exist"):
        read_judgments(str(tmp_path / "nothing"))
    with pytest.raises(
        BadFile, match=r"not a folder of judgments in a known format. Known: mt-metrics.*pairs.tsv"
    ):
        read_judgments(str(tmp_path))
    for lines in (["a\tb\tc"], []):
        with pytest.raises(
            BadFile, match=r"Known: .*MQM .*WMT rankings .*lp data sid better worse.*docs/judging.md"
        ):
            read_judgments(written(tmp_path, "x.tsv", *lines))
    path = written(
        tmp_path, "mqm.tsv", "system doc seg_id rater source target category severity".replace(" ", "\t")
    )
    with pytest.raises(BadSetting, match=r"has the format mqm, whose options are weights, .*, not merged"):
        read_judgments(path, merged="+")


def test_a_truncated_packed_file_is_refused(tmp_path: Path) -> None:
    text = "\n".join([HEAD, *(five_way(n, f"j{n * n}", "a b c d e", "1 2 3 4 5") for n in range(1, 2000))])
    packed = gzip.compress(text.encode())
    path = tmp_path / "wmt.csv.gz"
    path.write_bytes(packed)
    (one,) = read_judgments(str(path))
    assert len(one.segments) == 1999 and one.collection == "wmt"
    path.write_bytes(packed[: len(packed) // 2])
    with pytest.raises(BadFile, match=r"wmt\.csv\.gz"):
        read_judgments(str(path))


WHOLE = {
    "wmt.csv": [HEAD, five_way(1, "j", "a b+c d _ref e", "1 2 3 1 -1")],
    "ad-seg-scores-cs-en.csv": ["SYS SID RAW.SCR Z.SCR N", "a.1 7 84.0 0.57 1", "b 7 60 -0.25 2"],
    "mqm_ted_ende.avg_seg_scores.tsv": ["system mqm_avg_score seg_id", "a\t-1.0 1", "a\tNone 2", "b\t-0.0 1"],
    "appraise.csv": [
        'r1,a+b,3,TGT,eng,jpn,80,doc#1,False,"[{""severity"": ""minor""}]",1.5,2.5',
        "r1,a,3,BAD,eng,jpn,10,doc#bad,False",
    ],
    "rr.csv": ["lp data sid better worse", "de-en t 1 a b", "de-en t 2 b a 27.5"],
    "mqm.tsv": [
        "system\tdoc\tseg_id\trater\tsource\ttarget\tcategory\tseverity",
        "a\td\t1\tr\ts\t<v>t</v>\tStyle\tMinor",
        "ref\td\t1\tr\ts\tt\tNo-error\tNo-error",
    ],
}


@settings(deadline=None)  # the first call loads the registry
@given(name=st.sampled_from(sorted(WHOLE)), data=st.data())
def test_a_damaged_file_is_read_or_refused(
    tmp_path_factory: pytest.TempPathFactory, name: str, data: st.DataObject
) -> None:
    text = "\n".join(WHOLE[name]).encode()
    start = data.draw(st.integers(0, len(text)))
    stop = data.draw(st.integers(start, len(text)))
    path = tmp_path_factory.mktemp("damaged") / name
    path.write_bytes(text[:start] + data.draw(st.binary(max_size=3)) + text[stop:])
    try:
        sets = read_judgments(str(path))
    except (BadFile, BadSetting) as error:
        assert str(path) in str(error)
    else:
        assert sets and all(len(one.outputs) == len(one.item_system) for one in sets)


# TableFolder


def test_tables_with_wrong_rows(tmp_path: Path) -> None:
    written(tmp_path, "pairs.tsv", "lp\ttestset\tsegment\tsystem_a\tsystem_b\ta_better\tb_better\ttie",
            "de-en\tt\t1\ta\tb\t2\t1\t1")  # fmt: skip
    with pytest.raises(BadFile, match=r"has judgments, but no references in segments\.tsv"):
        read_judgments(str(tmp_path))
    written(tmp_path, "segments.tsv", "lp\ttestset\tsegment\treference", "de-en\tt\t1\tr")
    (one,) = read_judgments(str(tmp_path))
    assert list(one.outputs) == [None, None] and one.odd["judged items without an output"] == 2
    assert said(one) == {("1", "a", "b", 2, 1, 1)}
    written(tmp_path, "da.tsv", "lp\ttestset\tsegment\tsystem\tz", "de-en\tt\t2\ta\t0.5")
    with pytest.raises(BadFile, match="segment 2 of de-en t has no reference"):
        read_judgments(str(tmp_path))
    written(tmp_path, "da.tsv", "lp\ttestset\tsegment\tsystem\tz", "de-en\tt\t1\ta\t0.5", "")
    with pytest.raises(BadFile, match=":3: is empty; remove the line"):
        read_judgments(str(tmp_path))


def test_ratings_may_be_in_a_column_called_score(tmp_path: Path) -> None:
    row = "de-en\tt\t1\ta\t0.5\ts\tr\to"
    head = "lp\ttestset\tsegment\tsystem\t{}\tsource\treference\toutput"
    for name in ("z", "score"):
        written(tmp_path, "da.tsv", head.format(name), row)
        (found,) = read_judgments(str(tmp_path))
        assert found.ratings is not None and found.ratings.score.tolist() == [0.5]
    written(tmp_path, "da.tsv", head.format("grade"), row)
    with pytest.raises(BadFile, match=r"da.tsv:1: has no column z or score with ratings, but lp, testset"):
        read_judgments(str(tmp_path))


def test_an_item_rated_twice_is_not_compared_with_itself(tmp_path: Path) -> None:
    rows = ["de-en\tt\t1\ta\t0.5\ts\tr\tx", "de-en\tt\t1\ta\t0.7\ts\tr\tx", "de-en\tt\t1\tb\t0.6\ts\tr\ty"]
    head = "lp\ttestset\tsegment\tsystem\tz\tsource\treference\toutput"
    written(tmp_path, "da.tsv", head, *rows)
    (one,) = read_judgments(str(tmp_path))
    assert one.odd == {"items rated more than once": 1}
    assert (one.compared.first != one.compared.second).all() and one.compared.untied == 2


def test_pairs_keep_the_order_of_items() -> None:
    number = {("1", "a"): 0, ("1", "b"): 1}
    rankings = [Ranked("j", "1", "1", "b", 1), Ranked("j", "1", "1", "a", 2)]
    pairs: Preferences = pairs_of_rankings(rankings, number)
    assert (pairs.first.tolist(), pairs.second.tolist(), pairs.losses.tolist()) == ([0], [1], [1])


def test_every_format_keeps_the_contract(tmp_path: Path) -> None:
    for name, lines in WHOLE.items():
        path = written(tmp_path, name, *lines)
        form = sniff_judgments(path)
        assert form is not None and check_judgment_format(form, path)
    assert check_judgment_format(TableFolder, str(sample_judgments()))
    with pytest.raises(AssertionError, match="does not recognise"):
        check_judgment_format(TableFolder, str(tmp_path / "nowhere"))
