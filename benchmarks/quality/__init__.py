"""Results beside those of other programs; each file is a program with its own options."""
