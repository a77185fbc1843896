"""The programs that Moses and cdec start for scores, as shell scripts that start ``wordorder scorer``."""

from __future__ import annotations

import os
import shlex
import sys
from dataclasses import replace
from pathlib import Path

from wordorder.cli.line_protocol import Server
from wordorder.io.files import open_output
from wordorder.metrics.base import Metric
from wordorder.metrics.registry import spec_of

# Moses with BEER's scorer calls scripts/interactive --threads N [--model M].
INTERACTIVE = """\
#!/bin/sh
# Answers BEER's scorer in Moses; a model that it names replaces the metric.
case " $* " in
  *" --model "*) exec {scorer} "$@" ;;
  *) exec {scorer} -m {metric} "$@" ;;
esac
"""
# Moses calls java ... -jar JAR - - -stdio ... and reads integers; cdec calls it with -mira and reads floats.
JAVA = """\
#!/bin/sh
# Answers Moses (-stdio) and cdec (-mira) in place of METEOR.
for argument; do
  case $argument in
    -stdio) exec {scorer} -m {metric} --integers {integers} ;;
    -mira) exec {scorer} -m {metric} ;;
  esac
done
echo "$0: this script only stands in for METEOR; remove its folder from PATH to start Java" >&2
exit 2
"""
SCRIPTS = {"scripts/interactive": INTERACTIVE, "bin/java": JAVA}


def write_scripts(folder: str, metric: Metric, integers: int) -> list[Path]:
    """Write the scripts; they use the Python that runs now, and can be started in any folder."""
    Server(metric, integers)  # a metric that cannot be served is an error now, not while tuning
    parts = {
        "scorer": shlex.join([sys.executable, "-P", "-m", "wordorder", "scorer"]),
        "metric": shlex.quote(spec_of(_with_full_paths(metric))),
        "integers": integers,
    }
    written = []
    for name, text in SCRIPTS.items():
        path = Path(folder) / name
        path.parent.mkdir(parents=True, exist_ok=True)
        with open_output(str(path)) as out:
            out.write(text.format(**parts).encode())
        path.chmod(path.stat().st_mode | 0o111)
        written.append(path)
    return written


def _with_full_paths(metric: Metric) -> Metric:
    """Return the metric with full paths of the files and folders that its settings name."""
    full = {
        key: ":".join(os.path.abspath(path) if os.path.exists(path) else path for path in value.split(":"))
        for key, value in metric.settings.items()
        if key in metric.places and value
    }
    return replace(metric, **full)
