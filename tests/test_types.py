"""How much of the product states its types; `mypy` checks that what it states is so."""

import ast
from pathlib import Path

ROOT = Path(__file__).parents[1]
TOO_MANY = 150  # functions whose signature mentions Any: it belongs to the borders


def signatures(file):
    """Each function of a file with the annotations of its arguments and of what it returns."""
    for function in ast.walk(ast.parse(file.read_text("utf-8"))):
        if isinstance(function, ast.FunctionDef | ast.AsyncFunctionDef):
            arguments = [part for part in ast.walk(function.args) if isinstance(part, ast.arg)]
            yield function, [*(part.annotation for part in arguments), function.returns]


def mentions_any(annotation):
    return annotation is not None and any(
        "Any" in (getattr(part, "id", None), getattr(part, "attr", None))
        for part in ast.walk(annotation)
    )


def test_any_is_rare_in_signatures():
    files = [ROOT / "run.py"]
    files += [
        file for top in ("agents", "model", "topologies") for file in (ROOT / top).rglob("*.py")
    ]
    found = [
        f"{file.relative_to(ROOT)}:{function.lineno}: {function.name}"
        for file in sorted(files)
        for function, annotations in signatures(file)
        if any(map(mentions_any, annotations))
    ]
    assert len(found) < TOO_MANY, "\n".join([f"{len(found)} signatures mention Any:", *found])
