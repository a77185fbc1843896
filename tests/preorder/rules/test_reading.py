"""Mistakes in files of rules: each is told with file and line, and what to try."""

from __future__ import annotations

from pathlib import Path

import pytest

from wordorder.errors import BadFile, BadSetting, UnknownName
from wordorder.preorder import preorderer
from wordorder.preorder.rules import parse_rules, rule_set
from wordorder.preorder.rules.sets import shipped_sets
from wordorder.preorder.rules.toml_lines import Lines
from wordorder.preorder.rules.warnings import never_fire

GOOD = """\
name = "mine"
default = "keep"

[classes]
subject = ["nsubj", "csubj"]

[[rule]]
name = "verb"
head = { upos = "VERB", has = "obj" }
order = [
  "@subject",
  "[other]",  # the rest
  "obj",
  { relation = "advmod", lemma = "not" },
  "HEAD",
]

[[rule]]
name = "noun"
head = "NOUN"
order = ["nmod", "HEAD"]
"""


def test_the_good_one_is_good() -> None:
    assert [rule.line for rule in parse_rules(GOOD, "mine.toml")] == [7, 18]


@pytest.mark.parametrize(
    ("old", "new", "line", "told"),
    [
        ('"obj",\n', '"dobj",\n', 13, "unknown relation 'dobj'; did you mean 'obj'?"),
        ('"nmod", "HEAD"', '"nmod", "prep", "HEAD"', 21, "unknown relation 'prep'"),
        ('"nmod", "HEAD"', '"nmod|nummodd", "HEAD"', 21, "relation 'nummodd'; did you mean 'nummod'?"),
        ('has = "obj"', 'has = "object"', 9, "unknown relation 'object'"),
        ('upos = "VERB"', 'upos = "VRB"', 9, "unknown tag 'VRB'; did you mean 'VERB'?"),
        ('head = "NOUN"', 'head = "N"', 20, "unknown tag 'N'"),
        ('"@subject"', '"@subjects"', 11, "unknown class '@subjects'; did you mean 'subject'?"),
        ('"[other]"', '"[others]"', 12, "unknown slot '[others]'; did you mean '[other]'?"),
        ('  "HEAD",\n', "", 10, "an order without HEAD"),
        ('"HEAD",\n', '"head",\n', 15, "the head is written HEAD"),
        ('"nmod", "HEAD"', '"HEAD", "nmod", "HEAD"', 21, "HEAD stands twice"),
        ('"obj",\n', '"obj", "nsubj",\n', 13, "nsubj stands twice, as slots 1 and 4"),
        ('"[other]"', '"[other]", "[before]"', 12, "[other] is all other children"),
        ('"HEAD",\n', '"HEAD reverse",\n', 15, "HEAD is one word"),
        ("order = [\n", "ordre = [\n", 10, "unknown key 'ordre'; did you mean 'order'?"),
        ('lemma = "not"', 'lemmma = "not"', 14, "unknown key 'lemmma'; did you mean 'lemma'?"),
        ('relation = "advmod", lemma = "not"', 'reverse = true', 14, "a slot without a condition"),
        ('relation = "advmod"', 'side = "left"', 14, "side is 'left'"),
        ('default = "keep"', 'default = "kept"', 2, "default is 'kept'; expected one of keep"),
        ('default = "keep"', 'punctuation = "no"', 2, "punctuation is 'no'"),
        ('default = "keep"', "defaults = 1", 2, "unknown key 'defaults'"),
        ('name = "noun"', 'name = "verb"', 19, "rule 'verb' is already defined on line 7"),
        ('name = "noun"\n', "", 18, "a rule without name"),
        ('head = "NOUN"\n', "", 18, "a rule without head"),
        ('order = ["nmod", "HEAD"]', "", 18, "a rule without order"),
        ('order = ["nmod", "HEAD"]', 'order = "head-last"', 21, "unknown order 'head-last'"),
        ('order = ["nmod", "HEAD"]', "order = 3", 21, "order is 3"),
        ('"csubj"]', '"@subject"]', 5, "classes that contain each other: @subject > @subject"),
        ('"csubj"]', '"csubject"]', 5, "unknown relation 'csubject'"),
        ('head = "NOUN"', "head = ", 20, "is not TOML"),
        ('default = "keep"', 'extends = "nothing"', 2, "extends 'nothing'"),
        ('default = "keep"', 'drop = ["x"]', 2, "no rule 'x' to drop"),
        ("[[rule]]\nname = \"noun\"", '[rules]\nname = "noun"', 18, "unknown key 'rules'"),
        ('head = "NOUN"', 'head = ["!NOUN", "VERB"]', 20, "a ! stands before all alternatives"),
        ('"nmod", "HEAD"', '"nmod|!amod", "HEAD"', 21, "a ! stands before all alternatives"),
        ('head = "NOUN"', 'head = { feats = { Verbform = "Fin" } }', 20, "did you mean 'VerbForm'?"),
        ('name = "noun"', 'name = "default"', 19, "no rule can be called 'default'"),
        ('lemma = "not"', 'feats = { Polarty = "Neg" }', 14, "did you mean 'Polarity'?"),
        ('head = "NOUN"', 'head = { feats = "Tense=Past" }', 20, "feats is 'Tense=Past'; expected a table"),
    ],
)  # fmt: skip
def test_mistakes_are_told_with_their_line(old: str, new: str, line: int, told: str, tmp_path: Path) -> None:
    assert old in GOOD
    path = tmp_path / "mine.toml"
    path.write_text(GOOD.replace(old, new, 1), encoding="utf-8")
    with pytest.raises(BadFile) as caught:
        rule_set(str(path))
    assert told in str(caught.value)
    assert (caught.value.file, caught.value.line) == (str(path), line), str(caught.value)


