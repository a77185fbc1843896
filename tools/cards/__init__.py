"""The cards of docs/scores, one per ordering metric, written from templates."""
