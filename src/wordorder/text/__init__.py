"""What counts as a word, and as the same word."""
