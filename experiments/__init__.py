"""Programs that train models and reproduce published results; run them from the root of the repository."""