def test_a_file_of_rules_opens_no_file_elsewhere(tmp_path: Path) -> None:
    for name in ("/etc/passwd", "../other.toml", "below/../../other.toml"):
        (tmp_path / "a.toml").write_text(f'extends = "{name}"\n')
        with pytest.raises(BadFile, match=r"a\.toml:1: extends .*: expected a shipped set, or a file"):
            rule_set(str(tmp_path / "a.toml"))
    (tmp_path / "a.toml").write_text("extends = " + "[" * 5000 + "]" * 5000 + "\n")
    with pytest.raises(BadFile, match=r"nested too deep|not TOML"):
        rule_set(str(tmp_path / "a.toml"))


def test_sets_that_extend_each_other(tmp_path: Path) -> None:
    (tmp_path / "a.toml").write_text('name = "a"\nextends = "b.toml"\n')
    (tmp_path / "b.toml").write_text('extends = ["none", "a.toml"]\n')
    with pytest.raises(BadFile, match=r"b\.toml:1: extends 'a\.toml': .*circle: a\.toml > b\.toml > a\.toml"):
        rule_set(str(tmp_path / "a.toml"))


def test_an_unknown_set_lists_the_known() -> None:
    with pytest.raises(UnknownName, match="Did you mean 'en-ja'"):
        rule_set("en-jp")
    with pytest.raises(BadSetting, match="has no rule 'verbs'; it has: copula, verb"):
        preorderer("rules:set=en-ja,without=verbs")


def test_other_treebanks_name_their_labels() -> None:
    text = 'labels = ["SB", "OA"]\ntags = ["VVFIN"]\n' + (
        '[[rule]]\nname = "v"\nhead = "VVFIN"\norder = ["SB", "OA", "HEAD"]\n'
    )
    assert len(parse_rules(text, "tiger.toml")) == 1
    with pytest.raises(BadFile, match="unknown relation 'nsubj'"):
        parse_rules(text.replace('"OA", "HEAD"', '"nsubj", "HEAD"'), "tiger.toml")


def test_not_utf8_and_a_folder(tmp_path: Path) -> None:
    (tmp_path / "x.toml").write_bytes(b"# \n# \xff\n")
    with pytest.raises(BadFile, match=r"x\.toml:2: is not UTF-8"):
        rule_set(str(tmp_path / "x.toml"))
    with pytest.raises(UnknownName):
        rule_set(str(tmp_path))


def test_a_mark_at_the_beginning_of_the_file(tmp_path: Path) -> None:
    (tmp_path / "x.toml").write_text(GOOD, encoding="utf-8-sig")
    assert len(rule_set(str(tmp_path / "x.toml"))) == 2


