"""Learning metrics from human judgments."""
