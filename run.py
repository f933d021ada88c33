#!/usr/bin/env -S uv run
"""The command line: `run.py --help`."""

import sys

#: By name: the class of a command, and what it does, in a line. The rest of its help is its own.
COMMANDS = {
    "compare": (
        "model.terminal.commands.compare:Compare",
        "Compare designs of Parallel Network RAM on the same jobs.",
    ),
    "share": (
        "model.terminal.commands.share:Share",
        "Compare load sharing policies on the same sequential jobs.",
    ),
    "windows": (
        "model.terminal.commands.windows:Windows",
        "Find windows of a log in which memory is scarce.",
    ),
    "view": (
        "model.terminal.commands.view:View",
        "Draw or print a journal: who sent what to whom, when and why.",
    ),
    "export": (
        "model.terminal.commands.export:Export",
        "Write a journal, or a part of it, for other programs.",
    ),
    "watch": (
        "model.terminal.commands.watch:Watch",
        "Watch a cluster in a web page: play, step, go back.",
    ),
    "live": (
        "model.terminal.commands.live:Live",
        "Run designs for real: nodes are processes that talk over sockets.",
    ),
    "explore": (
        "model.terminal.commands.explore:Explore",
        "Search all orders of messages and faults for a broken rule.",
    ),
    "new": (
        "model.terminal.commands.new:New",
        "Write a file to begin with: a protocol and its first test.",
    ),
    "sweep": (
        "model.terminal.commands.sweep:Sweep",
        "Do a declared set of runs, each of them once.",
    ),
    "results": (
        "model.terminal.commands.results:Results",
        "Tabulate the results of a sweep.",
    ),
    "figures": (
        "model.terminal.commands.figures:Figures",
        "Draw a paper's figures and check its findings.",
    ),
    "papers": (
        "model.terminal.commands.papers:Papers",
        "Check papers' pages, fill in their tables, draw their figures.",
    ),
    "claims": (
        "model.terminal.commands.claims:Claims",
        "List the numbers of the papers' pages, or run some again and compare.",
    ),
}

#: Commands that there were, and what does the same.
MOVED = {
    "advice": "run.py papers check thesis (its page has a table: which design, where)",
    "calibrate": "run.py live --calibrate FILE",
    "carry": "run.py papers check PAPER --rerun 5",
    "trace": "run.py view --kind sequence --job N (as text: --kind mermaid or story)",
}


def main() -> int:
    """Run a command; Ctrl-C while even the first modules are imported is one line."""
    try:
        from model.terminal.program import main

        return main(COMMANDS, MOVED, "compare")
    except KeyboardInterrupt:
        print("error: interrupted", file=sys.stderr)
        return 130


if __name__ == "__main__":
    status = main()
    import signal  # takes a while, in which nothing would end at Ctrl-C with one line

    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.SIG_IGN)  # all is done, and Python only ends
    import gc

    gc.freeze()  # to look for garbage in all that was imported takes a fifth of a short command
    sys.exit(status)
