"""What reports show of scored systems beyond their scores: sentences, buckets, n-grams, misplaced words."""
