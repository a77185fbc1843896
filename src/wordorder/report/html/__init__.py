"""Reports as self-contained HTML pages."""
