"""The average of preorderers: its tables and orders from the definition, its files, its languages."""

from __future__ import annotations

import itertools
import json
from pathlib import Path

import numpy as np
import pytest

from tests.cli.calls import Done, call
from tests.models import describe
from tests.oracle import mixed
from tests.preorder.test_crf_features import SMALL, corpus
from tools.fuzz.loaders import _network
from wordorder.core.permutation import Permutation
from wordorder.errors import BadFile, BadSetting, UnknownName, WordOrderError
from wordorder.preorder import Source, TrainingData, check_preorderer, load_preorderer, parses
from wordorder.preorder.average import Average, NamedMember, member_list
from wordorder.preorder.base import precedence_of
from wordorder.preorder.crf import FeatureCRF
from wordorder.preorder.crf.decoding import expected_quality

RULES = """\
name = "swap"
[[rule]]
name = "verbs last"
head = { upos = "VERB" }
order = ["obj", "HEAD"]
"""
ENGLISH = [Source(tuple(line.split())) for line in ("she saw old dogs .", "he sleeps", "stop", "")]


@pytest.fixture(scope="module")
def models(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with two feature CRFs and a file of rules."""
    home = tmp_path_factory.mktemp("models")
    for seed, name in enumerate(("one", "two")):
        SMALL.fit(TrainingData(*corpus(60, seed))).save(str(home / name))
    (home / "swap.toml").write_text(RULES)
    return home


def average(home: Path, *names: str, **settings: object) -> Average:
    members = member_list(
        [str(home / name) if "/" not in name and name[0] != "=" else name[1:] for name in names]
    )
    return Average(members=members, **settings)  # type: ignore[arg-type]


def sentences(seed: int, count: int = 12) -> list[Source]:
    rng = np.random.default_rng(seed)
    return [
        Source(tuple("abcdefg"[k] for k in rng.integers(7, size=int(n)))) for n in rng.integers(0, 8, count)
    ]


@pytest.mark.parametrize("adjacency", [0.0, 0.3, 1.0])
def test_the_order_is_the_best_one_for_the_mean_of_the_tables(models: Path, adjacency: float) -> None:
    """The slow way: means of the tables of the members, and a program without bounds over all trees."""
    made = Average(
        members=member_list([str(models / "one"), str(models / "two")], [2, 1]), adjacency=adjacency
    )
    one, two = (load_preorderer(str(models / name)) for name in ("one", "two"))
    for source in sentences(1):
        tables = made.precedence_batch([source])[0]
        expected = (2 * one.precedence_batch([source])[0] + two.precedence_batch([source])[0]) / 3
        assert tables == pytest.approx(expected)
        if len(source) < 2:
            continue
        (tables,) = made.sentence_tables([source])
        mean, carried = tables.free, tables.carried
        assert not carried
        (order,) = made.reorder_batch([source])
        found = expected_quality(order.order.tolist(), mean, adjacency)
        assert found == pytest.approx(mixed.best_value(mean.inverted, mean.following, adjacency))


def test_neighbours_are_averaged_too(models: Path) -> None:
    made = average(models, "one", "=identity")
    (one,) = (load_preorderer(str(models / "one")),)
    assert isinstance(one, FeatureCRF)
    for source in sentences(2):
        n = len(source)
        mean = made.sentence_tables([source])[0].final
        still = np.zeros((n + 1, n + 1))
        for a, b in itertools.pairwise([n, *range(n), n]):
            still[a, b] = 1
        (pieces,) = one.expectations([source])
        assert mean.following == pytest.approx((pieces[0].following + still) / 2)
        assert mean.inverted == pytest.approx(pieces[0].inverted / 2)


def test_the_probability_of_an_order_is_that_of_the_mixture(models: Path) -> None:
    made = Average(members=member_list([str(models / "one"), "identity"], [3, 1]))
    one = load_preorderer(str(models / "one"))
    source = Source(tuple("bacd"))
    orders = [Permutation.from_order(p) for p in itertools.permutations(range(4))]
    found = np.exp(made.log_probability_batch([source] * 24, orders))
    own = np.exp(np.array(one.log_probability_batch([source] * 24, orders), float))
    still = [order == Permutation.identity(4) for order in orders]
    assert found == pytest.approx(0.75 * own + 0.25 * np.array(still))
    assert found.sum() == pytest.approx(1, abs=1e-5)
    # The tables are expectations over the same distribution.
    table = sum(share * precedence_of(order) for share, order in zip(found, orders, strict=True))
    assert made.precedence_batch([source])[0] == pytest.approx(table, abs=1e-5)
    (best,) = made.nbest_batch([source], 3)
    assert [one.log_prob for one in best] == pytest.approx(
        made.log_probability_batch([source] * len(best), [one.order for one in best])
    )


def test_the_contract(models: Path) -> None:
    check_preorderer(Average)
    check_preorderer(average(models, "one", "two", "=rules:head-final"))
    check_preorderer(average(models, "one", "=identity", adjacency=0.0))
    check_preorderer(average(models, "one", "=oracle", min_gain=0.1))


def test_a_single_member_gives_its_own_orders(models: Path) -> None:
    one = load_preorderer(str(models / "one"))
    sources = [*sentences(3), Source(tuple("abcdefg" * 20))]  # the last is read in windows
    assert average(models, "one").reorder_batch(sources) == one.reorder_batch(sources)
    cut = load_preorderer(str(models / "one"), window=0, piece=5)
    folder = models / "cut"
    cut.save(str(folder))
    pieces = average(models, "cut")
    assert pieces.precedence_batch(sources)[-1] == pytest.approx(cut.precedence_batch(sources)[-1])
    tables = pieces.sentence_tables(sources[-1:])[0].final
    # Whatever the pieces, every word has one word before it and one after it.
    assert tables.following.sum(axis=0) == pytest.approx(1) and tables.following.sum(axis=1) == pytest.approx(
        1
    )
    (found,) = pieces.explain_batch([Source(tuple("abcdefg" * 3))])
    assert len(found.falls) == 21
    # A grammar has no table of neighbours: those of its best order are taken.
    grammar = load_preorderer("en-ja")
    mean = Average(members="en-ja")
    assert mean.precedence_batch(ENGLISH)[0] == pytest.approx(grammar.precedence_batch(ENGLISH)[0])


def test_a_saved_average_contains_its_members(models: Path, tmp_path: Path) -> None:
    for name in ("one", "two"):
        load_preorderer(str(models / name)).save(str(tmp_path / name))
    rules = tmp_path / "swap.toml"
    rules.write_text(RULES)
    made = Average(members=member_list([str(tmp_path / "one"), str(tmp_path / "two"), str(rules)], [1, 2, 9]))
    orders, tables = made.reorder_batch(ENGLISH), made.precedence_batch(ENGLISH)
    assert any(order != Permutation.identity(len(order)) for order in orders)
    made.save(str(tmp_path / "all"))
    for name in ("one", "two"):
        (tmp_path / name).rename(tmp_path / f"no-{name}")
    rules.unlink()
    again = load_preorderer(str(tmp_path / "all"))
    assert again == made and again.needs == ("parse",)
    assert again.reorder_batch(ENGLISH) == orders
    assert all(np.array_equal(a, b) for a, b in zip(again.precedence_batch(ENGLISH), tables, strict=True))
    # Other settings keep what it contains, and so does saving it again.
    other = load_preorderer(str(tmp_path / "all"), adjacency="0")
    assert isinstance(other, Average) and other.adjacency == 0
    other.save(str(tmp_path / "again"))
    assert load_preorderer(str(tmp_path / "again")).precedence_batch(ENGLISH)[0] == pytest.approx(tables[0])
    with pytest.raises(BadSetting, match="members of a saved average cannot be changed"):
        load_preorderer(str(tmp_path / "all"), members="identity")
    # A model cannot name files.
    about = json.loads((tmp_path / "all" / "model.json").read_text())
    del about["trained"]["members"]["0"]
    describe(tmp_path / "all", about)
    (tmp_path / "no-one").rename(tmp_path / "one")
    with pytest.raises(WordOrderError, match="neither stored nor an installed model"):
        load_preorderer(str(tmp_path / "all")).reorder_batch(ENGLISH)


def test_members_for_other_languages_are_not_read(models: Path, tmp_path: Path) -> None:
    """A damaged member is an error in one line when it is used, and none before."""
    average(models, f"={models}/one@ja", "=rules:head-final@ko").save(str(tmp_path / "m"))
    about = json.loads((tmp_path / "m" / "model.json").read_text())
    about["trained"]["members"]["0"]["settings"]["epochs"] = "?"
    describe(tmp_path / "m", about)
    korean = load_preorderer(str(tmp_path / "m"), language="ko")
    assert korean.needs == ("parse",) and korean.target_languages == ("ja", "ko")
    assert korean.reorder_batch(ENGLISH) == load_preorderer("head-final").reorder_batch(ENGLISH)
    with pytest.raises(BadFile, match=r"the member .*one@ja of an average: has settings"):
        load_preorderer(str(tmp_path / "m"), language="ja").reorder_batch(ENGLISH)


def test_installed_models_are_found_by_name(tmp_path: Path) -> None:
    made = Average(members="en-ja+0.5*rules:en-ja")
    made.save(str(tmp_path / "m"))
    again = load_preorderer(str(tmp_path / "m"))
    assert list(again.trained["members"]) == ["1"] and again.reorder_batch(ENGLISH) == made.reorder_batch(
        ENGLISH
    )
    assert sum(file.stat().st_size for file in (tmp_path / "m").iterdir()) < 10_000


def test_members_for_some_languages(models: Path, tmp_path: Path) -> None:
    _network(("de", "ja")).save(str(tmp_path / "network"))
    made = average(models, f"={tmp_path}/network", f"={models}/one@ja", "=identity@de")
    words = tuple("abcd")
    table = {target: made.precedence_batch([Source(words, target=target)])[0] for target in ("ja", "de")}
    network, one = load_preorderer(str(tmp_path / "network")), load_preorderer(str(models / "one"))
    for target, other in (("ja", one), ("de", load_preorderer("identity"))):
        own = network.precedence_batch([Source(words, target=target)])[0]
        assert table[target] == pytest.approx((own + other.precedence_batch([Source(words)])[0]) / 2)
    # The setting is for sentences without a language of their own, also in one batch with others.
    both = made.with_settings(language="ja").precedence_batch([Source(words, target="de"), Source(words)])
    assert np.array_equal(both[0], table["de"]) and np.array_equal(both[1], table["ja"])
    assert made.with_settings(language="ja").nbest_batch([Source(words)], 2)[0][0].log_prob is not None
    only = average(models, f"={models}/one@ja/ko", f"={models}/two@zh")
    assert only.target_languages == ("ja", "ko", "zh")
    with pytest.raises(BadSetting, match="several target languages: ja, ko, zh"):
        only.reorder_batch([Source(words)])
    with pytest.raises(BadSetting, match="language is 'de'; the model knows ja, ko, zh"):
        only.reorder_batch([Source(words, target="de")])
    with pytest.raises(BadSetting, match="language is 'de'; the model knows ja, ko, zh"):
        only.with_settings(language="de").reorder_batch([Source(words)])
    with pytest.raises(BadSetting, match="no member has a named target language"):
        average(models, "one", language="ja").reorder_batch([Source(words)])


def test_carried_words(models: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A word that a member carries along stands before the word that carries it."""
    monkeypatch.setattr(FeatureCRF, "carried", lambda self, piece, scores: {0: 1} if len(piece) > 3 else {})
    made = average(models, "one", "two")
    for source, order in zip(sentences(5), made.reorder_batch(sentences(5)), strict=True):
        if len(source) > 3:
            assert order.ranks[0] + 1 == order.ranks[1]


def test_sentences_are_parsed_once(models: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    parser, seen = parses.load_parser(), []

    class Counting:
        def parse_batch(self, sentences: list[tuple[str, ...]]) -> object:
            seen.extend(sentences)
            return parser.parse_batch(sentences)

    monkeypatch.setattr(parses, "load_parser", Counting)
    made = average(models, "one", f"={models}/swap.toml", "=rules:head-final")
    assert len(made.nbest_batch(ENGLISH, 3)) == len(ENGLISH)
    assert seen == [source.words for source in ENGLISH if source.words]


@pytest.mark.parametrize(
    ("members", "said"),
    [
        ("", "cannot read the member ''"),
        ("identity+", "cannot read the member ''"),
        ("x*identity", "'x' is no weight"),
        ("0*identity", "with a weight above 0"),
        ("-1*identity", "with a weight above 0"),
        ("nan*identity", "with a weight above 0"),
        ("identity@", "cannot read the member 'identity@'"),
    ],
)
def test_members_are_checked(members: str, said: str) -> None:
    with pytest.raises(BadSetting, match=said):
        Average(members=members)


def test_members_are_written_as_they_are_read() -> None:
    for text in ("identity", "0.5*rules:en-ja@ja/ko", "2*en-multi-crf:language=ja"):
        assert str(NamedMember.parse(text)) == text
    with pytest.raises(BadSetting, match="contains \\+"):
        member_list(["a+b"])
    with pytest.raises(BadSetting, match="2 weights, but 1 members"):
        member_list(["identity"], [1, 2])
    with pytest.raises(UnknownName, match="no-such-model"):
        Average(members="no-such-model").reorder("a b")
    with pytest.raises(BadSetting, match="nothing to learn"):
        Average().fit(TrainingData(*corpus(5)))


def test_from_the_command_line(
    models: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def run(*args: str) -> Done:
        return call(capsys, monkeypatch, "preorder", *args)

    folder, text = str(tmp_path / "both"), tmp_path / "text"
    text.write_text("b a c d\n\na b\n")
    members = [str(models / "one"), str(models / "two")]
    done = run("average", *members, "--weights", "1,3", "--save-model", folder)
    assert done.returncode == 0 and done.stderr == f"wrote {folder}: 2 members\n"
    expected = Average(members=member_list(members, [1, 3]))
    lines = [line.split() for line in text.read_text().splitlines()]
    for kind in ("text", "order", "tree", "nbest", "precedence", "lattice", "factor", "json", "quasiperm"):
        done = run("apply", "--model", folder, "--source", str(text), "--as", kind)
        assert done.returncode == 0 and done.stdout
        if kind == "text":
            assert done.stdout == "".join(
                f"{one}\n" for one in expected.reorder([Source(tuple(x)) for x in lines])
            )
    written = f"average:members={members[0]}+3*{members[1]}"
    same = [run("apply", "--model", model, "--source", str(text)).stdout for model in (folder, written)]
    assert same[0] == same[1]
    threads = run("apply", "--model", folder, "--source", str(text), "--threads", "2", "--as", "nbest").stdout
    assert threads == run("apply", "--model", folder, "--source", str(text), "--as", "nbest").stdout
    assert "average" in run("list").stdout
    assert run("explain", "--model", folder, "--source", str(text)).returncode == 0
    for wrong, said in (
        (["--weights", "1"], "--weights has 1 numbers for 2 members"),
        (["--weights", "1,x"], "expected numbers, separated by commas"),
    ):
        done = run("average", *members, *wrong, "--save-model", str(tmp_path / "no"))
        assert done.returncode == 2 and said in done.stderr
    done = run("average", *members, "--save-model", str(tmp_path))
    assert done.returncode != 0 and "exists and is no" in done.stderr
