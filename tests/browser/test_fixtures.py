"""The fixtures of this folder notice what they are there to notice."""

from __future__ import annotations

import pytest


def test_a_page_without_a_name_of_its_field_is_reported(page, accessibility):
    page.set_content("<html lang=en><title>t</title><main><h1>t</h1><input></main></html>")
    assert any(line.startswith("label:") for line in accessibility(page))


@pytest.mark.slow
def test_a_sound_page_is_not_reported(page, accessibility):
    page.set_content(
        "<html lang=en><title>t</title><main><h1>t</h1><label>name <input></label></main></html>"
    )
    assert accessibility(page) == []
