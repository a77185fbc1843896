"""Tables of ratings without texts, and exports of Appraise, on small files made by hand."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.calls import run_here
from tests.judge.files import written
from tests.judge.test_mqm import MARKS, MQM, mark, ratings
from wordorder.errors import BadFile, BadSetting
from wordorder.judge.file_names import told_by_name
from wordorder.judge.read import read_judgments, sniff_judgments
from wordorder.judge.text_files import TextFiles

HEAD = "system mqm_avg_score seg_id"
DA = ("SYS SID RAW.SCR Z.SCR N", "a.1 3 84.0 0.57 1", "b 3 60 -0.25 2", "a.1 1 10 -1.5 1", "b 1 90 1.25 1")


def texts(folder: Path) -> TextFiles:
    written(folder, "ref.en", "r1", "r2", "r3")
    for name in ("a.1", "b"):
        written(folder, f"out.{name}", *(f"{name} {k}" for k in (1, 2, 3)))
    return TextFiles(references=(f"{folder}/ref.{{trg}}",), output=f"{folder}/out.{{system}}")


def test_direct_assessment_of_wmt20(tmp_path: Path) -> None:
    path = written(tmp_path, "ad-seg-scores-cs-en.csv", *DA)
    (one,) = read_judgments(path, texts=texts(tmp_path), testset="newstest2020")
    assert (one.pair, one.testset, one.segments) == ("cs-en", "newstest2020", ["1", "3"])
    assert ratings(one) == {("3", "a.1"): 0.57, ("3", "b"): -0.25, ("1", "a.1"): -1.5, ("1", "b"): 1.25}
    assert one.references == [["r1", "r3"]] and list(one.outputs) == ["a.1 1", "b 1", "a.1 3", "b 3"]
    (raw,) = read_judgments(path, gold="RAW.SCR")
    assert ratings(raw)["1", "b"] == 90
    with pytest.raises(BadSetting, match=r"has no column 'da', only sys, sid, raw.scr, z.scr, n"):
        read_judgments(path, gold="da")


def test_averages_of_mqm(tmp_path: Path) -> None:
    """A file of averages says what the file of marks says, for the same raters."""
    rows = ["a\t-25.000000 1", "a\t-2.550000 2", "b\t-0.000000 1", "b\t-5.0 2", "ref-A\tNone 1"]
    (marks,) = read_judgments(written(tmp_path, "mqm_newstest2021_ende.tsv", MQM, *MARKS))
    (one,) = read_judgments(written(tmp_path, "mqm_newstest2021_ende.avg_seg_scores.tsv", HEAD, *rows))
    assert ratings(one) == pytest.approx(ratings(marks)) and (one.pair, one.testset) == (
        marks.pair,
        marks.testset,
    )
    assert one.odd["ratings that say None"] == 1
    assert not any(str(score) == "-0.0" for score in ratings(one).values())


def test_tables_may_name_pairs_and_test_sets(tmp_path: Path) -> None:
    rows = ["lp,data,system,segment_id,esa_score", "eng-bho,wmt24,a,1,80", "eng-deu,wmt24,a,1,70"]
    first, second = read_judgments(written(tmp_path, "scores.csv", *rows))
    assert (first.pair, first.testset, second.pair) == ("en-bho", "wmt24", "en-de")
    assert (first.source, first.target, second.target) == ("en", "bho", "de")


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        (DA[:1], "has a header, but no ratings"),
        ([DA[0], "a 1 2"], ":2: has 3 columns, but the header has 5"),
        ([DA[0], "a one 1 1 1"], ":2: sid is 'one'"),
        ([DA[0], "a 0 1 1 1"], ":2: sid is 0; segments are counted from 1"),
        ([DA[0], "a 1 1 good 1"], ":2: z.scr is 'good'"),
    ],
)
def test_wrong_tables_are_refused_with_their_place(tmp_path: Path, lines: list[str], message: str) -> None:
    with pytest.raises(BadFile) as caught:
        read_judgments(written(tmp_path, "da.csv", *lines))
    assert message in str(caught.value)


def test_exports_of_appraise(tmp_path: Path) -> None:
    spans = '"[{""start_i"": 1, ""severity"": ""minor""}]"'
    rows = [
        f"r1,a+b,3,TGT,eng,jpn_JP,80,doc1#a,False,{spans},1.5,2.5",
        f"r2,a,3,TGT,eng,jpn_JP,60,doc1#a,False,{spans},1.5,2.5",
        "r2,a,4,BAD,eng,jpn_JP,5,doc1#bad,False,[],1.5,2.5",
        "r2,a,4,TGT,eng,jpn_JP,5,tutorial#a,False,[],1.5,2.5",
        "r2,a,1,TGT,ces,ukr,50,doc1#a,False",
    ]
    path = written(tmp_path, "wave1.csv", *rows)
    japanese, ukrainian = read_judgments(path, testset="wmt99")
    assert (japanese.pair, japanese.target, ukrainian.pair) == ("en-ja_JP", "ja", "cs-uk")
    assert ratings(japanese) == {("3", "a"): 70, ("3", "b"): 80}
    assert japanese.odd == {
        "items with several ratings": 1,
        "rows that test the raters": 1,
        "rows of a tutorial": 1,
        "judged items without an output": 2,
    }
    written(tmp_path, "bad.csv", rows[0], "r1,a,4")
    with pytest.raises(BadFile, match=r":2: has 3 columns; expected 9 or more"):
        read_judgments(str(tmp_path / "bad.csv"))
    written(tmp_path, "bad.csv", rows[2])
    with pytest.raises(BadFile, match="has no ratings of type TGT"):
        read_judgments(str(tmp_path / "bad.csv"))


def test_names_of_files_tell_pairs() -> None:
    assert told_by_name("mqm_newstest2021_zhen.tsv") == ("zh-en", "newstest2021")
    assert told_by_name("x/mqm_test_engdeu.avg_seg_scores.tsv") == ("en-de", "test")
    assert told_by_name("mqm_test_en-bho.tsv") == ("en-bho", "test")
    assert told_by_name("wmt24.en-ces.esa.csv") == ("en-cs", "-")
    assert told_by_name("scores.tsv") == told_by_name("abcd-efgh.tsv") == ("?-?", "-")


def test_formats_knows_files_of_judgments(tmp_path: Path) -> None:
    path = written(tmp_path, "ad-seg-scores-cs-en.csv", *DA)
    form = sniff_judgments(path)
    assert form is not None and form.name == "wmt_ratings"
    done = run_here("formats", path)
    assert done.returncode == 0 and "wmt_ratings" in done.stdout and "ratings without texts" in done.stdout
    listed = run_here("formats").stdout
    for name in ("appraise", "mqm", "mt_metrics_eval", "tables", "wmt_csv", "wmt_ratings"):
        assert f"\n{name} " in listed


def judged(*args: str) -> tuple[int, str, str]:
    done = run_here("judge", *args, "-m", "chrf", "--samples", "0", "--no-cache", "--processes", "1")
    return done.returncode, done.stdout, done.stderr


def test_judgments_without_texts_name_the_options(tmp_path: Path) -> None:
    path = written(tmp_path, "ad-seg-scores-cs-en.csv", *DA)
    code, out, err = judged(path)
    assert (code, out) == (2, "") and err.count("\n") == 1
    assert "--reference-text newstest2013-ref.{trg} and --output-text" in err and "docs/judging.md" in err
    folder = texts(tmp_path)
    given = ("--reference-text", folder.references[0])
    assert "--output-text" in judged(path, *given)[2] and "--reference-text" not in judged(path, *given)[2]
    code, out, err = judged(
        path, *given, "--output-text", str(folder.output), "--level", "segment", "-t", "news"
    )
    assert code == 0, err
    assert "cs-en" in out


def test_mqm_with_several_references_names_the_option(tmp_path: Path) -> None:
    other = [mark("ref-B", k, "r1", f"Q{k}", "No-error", "No-error") for k in (1, 2)]
    path = written(tmp_path, "mqm_newstest2021_ende.tsv", MQM, *MARKS, *other)
    code, out, err = judged(path)
    assert (code, out) == (2, "") and "which is the reference? Try --reference-name ref-A." in err
    for name in ("ref-A", "ref-B"):
        assert judged(path, "--reference-name", name, "--level", "segment")[0] == 0


def test_where_judgments_come_from(tmp_path: Path) -> None:
    code, _, err = judged(str(tmp_path / "wmt23"))
    assert code == 3 and "docs/judging.md says where judgments are published" in err
