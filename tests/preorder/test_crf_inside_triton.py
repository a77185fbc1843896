"""The kernel of sums over trees for GPUs, as triton's interpreter runs it; skipped without triton."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

# Triton looks at the variable when kernels are defined: in a process of their own.
CODE = """
import torch
from wordorder.preorder.crf import inside_torch, inside_triton

inside_triton.CUTS, inside_triton.STARTS = 4, 4  # small tiles, so that short sentences have several
generator = torch.Generator().manual_seed(0)
for lengths in LENGTHS:
    words = max(lengths)
    edges, sizes = inside_torch.edges_of(words), torch.tensor(lengths)
    values = torch.randn((len(edges), len(lengths)), generator=generator)
    each = [values.clone().requires_grad_() for _ in range(2)]
    plain = inside_torch.log_partition(each[0], sizes, edges)
    sums = [plain, inside_triton.log_partition(each[1], sizes, words)]
    torch.testing.assert_close(sums[1], sums[0], atol=1e-5, rtol=1e-5)
    factors = torch.randn(len(lengths), generator=generator)
    for one in sums:
        (one * factors).sum().backward()
    torch.testing.assert_close(each[1].grad, each[0].grad, atol=1e-5, rtol=1e-4)
    assert not words > 2 or each[1].grad.abs().max() > 0.01
print("done")
"""


def test_sums_and_posteriors_are_those_of_torch() -> None:
    """Sentences of different lengths, one word, and more words than a tile has starts or cuts."""
    for name in ("torch", "triton"):
        pytest.importorskip(name)
    lengths = [[5, 3, 1, 2], [1], [1, 1], [2], [11, 7]]
    done = subprocess.run(
        [sys.executable, "-c", CODE.replace("LENGTHS", str(lengths))],
        env={**os.environ, "TRITON_INTERPRET": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout == "done\n"
