"""What a worker is asked to do: an operation by name, with its request."""

from __future__ import annotations

from typing import Any

import orjson
from pydantic import ValidationError

from wordorder.errors import BadSetting
from wordorder.web.operations import OPERATIONS, metrics, models
from wordorder.web.schemas import first_problem


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
    try:
        request = kind.model_validate_json(body)
    except ValidationError as error:  # the server has read it as JSON, but not in UTF-8
        raise BadSetting(first_problem(error.errors())) from None
    if name == "align":
        return _json(operation(request, settings.get("aligner")))
    return _json(operation(request))


def _json(answer: dict[str, Any]) -> bytes:
    return orjson.dumps(answer)
