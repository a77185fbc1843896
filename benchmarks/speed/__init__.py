"""Benchmarks of speed and memory: each file has a function ``run(bench)`` and runs in a process of its own."""
