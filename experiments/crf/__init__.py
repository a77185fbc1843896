"""The forest CRF beside other preorderers on several corpora: the tables and pictures of docs/results/crf.md."""
