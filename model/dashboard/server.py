"""Serves the dashboard with Solara, on the loopback address unless told otherwise."""

import os
import socket
import warnings
from contextlib import suppress

from model.core.comparison import comparison_of
from model.dashboard.guard import Guard
from model.ground.errors import InputError
from model.pnr.scenario import Scenario

SCENARIO = "PNR_WATCHED_SCENARIO"  # the environment variable that passes it to the page


def serve(scenario: Scenario, host: str, port: int) -> None:
    """Serve the page until Ctrl-C, which ends the process; port 0 takes a free one.

    Raises InputError.
    """
    comparison_of(scenario).validate()
    with _listening(host, port) as listener:
        os.environ |= {
            SCENARIO: scenario.model_dump_json(),
            "SOLARA_APP": "model.dashboard.app",
            "SOLARA_TELEMETRY_MIXPANEL_ENABLE": "false",
            "SOLARA_CHECK_HOOKS": "off",  # it complains about Mesa's components
        }
        # Solara would prefer https for its cookie; on the loopback address there is none.
        warnings.filterwarnings("ignore", message="Cookies with samesite=none")
        import solara.server.starlette  # reads the environment, and is slow to import
        import uvicorn

        name, port = listener.getsockname()[:2]
        guard = Guard(solara.server.starlette.app, name, port)
        config = uvicorn.Config(guard, log_level="warning", timeout_graceful_shutdown=1)
        shown = f"[{name}]" if ":" in name else name
        address = f"http://{shown}:{port}/?token={guard.token}"
        print(f"Watch at {address} (Ctrl-C ends it)", flush=True)
        with suppress(KeyboardInterrupt):
            uvicorn.Server(config).run(sockets=[listener])
        os._exit(0)  # otherwise the threads in which pages play would go on


def _listening(host: str, port: int) -> socket.socket:
    try:
        family = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0][0]
        return socket.create_server((host, port), family=family)
    except (OSError, OverflowError) as error:
        reason = str(getattr(error, "strerror", None) or error).partition(" (")[0]
        raise InputError(
            f"--host {host} --port {port}: {reason}; give an address of this machine and a free "
            "port (0 takes any)"
        ) from None
