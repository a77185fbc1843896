"""Run the same work over many sentences, on all cores, in constant memory."""

from wordorder.engine.threads import available_threads, ordered_map

__all__ = ["available_threads", "ordered_map"]
