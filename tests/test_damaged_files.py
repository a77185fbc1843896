"""Damaged files get one clear line: what fuzzing and attackers found, each as small as it can be."""

from __future__ import annotations

import gzip
import json
import random
import re
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from safetensors.numpy import load, save

from tools.fuzz.runner import replay
from tools.fuzz.structure import Files, with_checksum
from tools.fuzz.target import write_files
from tools.fuzz.targets import targets
from wordorder.errors import LONGEST, BadFile, WordOrderError
from wordorder.io.array_file import load_arrays
from wordorder.metrics.beer.output import ScoreScaling

TARGETS = targets()
DIGITS = "1" * 5000
HUGE_FEATURE = f"cased:char{DIGITS}.f1"


def problem(target: str, folder: Path, files: Files) -> str:
    """Return the message of the error that a target raises."""
    write_files(folder, files)
    with pytest.raises(BadFile) as caught:
        TARGETS[target].run(folder)
    message = str(caught.value)
    assert str(folder) in message and len(message.splitlines()) == 1
    return message


@pytest.mark.parametrize(
    ("target", "name", "data", "said"),
    [
        ("paraphrases", "table.gz", gzip.compress(b"1\na\nb\n" * 9, mtime=0)[:-9], "cannot be read"),
        (
            "paraphrases",
            "table.gz",
            b"\x1f\x8b\x08\0\0\0\0\0\0\xff" + b"\xff" * 30,
            "cannot be read: Error -3",
        ),
        ("paraphrases", "table", b"1\na\n", "expected a phrase"),
        ("function_words", "meteor.zip", b"PK\x05\x06" + b"\xff" * 18, "cannot be read"),
        ("rules", "rules.toml", b"name = " + b"[" * 5000, "nested too deep|not TOML"),
        ("rules", "rules.toml", f"name = {DIGITS}".encode(), "is not TOML: .*digits"),
        ("judgments_wmt_csv", "wmt.csv", f"srclang,trglang,system{DIGITS}Id,system1rank".encode(), "wmt.csv"),
        ("format_wpt", "links", f"{DIGITS} 1 1\n".encode(), "links:1: "),
        ("format_quasiperm", "file", f"{DIGITS}\n".encode(), "file:1: "),
        ("format_pharaoh", "links", f"{DIGITS}-0\n".encode(), "links:1: "),
        (
            "grammar_text",
            "grammar",
            b"RULE ||| P12*1_0 -> P12_99999999 ||| 1\n",
            "states; expected .* at most",
        ),
        ("grammar_text", "grammar", b"RULE ||| P12*3_0 -> P12_0 ||| 1\n", r"grammar:1: operator P12\*3_0"),
        ("candidates", "list.jsonl", b'{"sentence": 999999999999, "text": "a"}\n', "list.jsonl"),
        ("candidates", "list.jsonl", b'{"sentence": 9223372036854775808, "text": "a"}\n', "list.jsonl:1: "),
        ("candidates", "list.nbest", b"999999999 ||| a ||| LM= 1\n", "sentence 0 has no candidates"),
    ],
)
def test_files(target: str, name: str, data: bytes, said: str, tmp_path: Path) -> None:
    assert re.search(said, problem(target, tmp_path / "case", {name: data}))


@pytest.mark.parametrize(
    ("changed", "content", "said"),
    [
        ("english.synsets", b"car\n01\nrun\n", "english.synsets:3: the last word has no second line"),
        ("english.exceptions", b"run\n", "english.exceptions:1: the last word has no second line"),
    ],
)
def test_odd_numbers_of_lines(changed: str, content: bytes, said: str, tmp_path: Path) -> None:
    files = {"english.synsets": b"car\n01\n", "english.exceptions": b"", changed: content}
    assert said in problem("synonyms", tmp_path / "case", files)


def test_a_long_line_without_a_number_is_refused_at_once(tmp_path: Path) -> None:
    assert "orders:1: " in problem("permutations", tmp_path / "case", {"orders": b"x" * (1 << 22)})


def test_an_exception_without_a_form(tmp_path: Path) -> None:
    files = dict(next(seed for seed in TARGETS["synonyms"].seeds if "noun.exc" in seed))
    assert "noun.exc:2: expected a form" in problem(
        "synonyms", tmp_path / "case", files | {"noun.exc": b"a b\n\n"}
    )


