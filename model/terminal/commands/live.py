"""`run.py live`."""

import os
import secrets
import sys
from contextlib import nullcontext
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from model.core.files import read_file
from model.ground.errors import InputError, cut, shown
from model.pnr.scenario import Scenario, make_scenario
from model.terminal.options import ComparingDesigns
from model.terminal.scenario_options import ScenarioOptions

if TYPE_CHECKING:
    from model.live.head import LiveSettings

_SECRET_BYTES = 32
_LARGEST = 2**20  # bytes of a file of hosts, or of a secret


class Live(ComparingDesigns):
    """Run designs for real: each node is a process of this machine, messages go over TCP.

    Nodes lend each other real memory, page by page; jobs wait for as long as they would compute.
    Faults of the scenario happen for real. Journals, tables and files are those of compare.

    Example: run.py live --designs CLI,MAN --nodes 4 --ram-mb 1 --scenario jobs.toml --journal j
    """

    scenario: Annotated[Scenario, ScenarioOptions(make_scenario, Scenario)]
    time_scale: Annotated[float, typer.Option(min=10**-6, max=10**6)] = 1
    """For how long computing takes, and time between arrivals and time slots, as a factor; page
    faults stay as many. Messages, disks and the protocol's timers are not scaled."""
    patience_s: Annotated[float, typer.Option(min=0.1, max=10**6)] = 30
    """End the run when nothing has come of anything for so long. A node that says nothing for so
    long counts as dead."""
    spin: bool = False
    """Keep a core busy while a process computes, instead of waiting."""
    against: Path | None = None
    """A scenario file that run.py calibrate has written: also emulate what it foretells, and write
    both to --out as foretold.html."""
    runs: Annotated[int, typer.Option(min=1, max=1000)] = 3
    """With --against, run each design so many times."""
    hosts: Path | None = None
    """A file with the address of each node, one a line: somebody starts the nodes there, with
    run.py live --node. Needs --secret-file."""
    listen: str | None = None
    """With --hosts, where the head listens: an address and a port."""
    secret_file: Path | None = None
    """A file with the secret of the run. If it is not there, the head makes it, for its owner alone
    to read."""
    node: Annotated[int | None, typer.Option(min=0)] = None
    """Be this node of a run whose head is at --head; the scenario is the head's."""
    head: str | None = None
    """With --node, where the head listens: its address and port."""

    def run(self) -> None:
        """Be the head of a run, or a node."""
        self._check_options()
        if self.node is not None:
            self._be_node(self.node)
            return
        from model.live.comparison import LiveComparison
        from model.live.head import LiveSettings
        from model.live.limits import check_runs_live

        check_runs_live(self.scenario, hosts=self.hosts is not None)
        addresses = None if self.hosts is None else read_hosts(self.hosts, self.scenario.nodes)
        host, port = address(self.listen or "127.0.0.1:0", "--listen")
        settings = LiveSettings(
            self.time_scale,
            self.patience_s,
            self.spin,
            host,
            port,
            starts_nodes=addresses is None,
        )
        if addresses is not None:
            settings = replace(settings, secret=self._secret())
        if self.against is not None:
            self._foretell(settings, self.against)
            return
        from model.terminal.comparison import run_comparison

        comparison = LiveComparison(self.scenario, settings)
        run_comparison(
            comparison.scenario,
            out=self.out,
            report=self.report,
            journal=self.journal,
            journal_level=self.journal_level,
            check=self.check,
            quiet=self.quiet,
            waste=self.waste,
            comparison=comparison,
        )

    def _check_options(self) -> None:
        """Raise InputError where one option has no meaning with another, or without it."""
        of_nodes = ("scenario", "node", "head", "hosts", "secret_file", "quiet")
        self.refuse_with(
            "node", *(name for name in type(self).model_fields if name not in of_nodes)
        )
        self.refuse_without("node", "head")
        self.refuse_without("hosts", "listen", "secret_file")
        self.refuse_without("against", "runs")
        self.refuse_with("against", "journal", "report", "waste")
        if self.against is not None and self.hosts is not None and self.runs > 1:
            raise InputError("--against: with --hosts, give --runs 1: the nodes end with the run")

    def _foretell(self, settings: "LiveSettings", machine: Path) -> None:
        """Run for real and emulated; print what came of it, and write the page."""
        from model.core.files import alone_in
        from model.report.foretold import foretell, shown, write_foretold
        from model.terminal.printing import Table, print_table

        with nullcontext() if self.out is None else alone_in(self.out):
            found = foretell(self.scenario, settings, machine, self.runs, self.check, self._say)
            if not self.quiet:
                lines = [(one.design, *shown(one.response, 3)) for one in found]
                headings = ["foretold, s", "measured, s", "difference"]
                print_table(Table(["design"], headings, lines, "mean response time"))
            if self.out is not None:
                write_foretold(found, self.scenario, machine, self.out / "foretold.html")
                print(self.out / "foretold.html")

    def _say(self, what: str) -> None:
        if not self.quiet:
            print(what, file=sys.stderr)

    def _be_node(self, node: int) -> None:
        if self.head is None or self.secret_file is None or self.hosts is None:
            raise InputError("--node: needs --head, --hosts and --secret-file, too")
        hosts = read_hosts(self.hosts, None)
        if node >= len(hosts):
            raise InputError(f"--node {node}: {self.hosts} has {len(hosts)} lines")
        secret = self._secret()
        from model.live.node_process import main

        main(address(self.head, "--head"), secret, node, hosts[node])

    def _secret(self) -> bytes:
        """The secret in the file, which the head makes if it is not there."""
        file = self.secret_file
        if file is None:
            raise InputError("--hosts: give --secret-file, too; the nodes need the same")
        try:
            if self.node is None and not file.exists():
                made = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
                with open(made, "w") as new:
                    new.write(secrets.token_hex(_SECRET_BYTES) + "\n")
            secret = bytes.fromhex(read_file(file, _LARGEST).decode().strip())
        except (OSError, ValueError) as error:
            raise InputError(f"--secret-file {file}: {error}") from None
        if len(secret) < _SECRET_BYTES:
            raise InputError(f"--secret-file {file}: it has less than {_SECRET_BYTES} bytes in hex")
        return secret


def read_hosts(file: Path, nodes: int | None) -> list[str]:
    """The addresses of the nodes; raises InputError if there are not so many."""
    try:
        lines = [
            line.partition("#")[0].strip()
            for line in read_file(file, _LARGEST).decode().splitlines()
        ]
    except (OSError, ValueError) as error:
        raise InputError(f"--hosts {file}: {error}") from None
    hosts = [line for line in lines if line]
    if nodes is not None and len(hosts) != nodes:
        raise InputError(f"--hosts {file}: it has {len(hosts)} addresses, --nodes is {nodes}")
    return hosts


def address(text: str, option: str) -> tuple[str, int]:
    """A host and a port; raises InputError."""
    host, _, port = text.rpartition(":")
    if not host or not port.isdecimal() or int(port) >= 2**16:
        raise InputError(
            f"{option}: give an address and a port, as 10.0.0.1:7000 (not {shown(cut(text))})"
        )
    return host, int(port)
