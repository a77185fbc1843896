"""Claims about tight and semi-tight complexities, checked on all short permutations."""
