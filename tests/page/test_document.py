"""A document holds everything it needs, and text in it stays text."""

from __future__ import annotations

import json
import re

import pytest

from wordorder.page.document import SCRIPTS, STYLES, asset, document, embedded, escape

HOSTILE = [
    "</script><script>alert(1)</script>",
    "<img src=x onerror=alert(1)>",
    "\u2028",
    "\0",
    "\ud800",
    "\"'&",
]


def test_values_survive_embedding():
    value = {"words": HOSTILE, "numbers": [1, 2.5, None, True]}
    written = embedded(value)
    assert json.loads(written) == value
    assert "<" not in written and "\u2028" not in written
    written.encode("utf-8")  # a lone surrogate would fail here


def test_numbers_that_json_lacks_become_null():
    assert json.loads(embedded([float("inf"), float("nan")])) == [None, None]


@pytest.mark.parametrize("text", HOSTILE)
def test_escaped_text_holds_nothing_that_markup_reads(text):
    assert not set("<>\"'\0") & set(escape(text))
    escape(text).encode("utf-8")


def test_a_document_names_no_address_and_lists_its_scripts():
    page = document("t", scripts=["let a = 1;"], data={"one": HOSTILE})
    policy = re.search(r'Content-Security-Policy" content="([^"]*)"', page)
    assert policy is not None and policy[1].count("'sha256-") == len(SCRIPTS) + 1
    assert "connect-src 'none'" in policy[1]
    assert "connect-src 'self'" in document("t", connect=True)
    loaded = re.findall(r"""(?:src|href)=["'](?!#)""", page)
    assert loaded == [] and "@import" not in page and "url(" not in page


@pytest.mark.parametrize("name", [*SCRIPTS, *STYLES])
def test_assets_can_stand_in_the_markup(name):
    assert "</" not in asset(name)
