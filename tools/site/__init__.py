"""What the documentation site shows beyond the files of docs/: pages made from the code and from notebooks."""
