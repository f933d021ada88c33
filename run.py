#!/usr/bin/env -S uv run
"""The command line: `run.py --help`."""

import gc
import sys

#: What each command does, in a line. Its class, by its name, is in model/terminal/commands.
COMMANDS = {
    "compare": "Compare designs of Parallel Network RAM on the same jobs.",
    "share": "Compare load sharing policies on the same sequential jobs.",
    "windows": "Find windows of a log in which memory is scarce.",
    "view": "Draw or print a journal: who sent what to whom, when and why.",
    "export": "Write a journal, or a part of it, for other programs.",
    "watch": "Watch a cluster in a web page: play, step, go back.",
    "live": "Run designs for real: nodes are processes that talk over sockets.",
    "explore": "Search all orders of messages and faults for a broken rule.",
    "check": "Check a journal by rules of your own.",
    "new": "Write a first file of your own: a protocol and its test.",
    "judge": "Judge a design: faster, slower, equal or open, and at what cost.",
    "sweep": "Do the runs that a file declares, each once.",
    "results": "Tabulate the results of a sweep.",
    "papers": "Check papers' pages, fill in their tables, draw their figures.",
}

#: Commands that there were, and what does the same.
MOVED = {
    "advice": "run.py papers check thesis (its page has a table: which design, where)",
    "calibrate": "run.py live --calibrate FILE",
    "carry": "run.py papers check PAPER --rerun 5",
    "claims": "run.py papers check PAPER",
    "figures": "run.py papers figures PAPER",
    "trace": "run.py view --kind sequence --job N (as text: --kind mermaid or story)",
}


def main() -> int:
    """Run a command; Ctrl-C while even the first modules are imported is one line."""
    gc.set_threshold(100_000)  # imports leave no garbage; to look for it takes a fifth of a command
    try:
        from model.terminal.program import main

        return main(COMMANDS, MOVED, "compare")
    except KeyboardInterrupt:
        print("error: interrupted", file=sys.stderr)
        return 130


if __name__ == "__main__":
    status = main()
    gc.freeze()  # nor is there any to look for at the end
    sys.exit(status)
