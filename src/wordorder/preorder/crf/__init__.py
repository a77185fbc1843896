"""The forest CRF: word order learned from word-aligned text with freely scored trees."""