def test_slots_have_their_own_lines() -> None:
    text = 'order = [ "a", # "x", [\n  { relation = "b", side = "c" }, """\nd""",\n'
    lines = Lines(text + '"e", ["f"],\n\n\'g\' ]\nz = 1\n')
    assert [lines.of(("order", at)) for at in range(7)] == [1, 2, 2, 4, 4, 6, 1]
    assert lines.of(("order", 5), "g") == 6 and lines.of(("z",)) == 7


def replaced(name: str) -> str:
    return f'extends = "sov"\n[[rule]]\nname = "{name}"\nhead = "NOUN"\norder = ["HEAD", "[other]"]\n'


def test_a_rule_takes_the_place_of_the_one_that_it_replaces(tmp_path: Path) -> None:
    path = tmp_path / "x.toml"
    path.write_text(replaced("noun"))
    assert [rule.name for rule in rule_set(str(path))] == ["copula", "verb", "noun", "adjective"]
    path.write_text(replaced("mine"))
    assert next(iter(rule_set(str(path)))).name == "mine"
    path.write_text('drop = ["noun"]\n' + replaced("noun"))
    assert next(iter(rule_set(str(path)))).name == "noun"
    for name in shipped_sets():
        assert not never_fire(rule_set(name)), name
    assert next(iter(rule_set("en-tr"))).name == "copula"


@pytest.mark.parametrize(
    ("first", "second", "dead"),
    [
        ('"VERB|AUX"', '"AUX"', True),
        ('"AUX"', '"VERB|AUX"', False),
        ("{}", '{ has = "cop" }', True),
        ('{ has = "cop" }', "{}", False),
        ('{ upos = "!NOUN" }', '"VERB"', True),
        ('{ upos = "!NOUN" }', '"VERB|NOUN"', False),
        ('{ upos = "!NOUN" }', '{ upos = "!NOUN|VERB" }', True),
        ('{ upos = "!NOUN|VERB" }', '{ upos = "!NOUN" }', False),
        ('{ relation = "obl" }', '{ relation = "obl:tmod" }', True),
        ('{ relation = "obl:tmod" }', '{ relation = "obl" }', False),
        ('{ has = "obl|obj" }', '{ has = "obl:tmod" }', True),
        ('{ has = "obl:tmod" }', '{ has = "obl" }', False),
        ('{ lacks = "obl:tmod" }', '{ lacks = "obl|obj" }', True),
        ('{ lacks = "obl|obj" }', '{ lacks = "obl" }', False),
        ('{ feats = { PronType = "!Rel" } }', '{ feats = { PronType = "Int" } }', False),
        ('{ feats = { PronType = "Int|Rel" } }', '{ feats = { PronType = "Int", Case = "Nom" } }', True),
    ],
)
def test_rules_that_never_fire(first: str, second: str, dead: bool) -> None:
    text = f'[[rule]]\nname = "a"\nhead = {first}\norder = "keep"\n'
    text += f'[[rule]]\nname = "b"\nhead = {second}\norder = "keep"\n'
    assert [(rule.name, by.name) for rule, by in never_fire(parse_rules(text, "x"))] == [("b", "a")] * dead


def test_labels_of_a_treebank_are_inherited(tmp_path: Path) -> None:
    (tmp_path / "a.toml").write_text('labels = ["SB"]\ntags = ["VVFIN"]\n')
    rule = '[[rule]]\nname = "v"\nhead = "VVFIN"\norder = ["SB", "HEAD"]\n'
    (tmp_path / "b.toml").write_text('extends = "a.toml"\n' + rule)
    made = rule_set(str(tmp_path / "b.toml"))
    assert (made.labels, made.tags) == (("SB",), ("VVFIN",))


def test_lines_of_values_that_go_on() -> None:
    text = 'a = """\nb = 1\n"""\n# c = 2\n[t.u]\nc = {x = "]", y = [1,\n2]}\n'
    text += "'d' = '#'\n[[r]]\n[[r]]\nz = 1\n"
    lines = Lines(text)
    assert [lines.of(path) for path in (("a",), ("t", "u"), ("t", "u", "c"), ("t", "u", "d"))] == [1, 5, 6, 8]
    assert lines.of(("r", 0)) == 9 and lines.of(("r", 1, "z")) == 11 and lines.of(("b",)) == 1
