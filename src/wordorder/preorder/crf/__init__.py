"""The forest CRF: probabilities of all binary reorderings of a sentence, from scores of their edges."""