def test_ratings_with_outputs_need_references(tmp_path: Path) -> None:
    table = b"lp\ttestset\tsegment\tsystem\tz\toutput\nde-en\tnews\t1\ta\t0.5\to\n"
    assert "da.tsv:1: has no column 'reference'" in problem(
        "judgments_tables", tmp_path / "case", {"da.tsv": table}
    )


def arrays(change: Callable[[dict[str, Any]], None]) -> Callable[[Files], Files]:
    """Change the arrays of a model; their checksum is right again."""

    def changed(files: Files) -> Files:
        known = dict(load(files["model.safetensors"]))
        change(known)
        packed = save({name: np.ascontiguousarray(array) for name, array in known.items()})
        return {
            **files,
            "model.safetensors": packed,
            "model.json": with_checksum(files["model.json"], packed),
        }

    return changed


def about(change: Callable[[dict[str, Any]], None]) -> Callable[[Files], Files]:
    """Change the description of a model; its checksum is right again."""

    def changed(files: Files) -> Files:
        known = json.loads(files["model.json"])
        change(known)
        described = with_checksum(json.dumps(known).encode(), files["model.safetensors"])
        return {**files, "model.json": described}

    return changed


def number(name: str, value: float) -> Callable[[Files], Files]:
    def change(known: dict[str, Any]) -> None:
        known[name] = known[name].copy()
        known[name].flat[0] = value

    return arrays(change)


def wide(name: str) -> Callable[[Files], Files]:
    """Make numbers larger than the expected type can hold."""
    return arrays(lambda known: known.update({name: known[name] + np.float64(1e300)}))


@pytest.mark.parametrize(
    ("target", "damage", "said"),
    [
        ("aligner", number("lexical", float("nan")), "is damaged"),
        ("aligner", number("forward_jumps", float("inf")), "is damaged"),
        ("aligner", arrays(lambda known: known.update(rows=known["rows"][None])), "rows is of another type"),
        ("aligner", wide("lexical"), "lexical is of another type"),
        ("aligner", arrays(lambda known: known.pop("lexical")), "is damaged: there is no 'lexical'"),
        ("aligner", about(lambda known: known.pop("trained_on")), "is damaged: there is no 'trained_on'"),
        ("aligner", about(lambda known: known.update(settings=5)), "is damaged"),
        ("neural_crf", about(lambda known: known.update(settings=5)), "is damaged: settings is 5"),
        (
            "neural_crf",
            about(lambda known: known["trained"]["network"]["shape"].update(layers=2**63)),
            "is damaged",
        ),
        (
            "neural_crf",
            about(lambda known: known["trained"]["network"]["shape"].update(layers=0)),
            "the network's size layers is 0; expected 1 to 100",
        ),
        (
            "neural_crf",
            about(lambda known: known["trained"]["network"].update(languages=[None])),
            "the network has a language or label None",
        ),
        (
            "neural_crf",
            about(lambda known: known["trained"]["network"].update(languages=["a", "a"])),
            "the network's words or languages do not fit its sizes",
        ),
        ("neural_crf", number("edge.bias", float("nan")), "edge.bias is not finite"),
        ("parser", number("upos.bias", float("nan")), "upos.bias is not finite, or too large"),
        ("parser", number("arc.weight.factors", 1e30), "arc.weight is not finite, or too large"),
        ("parser", number("arc.weight.factors", 3e38), "arc.weight is not finite, or too large"),
        ("parser", number("arc.weight.factors", float("inf")), "arc.weight is not finite, or too large"),
        ("parser", wide("upos.bias"), "upos.bias is not finite, or too large"),
        ("parser", arrays(lambda known: known.pop("words")), "is damaged: there is no 'words'"),
        ("parser", arrays(lambda known: known.pop("arc.weight")), "arc.weight is missing"),
        (
            "parser",
            arrays(lambda known: known.update({"arc.weight.factors": known["arc.weight.factors"][1:]})),
            "the factors of arc.weight do not fit its rows",
        ),
        ("parser", about(lambda known: known.update(network=5)), "is damaged"),
        ("parser", about(lambda known: known["network"].update(upos=["A"])), "do not fit its sizes"),
        ("parser", about(lambda known: known["network"]["shape"].update(units=2**63)), "size units is"),
        ("feature_crf", number("weights", float("inf")), "not all are finite"),
        ("feature_crf", wide("weights"), "not all are finite"),
        ("grammar", number("rules", -1), "do not fit each other"),
        ("grammar", about(lambda known: known.update(method="magic")), "unknown preorderer 'magic'"),
        ("beer_trained", number("weights", float("nan")), "not finite"),
        ("beer_trained", about(lambda known: known.update(match="magic")), "unknown stage 'magic'"),
        ("beer_trained", about(lambda known: known.update(features=[HUGE_FEATURE])), "needs a size"),
        (
            "beer_trained",
            about(lambda known: known.update(features=["solid:char65536.sf1"])),
            "char needs a size of 1 to 100",
        ),
    ],
)  # fmt: skip
def test_models(target: str, damage: Callable[[Files], Files], said: str, tmp_path: Path) -> None:
    assert said in problem(target, tmp_path / "case", damage(TARGETS[target].seeds[0]))


