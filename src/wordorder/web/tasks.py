"""What a worker is asked to do: an operation by name, with its request."""

from __future__ import annotations

from typing import Any

import orjson

from wordorder.web.operations import OPERATIONS, metrics, models


def perform(task: dict[str, Any], body: bytes) -> bytes:
    """Perform an operation on the body of a request, and return its answer as JSON.

    >>> perform({"operation": "tree"}, b'{"permutation": "2 1"}')[:20]
    b'{"ranks":[1,0],"word'
    """
    name, settings = task["operation"], task.get("settings", {})
    if name == "metrics":
        return _json(metrics())
    if name == "models":
        return _json(models(settings.get("aligner")))
    kind, operation = OPERATIONS[name]
    request = kind.model_validate_json(body)
    if name == "align":
        return _json(operation(request, settings.get("aligner")))
    return _json(operation(request))


def _json(answer: dict[str, Any]) -> bytes:
    return orjson.dumps(answer)
