"""Error marks of experts, on small files made by hand."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.judge.files import written
from wordorder.errors import BadFile, BadSetting
from wordorder.judge.formats.mqm import Mqm, MqmWeights
from wordorder.judge.judgments import Judgments
from wordorder.judge.read import read_judgments
from wordorder.judge.text_files import TextFiles

MQM = "system\tdoc\tdoc_id\tseg_id\trater\tsource\ttarget\tcategory\tseverity\tcomment"


def mark(system: str, segment: int, rater: str, target: str, category: str, severity: str) -> str:
    return "\t".join([system, "d", "1", str(segment), rater, f"s{segment}", target, category, severity, ""])


MARKS = (
    mark("a", 2, "r1", "the <v>cat</v>", "Fluency/Punctuation", "Minor"),
    mark("a", 2, "r1", "<v>the</v> cat", "Accuracy/Mistranslation", "Major"),
    mark("a", 2, "r2", "the cat", "No-error", "No-error"),
    mark("a", 1, "r1", "x", "Non-translation!", "Major"),
    mark("b", 1, "r2", "y", "Style/Awkward", "Neutral"),
    mark("b", 2, "r2", "y", "Fluency/Punctuation", "Major"),
    mark("ref-A", 1, "r1", "R1", "No-error", "No-error"),
    mark("ref-A", 2, "r1", "R2", "Style/Awkward", "Minor"),
)


def ratings(one: Judgments) -> dict[tuple[str, str], float]:
    assert one.ratings is not None
    return {
        (one.segments[int(one.item_segment[i])], one.systems[int(one.item_system[i])]): score
        for i, score in zip(one.ratings.item.tolist(), one.ratings.score.tolist(), strict=True)
    }


def test_mqm_is_minus_the_mean_of_the_raters(tmp_path: Path) -> None:
    path = written(tmp_path, "mqm_newstest2021_ende.tsv", MQM, *MARKS)
    (one,) = read_judgments(path)
    assert (one.pair, one.testset, one.year) == ("en-de", "newstest2021", 2021)
    assert ratings(one) == {
        ("2", "a"): pytest.approx(-2.55), ("1", "a"): -25, ("1", "b"): 0, ("2", "b"): -5
    }  # fmt: skip
    assert one.sources == ["s1", "s2"] and one.references == [["R1", "R2"]]
    assert list(one.outputs) == ["x", "y", "the cat", "y"]
    assert one.odd == {"items with several raters": 1, "ratings of the reference itself": 2}
    assert not any(str(score) == "-0.0" for score in ratings(one).values())
    by_rater = {row[:3]: row.cost for row in Mqm().raters(path)}
    assert by_rater["2", "a", "r1"] == pytest.approx(5.1) and by_rater["2", "a", "r2"] == 0


def test_mqm_weights_and_references_are_options(tmp_path: Path) -> None:
    other = mark("ref-B", 1, "r1", "Q1", "No-error", "No-error")
    path = written(tmp_path, "marks.tsv", MQM, *MARKS, other)
    with pytest.raises(
        BadSetting, match=r"rates ref-A, ref-B; which is the reference. Try reference_name=ref-A"
    ):
        read_judgments(path)
    with pytest.raises(BadSetting, match="does not rate 'ref-C'"):
        read_judgments(path, reference_name="ref-C")
    with pytest.raises(BadFile, match=r"segment 2 of en-de - has no reference \(1 in all\)"):
        read_judgments(path, reference_name="ref-B", pair="en-de")
    (one,) = read_judgments(
        path, reference_name="ref-A", weights=MqmWeights(major=10, neutral=0.5), pair="en-de"
    )
    assert ratings(one)["2", "b"] == -10 and ratings(one)["1", "b"] == -0.5
    assert one.human == {"ref-B"} and one.pair == "en-de"
    (one,) = read_judgments(
        path, texts=TextFiles(references=(written(tmp_path, "ref.txt", "F1", "F2", "F3"),))
    )
    assert one.references == [["F1", "F2"]] and one.human == {"ref-A", "ref-B"}
    with pytest.raises(BadSetting, match="contains sources and outputs; name only files of references"):
        read_judgments(path, texts=TextFiles(output="{system}.txt"))
    with pytest.raises(BadSetting, match="both a rated reference and files of references"):
        read_judgments(path, texts=TextFiles(references=("r.txt",)), reference_name="ref-A")
    with pytest.raises(BadFile, match="has 1 lines, but segment 2 was judged or rated"):
        read_judgments(path, texts=TextFiles(references=(written(tmp_path, "ref.txt", "F1"),)))


def test_mqm_of_later_years(tmp_path: Path) -> None:
    head = MQM.replace("doc_id", "docSegId").replace("seg_id", "globalSegId").replace("\tcomment", "")
    rows = [
        mark("a", 1, "r1", "x", "No-error", "No-error"),
        mark("a", 1, "r2", "x", "HOTW-test", "HOTW-test"),
    ]
    (one,) = read_judgments(written(tmp_path, "m.tsv", head, *(row.rstrip("\t") for row in rows)))
    assert ratings(one) == {("1", "a"): 0} and one.odd == {"rows that test the raters": 1}
    assert list(one.references) == []


def test_mqm_segments_numbered_in_each_document(tmp_path: Path) -> None:
    rows = [mark("a", 1, "r1", "x", "No-error", "No-error"),
            mark("a", 1, "r1", "y", "Style", "Minor").replace("\td\t", "\te\t")]  # fmt: skip
    (one,) = read_judgments(written(tmp_path, "m.tsv", MQM, *rows))
    assert ratings(one) == {("d:1", "a"): 0, ("e:1", "a"): -1}


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        ([MQM], "a header, but no ratings"),
        ([MQM, mark("a", 1, "r", "x", "Style", "Huge")], ":2: severity is 'Huge'"),
        ([MQM, "a\td\t1\t1\tr"], ":2: has 5 columns, but the header has 10; is the file truncated?"),
        ([MQM.replace("seg_id", "seg"), MARKS[0]], "no column 'seg_id'"),
        ([MQM, MARKS[0].replace("\t2\t", "\ttwo\t")], ":2: seg_id is 'two'"),
    ],
)
def test_wrong_mqm_is_refused_with_its_place(tmp_path: Path, lines: list[str], message: str) -> None:
    with pytest.raises(BadFile) as caught:
        read_judgments(written(tmp_path, "mqm.tsv", *lines))
    assert message in str(caught.value)
