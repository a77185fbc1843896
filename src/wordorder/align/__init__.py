"""Which word goes with which."""
