"""Training a grammar from the command line; it may be stopped at any time."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pytest

from tests.cli.calls import Done, call

METHOD = "grammar:binary=3,nary=1,iterations={},rare=0"


def command(*args: str) -> list[str]:
    return [sys.executable, "-m", "wordorder", "preorder", *args]


Run = Callable[..., Done]


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Run:
    """Run ``wordorder preorder``, here."""
    return lambda *args: call(capsys, monkeypatch, "preorder", *args)


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Verbs, in capitals, go to the end."""
    folder = tmp_path_factory.mktemp("corpus")
    rng = np.random.default_rng(0)
    sources, links = [], []
    for _ in range(60):
        n = int(rng.integers(2, 7))
        words = [f"n{k}" for k in rng.integers(6, size=n)]
        words[int(rng.integers(n - 1))] = f"V{rng.integers(3)}"
        order = sorted(range(n), key=lambda i: (words[i][0] == "V", i))
        sources.append(" ".join(words))
        links.append(" ".join(f"{i}-{order.index(i)}" for i in range(n)))
    (folder / "s").write_text("\n".join([*sources, "", ""]))
    (folder / "a").write_text("\n".join([*links, "", ""]))
    return folder


def train(corpus: Path, model: Path, *more: str, iterations: int = 4) -> tuple[str, ...]:
    return ("train", "--method", METHOD.format(iterations), "--source", str(corpus / "s"),
            "--align", str(corpus / "a"), "--save-model", str(model), *more)  # fmt: skip


def bytes_of(model: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in model.iterdir() if path.name != "README.md"}


def test_train_and_apply(run: Run, corpus: Path, tmp_path: Path) -> None:
    log = tmp_path / "log"
    done = run(*train(corpus, tmp_path / "m", "--log", str(log), "--dev-source", str(corpus / "s"),
                      "--dev-align", str(corpus / "a"), iterations=15))  # fmt: skip
    assert done.returncode == 0 and done.stdout == "" and "seed 1" in done.stderr
    assert "held-out perplexity at the end: " in done.stderr and "\nperplexity at the end: " in done.stderr
    records = [json.loads(line) for line in log.read_text().splitlines()]
    assert [record["iteration"] for record in records] == list(range(15))
    assert records[-1]["perplexity"] < records[0]["perplexity"] and "held_out" in records[0]
    assert not (tmp_path / "m.checkpoint").exists()
    (tmp_path / "new").write_text("n1 V0 n2 n3\n\nn9\n")
    apply = ("apply", "--model", str(tmp_path / "m"), "--source", str(tmp_path / "new"))
    assert run(*apply, "--as", "text").stdout == "n1 n2 n3 V0\n\nn9\n"
    for output in ("order", "tree", "nbest", "lattice", "precedence", "factor", "quasiperm"):
        done = run(*apply, "--as", output)
        warned = "1 empty sentence, written" if output == "lattice" else ""
        assert done.returncode == 0 and done.stderr.startswith(warned), output
        assert done.stderr.count("\n") == bool(warned), output


def test_trees_of_the_training_data_and_the_original_form(run: Run, corpus: Path, tmp_path: Path) -> None:
    from wordorder.core.alignment import Alignment
    from wordorder.io.read_write import read_records
    from wordorder.preorder.oracle import Oracle
    from wordorder.preorder.trees import SourceTree

    model, text, again = str(tmp_path / "m"), str(tmp_path / "text"), str(tmp_path / "again")
    assert run(*train(corpus, tmp_path / "m")).returncode == 0
    done = run("treebank", "--model", model, "--source", str(corpus / "s"), "--align", str(corpus / "a"))
    trees = done.stdout.split("\n")[:-1]
    assert done.returncode == 0 and done.stderr == "60 trees, 1 sentence without\n" and trees[-1] == ""
    for tree, links in zip(trees[:-1], read_records(str(corpus / "a"), "pharaoh"), strict=False):
        found, words = SourceTree.parse(tree)
        assert found.order() == Oracle().gold_order(Alignment(len(words), len(words), links.links))
    assert run("convert", model, text, "--as", "text").returncode == 0
    assert Path(text).read_text().startswith("NONTERMS ||| ROOT ")
    assert run("convert", text, again).returncode == 0
    orders = [run("apply", "--model", m, "--source", str(corpus / "s")).stdout for m in (model, again)]
    assert orders[0] == orders[1]
    assert run("convert", str(corpus / "s"), str(tmp_path / "no")).returncode == 3
    assert run("convert", text, text).returncode == 3


def test_the_same_seed_gives_the_same_bytes(run: Run, corpus: Path, tmp_path: Path) -> None:
    for name, more in (("a", ()), ("b", ("--threads", "1")), ("c", ("--seed", "2"))):
        assert run(*train(corpus, tmp_path / name, *more)).returncode == 0
    assert bytes_of(tmp_path / "a") == bytes_of(tmp_path / "b") != bytes_of(tmp_path / "c")


