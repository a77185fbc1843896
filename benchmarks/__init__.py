"""Speed and memory beside other programs (``speed``), and results beside theirs (``quality``).

``python -m benchmarks`` measures; every file in ``speed`` is one benchmark.
"""
