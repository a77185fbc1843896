"""Results as text, TSV and JSON: one model, many outputs."""
