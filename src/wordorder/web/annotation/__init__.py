"""Annotation: links that people draw between the words of two sentences, as files that are never lost."""
