"""Run eflomal (Östling and Tiedemann 2016), an aligner by Gibbs sampling.

It is licensed under the GPL and called as a program, not imported; nothing else needs it.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from wordorder.core.alignment import Alignments
from wordorder.errors import BadSetting, WordOrderError
from wordorder.io.lines import as_split
from wordorder.io.links import collect_links
from wordorder.io.read_write import read_records

PROGRAM = "eflomal-align"


def find_eflomal() -> str:
    """Return the path of the program: on the search path, or beside this Python."""
    path = shutil.which(PROGRAM) or shutil.which(PROGRAM, path=str(Path(sys.executable).parent))
    if not path:
        raise BadSetting("method eflomal needs the program eflomal-align: pip install 'wordorder[align]'")
    return path


def run_eflomal(
    source: Sequence[str], target: Sequence[str], *, program: str | None = None
) -> tuple[Alignments, Alignments]:
    """Align lines of text in both directions, with links as (source, target); eflomal lower-cases them.

    Its samplers take their seeds from the system, so two runs differ slightly.
    """
    if len(source) != len(target):
        raise WordOrderError(f"the source has {len(source)} lines, the target {len(target)}; expected pairs")
    program = program or find_eflomal()
    with tempfile.TemporaryDirectory(prefix="wordorder-eflomal-") as folder:
        place = {name: str(Path(folder, name)) for name in ("source", "target", "forward", "reverse")}
        for name, lines in (("source", source), ("target", target)):
            # Words are separated by spaces, whatever other white space they contain.
            text = "".join(" ".join(as_split(line).split()) + "\n" for line in lines)
            Path(place[name]).write_text(text, encoding="utf-8")
        command = [program, "-s", place["source"], "-t", place["target"]]
        command += ["-f", place["forward"], "-r", place["reverse"], "--overwrite"]
        done = subprocess.run(command, capture_output=True, check=False)
        if done.returncode:
            last = done.stderr.decode("utf-8", "replace").strip().splitlines()[-1:]
            raise WordOrderError(f"{PROGRAM} failed with code {done.returncode}: {' '.join(last)}")
        both = [collect_links(read_records(place[way], "pharaoh")) for way in ("forward", "reverse")]
    for links in both:
        if len(links) != len(source):
            raise WordOrderError(f"{PROGRAM} gave {len(links)} lines for {len(source)} sentence pairs")
    return both[0], both[1]
