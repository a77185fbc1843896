"""The forest CRF beside other preorderers: the tables and pictures of docs/results/crf.md."""
