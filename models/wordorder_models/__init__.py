"""Models for wordorder: one folder per kind, and in it one folder per model. There is no code here."""
