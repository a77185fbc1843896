"""Write docs/text-scores.md: metrics on text with the numbers they give for the sample.

``python docs/make_text_scores.py`` (``--check``: is the page up to date?)
"""

from __future__ import annotations

import sys
from pathlib import Path

from wordorder.data import sample
from wordorder.metrics import metric
from wordorder.metrics.segments import Matching
from wordorder.metrics.text import TextMetric, on_text

PAGE = Path(__file__).with_name("text-scores.md")

TEXT = """\
# Scores of translations

<!-- Written by docs/make_text_scores.py: edit that file, not this one. -->

`wordorder score -r REFERENCE SYSTEM...` and `metric(...).corpus_score(hypotheses, [references])` go the same way:
text is cut into words, words of hypothesis and reference are matched one to one, and the matched
words give a permutation, the reference positions in the order of the hypothesis. Unmatched words
are left out and the rest renumbered.

| setting | choices | what it does |
|---|---|---|
| `tokenize` | `13a` (default), `none`, `intl`, `zh`, `ja-mecab`, `ko-mecab`, `char` | what counts as a word; all but `none` are sacrebleu's |
| `lowercase` | true (default), false | whether *Cat* and *cat* are the same word |
| `match` | stages `exact+stem+synonym+paraphrase`, or `ribes` | which words may be matched; see [matching](matching.md) |
| `language` | `en` (default), `de`, ... | of stems, synonyms and paraphrases |
| `refs` | `best` (default), `mean` | of several references |

## Ordering scores

Any of [the ordering scores](scores/README.md), on the matched words alone: `{kendall}` for the sample's system-a
and `{kendall_b}` for system-b (`kendall`). They say nothing on what was not matched. A segment in which nothing was
matched gets the worst score, unless both sides are empty; `agg=length` weighs by reference length.

## full: lexical and ordering quality

```text
full = alpha * lexical + (1 - alpha) * BP(|permutation|, |reference|) * ordering
lexical=f1      2 m / (|hypothesis| + |reference|)         m = matched words
lexical=bleu1   BP(|hypothesis|, |reference|) * m / |hypothesis|
BP(t, r)        1 if t > r, exp(1 - r / t) if 0 < t <= r, 0 if t = 0
corpus          mean of segments weighted by reference length (agg=length), or plain (agg=macro)
```

Stanojević and Sima'an (2014), equation 2, with `lexical=bleu1`; (2016) and thesis, equations 4.1 and 4.2, with
`lexical=f1`. `order` is any ordering score that rises from 0 to 1, with its settings behind slashes:
`full:order=recpef/beta=0.5,alpha=0.3`. Range 0 to 1. Empty hypothesis or reference: 0; both empty: 1.
Sample: `{full}` and `{full_b}`.

## lrscore: LRscore

```text
LRscore = alpha * mean over segments of (ordering * BP(|hypothesis|, |reference|)) + (1 - alpha) * BLEU of the corpus
```

Birch and Osborne (2010). `order=kendall` or `hamming` (any ordering score may be used), `bleu=4` or `1`. BLEU is
sacrebleu's. A segment alone takes its own BLEU with one added to the counts of n-grams longer than one.
The brevity penalty compares the hypothesis, not the permutation, with the reference: that is the
difference to `full`, beside the corpus-level BLEU. Sample: `{lrscore}` and `{lrscore_b}`.

## ribes: RIBES

```text
RIBES = kendall * (m / |hypothesis|)^alpha * min(1, exp(1 - |reference| / |hypothesis|))^beta      alpha 0.25, beta 0.10
```

Isozaki et al. (2010), as NTT's RIBES.py computes it: words between blanks, lower-cased, matched where they or their
neighbourhood are unique on both sides. One matched word counts only if the reference has no other. An
empty reference scores 0 here (the program stops there). Sample: `{ribes}` and `{ribes_b}`.

## bleu, chrf, ter: sacrebleu's own

Values and signatures are sacrebleu's, 0 to 100; `ter` is better when lower. They stand in the same table, with the
same intervals and tests. Sample: BLEU `{bleu}` and `{bleu_b}`, chrF `{chrf}` and `{chrf_b}`, TER `{ter}` and `{ter_b}`.

## Intervals and tests

Every metric keeps a row of additive statistics for each segment. Confidence intervals are percentiles of
bootstrap samples of segments (`--samples`, default 1000); `--paired bootstrap` and `--paired randomisation` test
each system against the first. Resampling adds up stored rows: nothing is scored twice, and the seed is printed.

## Signatures

```text
{signatures}
```
"""


def page() -> str:
    """The page with all numbers filled in."""
    lines = {name: sample(f"{name}.txt").read_text(encoding="utf-8").splitlines() for name in
             ("reference", "system-a", "system-b")}  # fmt: skip
    made: dict[str, TextMetric] = {}
    values: dict[str, str] = {}
    for name in ("kendall", "full", "lrscore", "ribes", "bleu", "chrf", "ter"):
        made[name] = on_text(metric(name), Matching())
        for suffix, system in (("", "system-a"), ("_b", "system-b")):
            score = made[name].corpus_score(lines[system], [lines["reference"]]).score
            values[name + suffix] = f"{score:.1f}" if made[name].range[1] > 1 else f"{score:.4f}"
    ours = [m.signature_for(1) for name, m in made.items() if name not in ("bleu", "chrf", "ter")]
    return TEXT.format(**values, signatures="\n".join(ours))


if __name__ == "__main__":
    if "--check" not in sys.argv:
        PAGE.write_text(page(), encoding="utf-8")
    elif not PAGE.exists() or PAGE.read_text(encoding="utf-8") != page():
        sys.exit(f"{PAGE} is out of date: run python docs/{Path(__file__).name}")
