"""Published experiments repeated on human judgments: the tables of docs/results/reproduction.md."""
