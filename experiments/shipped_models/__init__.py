"""Training of the preordering models that come with the package."""
