"""Tuning and choosing on real candidate lists and human judgments: the tables of docs/results/tuning.md."""
