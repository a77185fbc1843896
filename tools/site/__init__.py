"""What the documentation site shows beyond the files of docs/: pages made from code and notebooks."""
