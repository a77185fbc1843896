"""Scores during training: metrics in the place of sacrebleu's, transformers, Lightning, running scores."""

from __future__ import annotations

import json
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
import sacrebleu.metrics
from hypothesis import given
from hypothesis import strategies as st

import wordorder as wo
from wordorder.errors import BadSetting, WordOrderError
from wordorder.integrations.texts import reference_streams, score_texts
from wordorder.integrations.training import RunningScore, compute_metrics

HYPOTHESES = ["b a c", "d e f", "g"]
REFERENCES = [["a b c", "d f e", "g"], ["b a", "e d f", "h g"]]  # two streams


def as_a_framework_would(metric: Any) -> dict[str, Any]:
    """Do everything with a metric that training frameworks do with those of sacrebleu."""
    corpus = metric.corpus_score(HYPOTHESES, REFERENCES)
    sentence = metric.sentence_score(HYPOTHESES[0], [stream[0] for stream in REFERENCES])
    full = corpus.format(width=3, signature=str(metric.get_signature()))
    data = json.loads(corpus.format(is_json=True, signature="v:1"))
    return {
        "score": round(corpus.score, 6),
        "sentence": round(sentence.score, 6),
        "only": corpus.format(width=2, score_only=True),
        "name": full.split("|")[0].lower().rstrip("2"),
        "end": full.rpartition(" = ")[2][:6],
        "json": data["score"] == float(corpus.format(score_only=True)),
    }


def test_a_metric_takes_the_place_of_sacrebleu() -> None:
    peer = sacrebleu.metrics.CHRF()
    assert as_a_framework_would(wo.metric("chrf")) == as_a_framework_would(peer)
    mine = as_a_framework_would(wo.metric("kendall"))
    assert mine["name"] == "kendall" and mine["json"] and mine["only"] == f"{mine['score']:.2f}"


def test_references_may_be_texts_or_lists() -> None:
    rows = [list(row) for row in zip(*REFERENCES, strict=True)]
    assert reference_streams(rows) == REFERENCES
    by_rows = score_texts("kendall,bleu", HYPOTHESES, rows)
    assert by_rows["bleu"] == wo.metric("bleu").corpus_score(HYPOTHESES, REFERENCES)
    with pytest.raises(BadSetting, match=r"row 1 \(from 0\) has 1 reference, row 0 has 2"):
        reference_streams([["a", "b"], ["c"]])


class Letters:
    """A tokenizer of letters: 0 is padding, 1 ends a sentence."""

    pad_token_id = 0

    def batch_decode(self, ids: Any, *, skip_special_tokens: bool) -> list[str]:
        assert skip_special_tokens and np.asarray(ids).min() >= 0
        return [" ".join(chr(95 + k) if k != 9 else "\n" for k in row if k > 1) for row in ids]


def test_compute_metrics_decodes_tokens() -> None:
    compute = compute_metrics("kendall,chrf", Letters())
    evaluation = SimpleNamespace(
        predictions=(np.array([[3, 2, 4, 1], [5, 9, 6, -100]]), "states"),
        label_ids=np.array([[2, 3, 4, -100], [5, 6, -100, -100]]),
    )
    expected = score_texts("kendall,chrf", ["b a c", "d e"], ["a b c", "d e"])
    assert compute(evaluation) == {**{name: s.score for name, s in expected.items()}, "matched": 1.0}
    evaluation.predictions = np.zeros((2, 4, 7))
    with pytest.raises(WordOrderError, match="predict_with_generate=True"):
        compute(evaluation)
    with pytest.raises(WordOrderError, match="Did you mean 'kendall'"):
        compute_metrics("kendal", Letters())
    with pytest.raises(BadSetting, match=r"set tokenizer\.pad_token"):
        compute_metrics("kendall", SimpleNamespace(pad_token_id=None))


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")
def test_the_trainer_of_transformers(tmp_path: Any) -> None:
    torch = pytest.importorskip("torch")
    transformers = pytest.importorskip("transformers")
    pytest.importorskip("accelerate")
    config = transformers.T5Config(
        vocab_size=12, d_model=8, d_kv=4, d_ff=8, num_layers=1, num_heads=2, decoder_start_token_id=0
    )
    arguments = transformers.Seq2SeqTrainingArguments(
        output_dir=str(tmp_path), predict_with_generate=True, generation_max_length=6, report_to=[],
        use_cpu=True, max_steps=1, per_device_eval_batch_size=2,
    )  # fmt: skip
    rows = [{"input_ids": [2, 3, 4, 1], "labels": [3, 4, 2, 1]}] * 4
    trainer = transformers.Seq2SeqTrainer(
        model=transformers.T5ForConditionalGeneration(config), args=arguments, train_dataset=rows,
        eval_dataset=rows, compute_metrics=compute_metrics("kendall,full", Letters()),
        data_collator=lambda batch: {key: torch.tensor([row[key] for row in batch]) for key in batch[0]},
    )  # fmt: skip
    trainer.train()
    found = trainer.evaluate()
    assert 0 <= found["eval_kendall"] <= 1 and 0 <= found["eval_full"] <= 1


