"""Benchmarks of speed and memory: each file has a function ``run(bench)`` and a process of its own."""
