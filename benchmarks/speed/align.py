"""Training the aligner and aligning the same text, beside eflomal and NLTK's IBM model 1."""

from __future__ import annotations

from collections.abc import Callable

from benchmarks.bench import Bench, Peer
from benchmarks.peers import nltk_ibm1
from wordorder.align.bilingual import AlignerSettings, train_aligner
from wordorder.align.eflomal import find_eflomal, run_eflomal
from wordorder.align.symmetrise import symmetrise
from wordorder.errors import WordOrderError

COUNT, FEW, FEWEST = 20_000, 3000, 300


def run(bench: Bench) -> None:
    source, target, text = bench.texts.bitext(COUNT)

    def work(method: str, count: int = COUNT) -> Callable[[], object]:
        settings = AlignerSettings.for_method(method)

        def align() -> object:
            model = train_aligner(source[:count], target[:count], settings=settings, threads=1)
            return model.align(source[:count], target[:count], threads=1)

        return align

    if bench.can_import("nltk", "ibm1", peer="nltk IBM model 1"):
        rounds = AlignerSettings.for_method("ibm1").model1_iterations
        peer = Peer("nltk IBM model 1", lambda: nltk_ibm1(source[:FEWEST], target[:FEWEST], rounds), FEWEST)
        bench.measure("ibm1", work("ibm1"), COUNT, "pairs", text=text, peer=peer)
    bench.measure("hmm", work("hmm"), COUNT, "pairs", text=text)
    try:
        program = find_eflomal()
    except WordOrderError:
        bench.skip(f"hmm, {FEW:,} pairs", "eflomal is not installed", peer="eflomal")
        return
    peer = Peer("eflomal", lambda: symmetrise(*run_eflomal(source[:FEW], target[:FEW], program=program)), FEW)
    bench.measure(f"hmm, {FEW:,} pairs", work("hmm", FEW), FEW, "pairs", text=text, peer=peer)