@pytest.mark.parametrize(("kind", "a"), [("quasi", 1e-5), ("linear", 1e5), ("platt", 1e5)])
def test_margins_beyond_all_numbers_are_scores_without_a_warning(kind: Any, a: float) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        scores = ScoreScaling(kind, a=a)(np.array([-1e308, 1e308, float("-inf")]))
    assert scores.tolist() == [0, 1, 0]


def test_a_changed_setting_is_noticed(tmp_path: Path) -> None:
    files = TARGETS["grammar"].seeds[0]
    changed = files | {"model.json": files["model.json"].replace(b'"iterations": 2', b'"iterations": 3')}
    assert changed != files
    assert "model.json was changed" in problem("grammar", tmp_path / "case", changed)


@pytest.mark.parametrize("size", [b"\x80" + b"\xff" * 11, b"77777777777\0"])
def test_archives_that_claim_any_size_are_refused(size: bytes, tmp_path: Path) -> None:
    header = bytearray(512)
    header[:10], header[156:157], header[257:263] = b"model.json", b"L", b"ustar\0"
    header[124:136] = size
    header[148:156] = b" " * 8
    header[148:156] = b"%06o\0 " % sum(header)
    assert "cannot be read" in problem("model_archive", tmp_path / "case", {"it.tar": bytes(header) * 3})


def test_a_card_that_is_no_text_does_not_hide_the_model() -> None:
    files = TARGETS["grammar"].seeds[0] | {"README.md": b"\xff\xfe"}
    assert replay(TARGETS["grammar"], files) is None


@pytest.mark.parametrize("target", ["array_file", "kept_examples"])
def test_damaged_arrays_count_as_missing(target: str, tmp_path: Path) -> None:
    """Bit flips and cuts; the checksum notices all of them."""
    (data,) = TARGETS[target].seeds[0].values()
    rng = random.Random(1)
    for _ in range(150):
        at = rng.randrange(len(data))
        flipped = data[:at] + bytes([data[at] ^ 1 << rng.randrange(8)]) + data[at + 1 :]
        for damaged in (flipped, data[:at]):
            (tmp_path / "kept").write_bytes(damaged)
            assert load_arrays(tmp_path / "kept") is None


def test_damaged_checkpoints_are_refused(tmp_path: Path) -> None:
    write_files(tmp_path, TARGETS["checkpoint"].seeds[0])
    TARGETS["checkpoint"].run(tmp_path)
    (path,) = tmp_path.iterdir()
    data = path.read_bytes()
    rng = random.Random(1)
    for _ in range(300):
        at = rng.randrange(len(data))
        path.write_bytes(data[:at] + bytes([data[at] ^ 1 << rng.randrange(8)]) + data[at + 1 :])
        with pytest.raises(BadFile, match=str(path)):
            TARGETS["checkpoint"].run(tmp_path)


def test_messages_are_one_short_line() -> None:
    error = WordOrderError("bad\nline \u2028 " + "x" * 10**6, suggest={"name": "a\nb"})
    assert len(str(error).splitlines()) == 1 and len(str(error)) < LONGEST + 100
    assert error.message.startswith("bad\\nline \\u2028 xxx")