SLOW = [pytest.param(how, marks=pytest.mark.slow) for how in (signal.SIGINT, signal.SIGTERM)]


@pytest.mark.parametrize("how", [signal.SIGKILL, *SLOW])
def test_stopped_and_resumed_gives_the_same_bytes(
    run: Run, corpus: Path, tmp_path: Path, how: signal.Signals
) -> None:
    iterations = 300
    assert run(*train(corpus, tmp_path / "whole", iterations=iterations)).returncode == 0
    stopped = tmp_path / "stopped"
    checkpoint = tmp_path / "stopped.checkpoint"
    with subprocess.Popen(
        command(*train(corpus, stopped, iterations=iterations)), stderr=subprocess.PIPE
    ) as at:
        for _ in until(30):
            if any(checkpoint.glob("checkpoint*")) or at.poll() is not None:
                break
        time.sleep(0.05)
        at.send_signal(how)
        _, said = at.communicate()
    if at.returncode == 0:
        pytest.skip("it was done before it could be stopped")
    assert at.returncode == {signal.SIGKILL: -9, signal.SIGINT: 130, signal.SIGTERM: 143}[how]
    assert b"Traceback" not in said
    assert not stopped.exists() and checkpoint.exists()
    again = run(*train(corpus, stopped, iterations=iterations))
    assert again.returncode == 3 and "Continue it with --resume, or start again with --fresh" in again.stderr
    done = run(*train(corpus, stopped, "--resume", iterations=iterations))
    assert done.returncode == 0, done.stderr
    assert bytes_of(stopped) == bytes_of(tmp_path / "whole")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["stopped", "whole"]


def until(seconds: float) -> Iterator[None]:
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        yield
        time.sleep(0.005)


def test_resuming_something_else_is_refused(run: Run, corpus: Path, tmp_path: Path) -> None:
    done = run(*train(corpus, tmp_path / "m", "--resume"))
    assert done.returncode == 3 and "there is no training to resume" in done.stderr
    (tmp_path / "m.checkpoint").mkdir()
    (tmp_path / "m.checkpoint" / "checkpoint.safetensors").write_text("{")
    done = run(*train(corpus, tmp_path / "m", "--resume"))
    assert done.returncode == 3 and "is a damaged checkpoint" in done.stderr and "m.checkpoint" in done.stderr
    assert run(*train(corpus, tmp_path / "m", "--fresh")).returncode == 0


@pytest.mark.parametrize(
    ("source", "links", "said"),
    [
        ("a b\n", "0-5 9-0\n", "a:1: link 9-0 is past the last source word"),
        ("a b\nc\n", "0-0\n", "is where this file ends"),
        ("", "", "is empty"),
        ("\n\n", "\n\n", "has no words"),
        ("a b\n", "0:0\n", "a:1: link 1 is '0:0'"),
    ],
)
def test_what_cannot_be_learned_from(run: Run, tmp_path: Path, source: str, links: str, said: str) -> None:
    (tmp_path / "s").write_text(source)
    (tmp_path / "a").write_text(links)
    done = run(*train(tmp_path, tmp_path / "m"))
    assert done.returncode == 3 and said in done.stderr and done.stderr.count("\n") == 1
    assert not (tmp_path / "m").exists() and not (tmp_path / "m.checkpoint").exists()


def test_one_word_and_no_links(run: Run, tmp_path: Path) -> None:
    (tmp_path / "s").write_text("x x x\n" * 5 + "x\n\n")
    (tmp_path / "a").write_text("\n" * 7)
    done = run(*train(tmp_path, tmp_path / "m"))
    assert done.returncode == 3 and "no sentence to learn from" in done.stderr
    (tmp_path / "a").write_text("0-2 1-1 2-0\n" * 5 + "0-0\n\n")
    assert run(*train(tmp_path, tmp_path / "m")).returncode == 0
    done = run("apply", "--model", str(tmp_path / "m"), "--source", str(tmp_path / "s"), "--as", "order")
    assert done.stdout.splitlines()[:2] == ["2 1 0"] * 2 and done.stdout.splitlines()[-2:] == ["0", ""]


def test_a_place_that_cannot_be_written(run: Run, corpus: Path, tmp_path: Path) -> None:
    (tmp_path / "m").mkdir()
    (tmp_path / "m" / "mine").write_text("x")
    done = run(*train(corpus, tmp_path / "m"))
    assert done.returncode == 3 and "is no wordorder-preorderer; choose another folder" in done.stderr
    if os.geteuid():
        (tmp_path / "locked").mkdir(mode=0o500)
        done = run(*train(corpus, tmp_path / "locked" / "m"))
        assert done.returncode == 3 and "Permission denied" in done.stderr


