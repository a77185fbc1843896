"""Learning metrics from human judgments: settings, forest weights and BEER."""
