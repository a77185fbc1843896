"""Self-contained HTML pages: the style sheet and scripts that reports and the local page share."""
