"""Which words of two sentences belong together, in one language and in two."""
