"""Every construct of the rule language on trees made by hand."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.preorder.rules.trees import tree
from wordorder.io.sentence import Sentence
from wordorder.preorder import check_preorderer, preorderer
from wordorder.preorder.rules import explain, parse_rules, rule_set, shipped_sets
from wordorder.preorder.rules.language import Around, Condition, Values
from wordorder.preorder.rules.matching import RuleMatcher
from wordorder.preorder.rules.writing import to_toml
from wordorder.preorder.source import Source

ATE = tree(
    "yesterday~NOUN~obl:tmod~4 he~PRON~nsubj~4 did~AUX~aux~4 eat~VERB~root~0 "
    "the~DET~det~6 fish~NOUN~obj~4 quickly~ADV~advmod~4 at~ADP~case~9 home~NOUN~obl~4"
)


def read(rules: str, sentence: Sentence = ATE) -> str:
    made = parse_rules(rules, "test.toml")
    return " ".join(RuleMatcher(made).reorder([sentence])[0].apply(sentence.forms))


def rule(order: str, head: str = '"VERB"', more: str = "") -> str:
    return f'{more}\n[[rule]]\nname = "r"\nhead = {head}\norder = {order}\n'


@pytest.mark.parametrize(
    ("order", "expected"),
    [
        ('"keep"', "yesterday he did eat the fish quickly at home"),
        ('"reverse"', "at home quickly the fish eat did he yesterday"),
        ('"head-final"', "yesterday he did the fish quickly at home eat"),
        ('"head-initial"', "eat yesterday he did the fish quickly at home"),
        # labels, HEAD, and the rest
        ('["nsubj", "[other]", "obj", "HEAD"]', "he yesterday did quickly at home the fish eat"),
        # a label stands for its subtypes, unless these have a slot of their own
        ('["obl", "[other]", "HEAD"]', "yesterday at home he did the fish quickly eat"),
        ('["obl:tmod", "[other]", "HEAD", "obl"]', "yesterday he did the fish quickly eat at home"),
        # alternatives share a slot and keep their order; reverse turns it
        ('["[other]", "HEAD", "obj|nsubj"]', "yesterday did quickly at home eat he the fish"),
        ('["[other]", "HEAD", "obj|nsubj reverse"]', "yesterday did quickly at home eat the fish he"),
        ('["[other] reverse", "HEAD"]', "at home quickly the fish did he yesterday eat"),
        # what no slot names stays on its side of the head
        ('["obj", "HEAD"]', "the fish yesterday he did eat quickly at home"),
        ('["obj", "HEAD", "nsubj"]', "the fish yesterday did eat quickly at home he"),
        ('["[after]", "HEAD", "[before]"]', "the fish quickly at home eat yesterday he did"),
        ('["[before]", "[after] reverse", "HEAD"]', "yesterday he did at home quickly the fish eat"),
        ('["[before] reverse", "[after]", "HEAD"]', "did he yesterday the fish quickly at home eat"),
        # conditions on children
        ('["[other]", {upos = "NOUN"}, "HEAD"]', "he did quickly yesterday the fish at home eat"),
        ('["[other]", {upos = "!NOUN"}, "HEAD"]', "yesterday the fish at home he did quickly eat"),
        ('["[other]", "HEAD", {relation = "obl", side = "before"}]',
         "he did the fish quickly at home eat yesterday"),
        ('["[other]", "HEAD", {form = "THE|Home"}]', "yesterday he did the fish quickly eat at home"),
        ('["[other]", "HEAD", {has = "case|det", reverse = true}]',
         "yesterday he did quickly eat at home the fish"),
        ('["[other]", "HEAD", {relation = "obj|obl", lacks = "case"}]',
         "he did quickly at home eat yesterday the fish"),
        # the special slot wins over the plain one
        ('["obl", "[other]", "HEAD", {relation = "obl", lemma = "home"}]',
         "yesterday he did the fish quickly eat at home"),
    ],
)  # fmt: skip
def test_orders(order: str, expected: str) -> None:
    assert read(rule(order)) == expected


@pytest.mark.parametrize(
    ("head", "fires"),
    [
        ('"VERB"', True),
        ('"NOUN|VERB"', True),
        ('["NOUN", "VERB"]', True),
        ('"!VERB"', False),
        ('{ upos = "VERB", lemma = "EAT" }', True),
        ('{ lemma = "drink|sleep" }', False),
        ('{ relation = "root" }', True),
        ('{ relation = "!root" }', False),
        ('{ has = "obl" }', True),
        ('{ has = "iobj" }', False),
        ('{ has = "iobj|obj" }', True),
        ('{ lacks = "aux" }', False),
        ('{ parent = "VERB" }', False),
        ('{ feats = { Tense = "Past" } }', True),
        ('{ feats = { Tense = "Past|Pres", Mood = "!Imp" } }', True),
        ('{ feats = { Tense = "Fut" } }', False),
        ('{ feats = { Voice = "Pass" } }', False),
        ('{ xpos = "VBD" }', False),
        ("{}", True),
    ],
)
def test_conditions_of_heads(head: str, fires: bool) -> None:
    sentence = tree(
        "he~PRON~nsubj~3 will~AUX~aux~3 eat~VERB~root~0~eat~Mood=Ind|Tense=Past fish~NOUN~obj~3 h~X~obl~3"
    )
    found = read(rule('"head-final"', head), sentence)
    assert found == ("he will fish h eat" if fires else "he will eat fish h")


def test_parent_is_the_tag_of_the_head() -> None:
    sentence = tree("see~VERB~root~0 big~ADJ~amod~3 dogs~NOUN~obj~1")
    assert read(rule('["HEAD", "[other]"]', '{ upos = "NOUN", parent = "VERB" }'), sentence) == "see dogs big"


def test_the_first_rule_that_fits_fires() -> None:
    rules = rule('"head-final"', '{ lemma = "eat" }').replace('"r"', '"eat"') + rule('"reverse"')
    assert read(rules).endswith("home eat")


def test_default_is_for_heads_without_a_rule() -> None:
    sentence = tree("the~DET~det~2 dog~NOUN~nsubj~3 barks~VERB~root~0")
    assert read(rule('"reverse"', more='default = "head-initial"'), sentence) == "barks dog the"


@pytest.mark.parametrize(
    ("policy", "expected"),
    [("keep", "cats black and dogs white saw he"), ("rules", "and dogs white cats black saw he")],
)
def test_coordination(policy: str, expected: str) -> None:
    sentence = tree(
        "he~PRON~nsubj~2 saw~VERB~root~0 black~ADJ~amod~4 cats~NOUN~obj~2 and~CCONJ~cc~7 "
        "white~ADJ~amod~7 dogs~NOUN~conj~4"
    )
    rules = f"""
