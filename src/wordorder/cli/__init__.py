"""The command line: one file a verb, no logic that others would need."""
