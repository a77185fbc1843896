"""Output of other aligners: files as they write them, and the real programs with a very small network."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import wordorder as wo
from tests.cli.calls import call
from wordorder.errors import BadFile
from wordorder.io.awesome_align import read_scored_links
from wordorder.io.links import LinkRecord
from wordorder.io.sniff import sniff_file

PAIRS = [("the red house", "das rot haus ,"), ("a book", "ein buch")]
WORDS = "[PAD] [UNK] [CLS] [SEP] [MASK] the red house a book das rot haus , ein buch"


def test_files_of_simalign(tmp_path: Path) -> None:
    path = tmp_path / "out.itermax"
    path.write_text("0\t0-0 1-2\n1\t\n2\t1-0-.953-.961 2-1-.0-.0\n")
    first, second, third = wo.read_records(str(path))  # the format is recognised
    assert first.sure == ((0, 0), (1, 2)) and second.sure == ()
    assert third.scores == {(1, 0): 0.953, (2, 1): 1.0}
    with pytest.raises(BadFile, match="SimAlign has no possible links"):
        wo.write_records(str(path), [LinkRecord(possible=[(0, 0)])], "simalign")
    with pytest.raises(BadFile, match="SimAlign has only scores"):
        wo.write_records(str(path), [LinkRecord([(0, 0)], scores={(0, 0): 0.12345})], "simalign")


def test_files_of_fast_align(tmp_path: Path) -> None:
    path = tmp_path / "scored.txt"
    path.write_text("0-0 1-2 ||| -12.5\n ||| -3e-05\n")
    assert sniff_file(str(path)).guesses[0].name == "fast_align"
    first, second = wo.read_records(str(path), "fast_align")
    assert (first.sure, first.score) == (((0, 0), (1, 2)), -12.5) and second.score == -3e-05
    with pytest.raises(BadFile, match="links alone are written as pharaoh"):
        wo.write_records(str(path), [LinkRecord([(0, 0)])], "fast_align")


@pytest.mark.parametrize("form", ["fast_align", "simalign"])
def test_commands_take_files_of_other_aligners(
    form: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    source, links = tmp_path / "text.en", tmp_path / "links"
    source.write_text("a b c\nd\n")
    links.write_text({"fast_align": "0-1 1-0 ||| -2\n ||| -3\n", "simalign": "0\t0-1 1-0\n1\t\n"}[form])
    options = ["-s", str(source), "--align", str(links), "--align-format", form]
    done = call(capsys, monkeypatch, "orders", *options, "--as", "text", "-q")
    assert done.stdout == "b a c\nd\n"
    report = call(capsys, monkeypatch, "align-report", str(links), "--align-format", form, "--sample", "0")
    assert report.returncode == 0 and "links" in report.stdout


def test_links_and_probabilities_of_awesome_align(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    links, numbers = tmp_path / "links.txt", tmp_path / "probabilities.txt"
    links.write_text("1-0 0-1\n\n")
    numbers.write_text("0.25 0.5\n\n")
    first, second = read_scored_links(str(links), str(numbers))
    assert first.scores == {(1, 0): 0.25, (0, 1): 0.5} and second.links == ()
    done = call(capsys, monkeypatch, "integrations", "awesome-align", str(links), str(numbers))
    assert done.stdout == "0-1:0.5 1-0:0.25\n\n"
    for name, text, message in (
        (numbers, "0.25\n\n", r"probabilities\.txt:1: 1 probability for 2 links"),
        (numbers, "0.25 7\n\n", r"probabilities\.txt:1: a probability is below 0 or above 1"),
        (numbers, "0.25 x\n\n", r"probabilities\.txt:1: .*a score that is not a number"),
        (numbers, "0.25 0.5\n", r"probabilities\.txt"),
        (links, "1-0 x\n\n", r"links\.txt:1: "),
    ):
        kept = name.read_text()
        name.write_text(text)
        with pytest.raises(BadFile, match=message):
            list(read_scored_links(str(links), str(numbers)))
        name.write_text(kept)


@pytest.fixture(scope="module")
def network(tmp_path_factory: pytest.TempPathFactory) -> str:
    """Make a network of BERT's kind with random weights and sixteen words, in the files that both read."""
    torch = pytest.importorskip("torch")
    transformers = pytest.importorskip("transformers")
    folder = tmp_path_factory.mktemp("network")
    (folder / "vocab.txt").write_text("\n".join(WORDS.split()) + "\n")
    torch.manual_seed(0)
    sizes: dict[str, Any] = {"hidden_size": 32, "num_attention_heads": 2, "intermediate_size": 32}
    config = transformers.BertConfig(vocab_size=len(WORDS.split()), num_hidden_layers=9, **sizes)
    model = transformers.BertModel(config)
    model.save_pretrained(folder)
    transformers.BertTokenizerFast(str(folder / "vocab.txt")).save_pretrained(folder)
    weights = {f"bert.{name}": value for name, value in model.state_dict().items()}
    torch.save(weights, folder / "pytorch_model.bin")  # what awesome-align loads
    return str(folder)


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")
def test_the_real_simalign(network: str) -> None:
    simalign = pytest.importorskip("simalign")
    aligner = simalign.SentenceAligner(model=network, token_type="bpe", matching_methods="mai")
    for source, target in PAIRS:
        methods = aligner.get_word_aligns(source.split(), target.split())
        for links in methods.values():
            alignment = wo.Alignment(len(source.split()), len(target.split()), links)
            assert list(alignment.sure) == links != []


@pytest.mark.slow
def test_the_real_awesome_align(network: str, tmp_path: Path) -> None:
    pytest.importorskip("awesome_align")
    (tmp_path / "text").write_text("".join(f"{source} ||| {target}\n" for source, target in PAIRS))
    done = subprocess.run(
        [sys.executable, "-c", "from awesome_align.run_align import main; main()", "--no_cuda",
         "--model_name_or_path", network, "--data_file", "text", "--output_file", "links",
         "--output_prob_file", "probabilities", "--num_workers", "1"],
        cwd=tmp_path, env={**os.environ, "HF_HUB_OFFLINE": "1"}, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    scored = list(read_scored_links(str(tmp_path / "links"), str(tmp_path / "probabilities")))
    plain = list(wo.read_records(str(tmp_path / "links"), "pharaoh"))
    assert [one.sure for one in scored] == [one.sure for one in plain]
    assert len(scored) == len(PAIRS) and all(0 < p <= 1 for one in scored for p in one.scores.values())
    assert all(set(one.scores) == set(one.sure) != set() for one in scored)