coordination = "{policy}"
[[rule]]
name = "verb"
head = "VERB"
order = ["[other] reverse", "HEAD", "nsubj"]
[[rule]]
name = "noun"
head = "NOUN"
order = ["conj", "cc", "HEAD", "[other]"]
"""
    assert read(rules, sentence) == expected


def test_what_follows_a_coordination_belongs_to_all_of_it() -> None:
    sentence = tree("apples~NOUN~root~0 and~CCONJ~cc~3 pears~NOUN~conj~1 from~ADP~case~5 Spain~PROPN~nmod~1")
    assert read('default = "head-final"', sentence) == "from Spain apples and pears"
    assert read('default = "keep"', sentence) == "apples and pears from Spain"


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        # the last full stop stays last, a comma stays behind the phrase that it closes
        (
            "then~ADV~advmod~3 ,~PUNCT~punct~3 go~VERB~root~0 home~ADV~advmod~3 .~PUNCT~punct~3",
            "then , home go .",
        ),
        # brackets and quotes stay around what they hold
        (
            "he~PRON~nsubj~2 said~VERB~root~0 “~PUNCT~punct~5 I~PRON~nsubj~5 go~VERB~ccomp~2 "
            "home~ADV~advmod~5 .~PUNCT~punct~5 ”~PUNCT~punct~5",
            "he “ I home go . ” said",
        ),
        (
            "see~VERB~root~0 it~PRON~obj~1 (~PUNCT~punct~5 far~ADV~advmod~5 away~ADV~advmod~1 "
            ")~PUNCT~punct~5 !~PUNCT~punct~1",
            "it ( far away ) see !",
        ),
        # quotes that open and close with the same sign
        (
            '"~PUNCT~punct~2 go~VERB~ccomp~5 home~ADV~advmod~2 "~PUNCT~punct~2 said~VERB~root~0 '
            "he~PRON~nsubj~5",
            '" home go " he said',
        ),
        # a mark with words below it is a word
        ("x~NOUN~root~0 -~PUNCT~punct~1 y~NOUN~dep~2", "y - x"),
    ],
)  # fmt: skip
def test_punctuation_goes_with_phrases(words: str, expected: str) -> None:
    assert read('default = "head-final"', tree(words)) == expected


def test_punctuation_as_words() -> None:
    sentence = tree("go~VERB~root~0 home~ADV~advmod~1 .~PUNCT~punct~1")
    assert read('default = "head-final"\npunctuation = "tree"', sentence) == "home . go"


def test_multiword_tokens_move_whole_or_in_parts() -> None:
    text = "he~PRON~nsubj~4 do~AUX~aux~4 n't~PART~advmod~4 eat~VERB~root~0 fish~NOUN~obj~4"
    sentence = tree(text, ranges=((2, 3),))
    order = '["[other]", "HEAD", "aux"]'
    assert read(rule(order), sentence) == "he fish eat do n't"
    assert read(rule(order, more='multiword = "split"'), sentence) == "he n't fish eat do"


def test_words_below_a_multiword_token_hang_on_all_of_it() -> None:
    # zum (zu dem) Haus: both parts hang on Haus; a word below the second part hangs on the token
    sentence = tree("zu~ADP~case~4 dem~DET~det~4 ganz~ADV~advmod~2 Haus~NOUN~root~0", ranges=((1, 2),))
    assert read('default = "head-final"', sentence) == "ganz zu dem Haus"
    assert read('default = "head-initial"', sentence) == "Haus zu dem ganz"


def test_crossing_arcs_are_lifted() -> None:
    # "a hearing is scheduled on the issue": the issue belongs to the hearing
    sentence = tree(
        "A~DET~det~2 hearing~NOUN~nsubj~4 is~AUX~aux~4 scheduled~VERB~root~0 on~ADP~case~7 the~DET~det~7 "
        "issue~NOUN~nmod~2 today~NOUN~obl~4"
    )
    told = explain(RuleMatcher(rule_set("none")), [sentence])[0]
    assert told.order.is_identity() and told.lifted == 1
    assert read(rule('["[other]", "nmod", "HEAD"]'), sentence) == "A hearing is today on the issue scheduled"


def test_sets_extend_others(tmp_path: Path) -> None:
    (tmp_path / "base.toml").write_text(
        'coordination = "rules"\n[classes]\nsubject = ["nsubj", "csubj"]\n'
        + rule('["[other]", "HEAD"]').replace('"r"', '"verb"')
        + rule('"reverse"', '"NOUN"').replace('"r"', '"noun"')
    )
    (tmp_path / "mine.toml").write_text(
        'extends = "base.toml"\ndrop = ["noun"]\n'
        + rule('["HEAD", "@subject", "[other]"]').replace('"r"', '"verb"')
    )
    made = rule_set(str(tmp_path / "mine.toml"))
    assert [one.name for one in made] == ["verb"]
    assert made.coordination == "rules" and made.multiword == "whole"
    assert str(made.rules[0].slots[1]) == "nsubj|csubj"
    assert made.rules[0].place.endswith("mine.toml:4")


def test_explanation_names_rule_line_head_and_pieces() -> None:
    made = parse_rules(rule('["nsubj", "[other]", "obj", "HEAD"]'), "my.toml")
    told = explain(RuleMatcher(made), [ATE])[0]
    event = told.fired[0]
    assert (event.rule.name, event.rule.place, event.head, event.moved) == ("r", "my.toml:2", 3, True)
    assert [piece.slot for piece in event.after] == [
        "nsubj",
        "[other]",
        "[other]",
        "[other]",
        "[other]",
        "obj",
        "HEAD",
    ]
    assert [ATE.forms[p.word] for p in event.moved_pieces] == ["he", "eat", "fish"]
    assert "eat: r (my.toml:2): [he]nsubj [yesterday]obl:tmod" in told.to_text()
    assert told.as_dict()["fired"][0]["pieces"][0] == {
        "word": 1, "relation": "nsubj", "slot": "nsubj", "words": [1]
    }  # fmt: skip


@pytest.mark.parametrize("name", shipped_sets())
def test_shipped_sets_keep_the_contract_and_are_written_as_they_are_read(name: str) -> None:
    check_preorderer(preorderer(f"rules:set={name}"))
    made = rule_set(name)
    again = parse_rules(to_toml(made), "again.toml")
    assert again == made and made.about


READ = (
    "he~PRON~nsubj~3 has~AUX~aux~3 read~VERB~root~0 the~DET~det~5 book~NOUN~obj~3 "
    "that~PRON~obj~8~that~PronType=Rel I~PRON~nsubj~8 bought~VERB~acl:relcl~5 in~ADP~case~10 "
    "Rome~PROPN~obl~8 .~PUNCT~punct~3"
)


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("none", "he has read the book that I bought in Rome ."),
        ("reverse", ". Rome in bought I that book the read has he"),
        ("head-final", "he has the that I in Rome bought book read ."),
        ("head-final-reverse-before", "has he the I that in Rome bought book . read"),
        ("head-final-reverse-after", "he has . the that I in Rome bought book read"),
        ("en-ja", "he I Rome in bought that the book read has ."),
        ("en-ko", "he I Rome in bought that the book read has ."),
        ("en-tr", "he I Rome in bought that the book read has ."),
        ("en-hi", "he the book I Rome in that bought read has ."),
    ],
)
def test_shipped_sets(name: str, expected: str) -> None:
    sentence = tree(READ)
    order = preorderer(f"rules:set={name}").reorder_batch([Source(tuple(sentence.forms), sentence)])[0]
    assert " ".join(order.apply(sentence.forms)) == expected


def test_the_sets_of_the_paper_treat_punctuation_alike() -> None:
    """Talbot et al. (2011) say nothing about punctuation, so R2, R3 and R4 move it like other words."""
    names = ("reverse", "head-final-reverse-before", "head-final-reverse-after")
    assert {rule_set(name).punctuation for name in names} == {"tree"}


def test_r3_and_r4_turn_one_side() -> None:
    sentence = tree("a~X~dep~3 b~X~dep~3 c~X~root~0 d~X~dep~3 e~X~dep~3")
    for name, expected in (("before", "b a d e c"), ("after", "a b e d c")):
        order = RuleMatcher(rule_set(f"head-final-reverse-{name}")).reorder([sentence])[0]
        assert " ".join(order.apply(sentence.forms)) == expected


def test_without_leaves_a_rule_out() -> None:
    whole, less = preorderer("rules:set=en-ja"), preorderer("rules:set=en-ja,without=verb")
    assert less.signature != whole.signature
    source = Source(tuple(ATE.forms), ATE)
    assert less.reorder_batch([source])[0].apply(ATE.forms)[3] == "eat"
    assert whole.reorder_batch([source])[0].apply(ATE.forms)[3] != "eat"


def test_features_with_several_values() -> None:
    condition = Condition(feats=(("PronType", Values(("Rel",))),))
    for feats, holds in (
        ("PronType=Int,Rel", True),
        ("Case=Nom|PronType=Rel", True),
        ("PronType=Int", False),
    ):
        row = tree(f"who~PRON~nsubj~0~who~{feats}").words[0]
        assert condition.meets(Around(row)) == holds
        other = Condition(feats=(("PronType", Values(("Rel",), negated=True)),))
        assert other.meets(Around(row)) != holds
