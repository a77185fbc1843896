"""Count the function words of the package: src/wordorder/data/function_words.json.

    python -m experiments.function_words FOLDER

FOLDER holds the tables of judgments of WMT12 to WMT21. All different sources and references of a language are
counted together. The languages are those for which METEOR 1.5 has a list.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path

import orjson

from experiments.reproduction.judged import RANKED, RATED
from wordorder.data import package_file
from wordorder.judge.read import read_judgments
from wordorder.text.function_words import FILE, frequent_words

LANGUAGES = ("cs", "de", "en", "es", "fr", "ru")


def main(arguments: Sequence[str] | None = None) -> None:
    """Write the lists."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folder", type=Path)
    folder = parser.parse_args(arguments).folder
    lines: dict[str, set[str]] = {language: set() for language in LANGUAGES}
    for name in (*RANKED, *RATED):
        for judgments in read_judgments(str(folder / name)):
            source = judgments.pair.partition("-")[0]
            for language, texts in ((judgments.target, judgments.references[0]), (source, judgments.sources)):
                lines.get(language, set()).update(text for text in texts or () if text)
    about = {
        "about": "Words that make up more than a thousandth of the sources and references of WMT12 to WMT21",
        "segments": {language: len(texts) for language, texts in lines.items()},
        "words": {language: frequent_words(sorted(texts)) for language, texts in lines.items()},
    }
    package_file(FILE).write_bytes(orjson.dumps(about, option=orjson.OPT_INDENT_2) + b"\n")


if __name__ == "__main__":
    main()
