"""How to make the same page again: the command and the scenario file."""

import json
import shlex
from typing import Any

from model.pnr.scenario import Scenario


def command(scenario: Scenario, *more: str) -> str:
    """The command line that compares the same again, with more options."""
    words = ["uv", "run", "run.py", "compare"]
    if needs_file(scenario):
        words += ["--scenario", "scenario.toml"]
    else:
        for name, value in _chosen(scenario).items():
            option = name.replace("_", "-")
            if isinstance(value, bool):
                words.append(f"--{option}" if value else f"--no-{option}")
            else:
                words += [
                    f"--{option}",
                    ",".join(value) if name == "designs" else str(value).removesuffix(".0"),
                ]
    return shlex.join([*words, *more])


def needs_file(scenario: Scenario) -> bool:
    """Whether it lists jobs, nodes or faults, for which there are no options."""
    return bool(scenario.job or scenario.node or scenario.fault)


def scenario_file(scenario: Scenario) -> str:
    """The scenario's parameters that differ from the defaults, as TOML."""
    chosen = _chosen(scenario)
    lists = {name: chosen.pop(name, None) or () for name in ("job", "node", "fault")}
    blocks = [_toml(chosen)]
    blocks += [f"[[{name}]]\n{_toml(table)}" for name, listed in lists.items() for table in listed]
    return "\n".join(block for block in blocks if block)


def _chosen(scenario: Scenario) -> dict[str, Any]:
    return scenario.model_dump(mode="json", exclude_defaults=True)


def _toml(values: dict[str, object]) -> str:
    # JSON's strings, numbers and lists are TOML's too, except for surrogates and DEL.
    texts = {key: json.dumps(value, ensure_ascii=False) for key, value in values.items()}
    return "".join(f"{key} = {text}\n" for key, text in texts.items()).replace("\x7f", "\\u007f")
