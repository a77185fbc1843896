"""A local page and a JSON API: scores, trees, orders and alignments in a browser, and annotation of links."""
