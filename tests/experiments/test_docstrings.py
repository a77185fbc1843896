from __future__ import annotations

import doctest
import importlib
import pkgutil

import pytest

import experiments

MODULES = [module.name for module in pkgutil.walk_packages(experiments.__path__, "experiments.")]


@pytest.mark.parametrize("name", MODULES)
def test_examples_in_docstrings(name: str) -> None:
    if name.endswith(".distillation"):
        pytest.importorskip("torch")
    assert doctest.testmod(importlib.import_module(name)).failed == 0
