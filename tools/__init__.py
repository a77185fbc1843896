"""Programs that write the pages and pictures of docs/; run them from the root of the repository."""
