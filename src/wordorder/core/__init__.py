"""The mathematics: permutations, alignments, trees, forests. No files, no printing."""
