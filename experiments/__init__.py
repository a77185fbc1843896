"""Programs that train models and reproduce published results on data; run them from the root of the repository."""
