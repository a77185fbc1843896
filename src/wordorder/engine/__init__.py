"""Run the same work over many sentences, on all cores, in constant memory."""