def test_a_full_disk_leaves_the_last_good_state(corpus: Path, tmp_path: Path) -> None:
    """A limit on the size of files stands for the disk: the system refuses to write in the same way."""
    resource = pytest.importorskip("resource")
    args = train(corpus, tmp_path / "m", "--log", str(tmp_path / "log"))

    def limited() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000))

    done = subprocess.run(command(*args), capture_output=True, text=True, check=False, preexec_fn=limited)
    assert done.returncode == 3 and done.stderr.count("\n") == 1
    assert "m.checkpoint" in done.stderr and "cannot be written: File too large" in done.stderr
    assert not (tmp_path / "m").exists()
    assert subprocess.run(command(*args), capture_output=True, check=False).returncode == 0
    assert sorted(path.name for path in tmp_path.iterdir()) == ["log", "m"]


def test_the_crf_learns_from_raw_text_and_automatic_links_too(run: Run, corpus: Path, tmp_path: Path) -> None:
    """The method is another, the commands are the same."""
    base = ("train", "--method", "crf:hash_bits=12,coarse_classes=2,fine_classes=4,epochs=15",
            "--source", str(corpus / "s"),
            "--align", str(corpus / "a"), "--save-model", str(tmp_path / "m"))  # fmt: skip
    done = run(*base, "--auto-source", str(corpus / "s"))
    assert done.returncode == 2 and "--auto-source and --auto-align go together" in done.stderr
    more = ("--auto-source", str(corpus / "s"), "--auto-align", str(corpus / "a"), "--raw", str(corpus / "s"))
    done = run(*base, *more)
    assert done.returncode == 0 and "automatic 61" in done.stderr
    (tmp_path / "new").write_text("n1 V0 n2 n3\n\nn9\n")
    apply = ("apply", "--model", str(tmp_path / "m"), "--source", str(tmp_path / "new"))
    assert run(*apply, "--as", "text").stdout == "n1 n2 n3 V0\n\nn9\n"
    for output in ("order", "tree", "nbest", "lattice", "precedence", "factor", "quasiperm"):
        assert run(*apply, "--as", output).returncode == 0


def test_one_network_for_several_languages(run: Run, corpus: Path, tmp_path: Path) -> None:
    """Tags in a file beside the text, a setting when it is applied."""
    pytest.importorskip("torch")
    count = len((corpus / "s").read_text().split("\n")) - 1
    (tmp_path / "tags").write_text("".join(f"{'ja' if k % 2 else 'ko'}\n" for k in range(count)))
    base = ("train", "--method", "neural-crf:units=4,epochs=1", "--source", str(corpus / "s"),
            "--align", str(corpus / "a"), "--save-model", str(tmp_path / "m"))  # fmt: skip
    done = run(*base, "--device", "nowhere")
    assert done.returncode == 2 and "device is 'nowhere'" in done.stderr
    done = run(*base, "--auto-languages", str(tmp_path / "tags"))
    assert done.returncode == 2 and "--auto-languages goes with --auto-source" in done.stderr
    done = run(*base, "--languages", str(tmp_path / "tags"), "--device", "cpu")
    assert done.returncode == 0, done.stderr
    apply = ("apply", "--model", str(tmp_path / "m"), "--source", str(corpus / "s"))
    done = run(*apply)
    assert done.returncode == 2 and "target languages: ja, ko. Choose one" in done.stderr
    assert run(*apply, "--set", "language=ja").returncode == 0
    (tmp_path / "tags").write_text("ja\nja ko\n" + "ja\n" * (count - 2))
    done = run(*base, "--languages", str(tmp_path / "tags"))
    assert done.returncode == 3 and "tags:2: 'ja ko' is not a language" in done.stderr


def test_a_crf_goes_on_after_it_was_killed(run: Run, corpus: Path, tmp_path: Path) -> None:
    def base(name: str) -> tuple[str, ...]:
        return ("train", "--method", "crf:hash_bits=14,coarse_classes=2,fine_classes=4,epochs=150",
                "--source", str(corpus / "s"), "--align", str(corpus / "a"),
                "--save-model", str(tmp_path / name), "--threads", "1")  # fmt: skip

    assert run(*base("whole")).returncode == 0
    with subprocess.Popen(command(*base("stopped")), stderr=subprocess.PIPE) as at:
        for _ in until(30):
            if any((tmp_path / "stopped.checkpoint").glob("checkpoint*")) or at.poll() is not None:
                break
        time.sleep(0.05)
        at.kill()
        at.communicate()
    if at.returncode == 0:
        pytest.skip("it was done before it could be stopped")
    done = run(*base("stopped"), "--resume")
    assert done.returncode == 0, done.stderr
    assert bytes_of(tmp_path / "stopped") == bytes_of(tmp_path / "whole")
