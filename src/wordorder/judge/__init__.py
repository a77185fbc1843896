"""How well scores agree with people."""