batches = st.lists(
    st.lists(st.tuples(st.text("ab ", max_size=6), st.text("ab ", max_size=6)), min_size=1, max_size=3),
    min_size=1, max_size=4,
)  # fmt: skip


@given(batches, st.sampled_from(["kendall", "recpef", "full", "bleu", "chrf"]))
def test_a_running_score_is_that_of_the_corpus(parts: list[list[tuple[str, str]]], name: str) -> None:
    first, second = RunningScore(name), RunningScore(name)
    for k, part in enumerate(parts):
        (first, second)[k % 2].update(*map(list, zip(*part, strict=True)))
    first.merge(second)
    pairs = [pair for part in parts for pair in part]
    whole = wo.metric(name).corpus_score([h for h, _ in pairs], [[r for _, r in pairs]])
    found = first.compute()
    assert found.score == pytest.approx(whole.score, abs=1e-12)
    assert (found.signature, found.segments, found.words) == (whole.signature, whole.segments, whole.words)


def test_running_scores_refuse_what_does_not_belong_together() -> None:
    running = RunningScore("kendall")
    with pytest.raises(WordOrderError, match="nothing has been scored yet"):
        running.compute()
    running.update([], [])
    running.update(["a b"], [["a b", "b a"]])
    with pytest.raises(BadSetting, match="1 reference for each hypothesis, the batches before it have 2"):
        running.update(["a"], ["a"])
    other = RunningScore("ulam")
    running.merge(other)  # an empty one changes nothing
    other.update(["a"], [["a", "a"]])
    with pytest.raises(BadSetting, match="different metrics"):
        running.merge(other)
    running.reset()
    running.merge(other)
    assert running.compute() == other.compute()


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")
def test_a_module_of_lightning(tmp_path: Any) -> None:
    torch = pytest.importorskip("torch")
    lightning = pytest.importorskip("lightning")

    class Module(lightning.LightningModule):  # type: ignore[misc, name-defined]
        def __init__(self) -> None:
            super().__init__()
            self.running = RunningScore("kendall")

        def validation_step(self, batch: Any, number: int) -> None:
            self.running.update(batch["hypothesis"], batch["reference"])

        def on_validation_epoch_end(self) -> None:
            self.log("kendall", self.running.compute().score)
            self.running.reset()

    rows = [{"hypothesis": "b a c", "reference": "a b c"}, {"hypothesis": "d e", "reference": "d e"}]
    trainer = lightning.Trainer(
        accelerator="cpu", logger=False, enable_checkpointing=False, enable_progress_bar=False,
        enable_model_summary=False, default_root_dir=str(tmp_path), num_sanity_val_steps=0,
    )  # fmt: skip
    [found] = trainer.validate(Module(), torch.utils.data.DataLoader(rows, batch_size=1), verbose=False)
    assert found["kendall"] == pytest.approx(5 / 6, abs=1e-6)
