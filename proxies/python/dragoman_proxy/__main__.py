"""Starts the service: python3 -m dragoman_proxy --config proxy.json"""

import argparse
import json
import os
import signal
import sys
import threading

from . import PROTOCOL, VERSION
from .configuration import read_configuration
from .problem import WrongConfiguration
from .server import LOOPBACK, Server
from .sessions import Sessions


def main():
    given = parse_arguments()
    try:
        configuration = read_configuration(given.config)
        if given.port is not None:
            configuration.port = given.port
        server = Server(configuration, lambda identity: Sessions(configuration, identity))
    except (WrongConfiguration, OSError, OverflowError) as error:
        print(f"dragoman-proxy cannot start: {error}", file=sys.stderr)
        return 2
    serve(server)
    return 0


def parse_arguments():
    parser = argparse.ArgumentParser(
        prog="python3 -m dragoman_proxy",
        description="Runs command line agents for a Dragoman on another machine, and streams their output.",
    )
    parser.add_argument("--config", required=True, metavar="FILE", help="the configuration file; see the README")
    parser.add_argument("--port", type=int, metavar="N", help='overrides "port" in the file; 0 picks a free one')
    parser.add_argument("--version", action="version", version=f"{VERSION} (protocol {PROTOCOL})")
    return parser.parse_args()


def serve(server):
    """Serves until it gets a signal, and then ends every program."""
    # Python runs handlers in the main thread alone, which sleeps when the system gives the signal to another one:
    # the pipe is written to in any thread.
    told, tell = os.pipe()
    os.set_blocking(tell, False)
    signal.set_wakeup_fd(tell, warn_on_full_buffer=False)
    for name in (signal.SIGTERM, signal.SIGINT):
        signal.signal(name, lambda *_: None)
    left = server.sessions.clear_away()
    if left:
        print(f"stopped {left} processes that an earlier service had left running", file=sys.stderr)
    host = server.configuration.host
    if host not in LOOPBACK | {"::1"}:
        print(
            f"warning: listening on {host}, and the traffic is not encrypted. "
            "Put a TLS proxy in front of it, or listen on 127.0.0.1 and use a tunnel.",
            file=sys.stderr,
        )
    for work in (server.serve_forever, server.sessions.watch):
        threading.Thread(target=work, daemon=True).start()
    shown = f"[{host}]" if ":" in host else host
    print(json.dumps({"url": f"http://{shown}:{server.server_port}", "protocol": PROTOCOL}), flush=True)
    os.read(told, 1)
    server.sessions.close()


if __name__ == "__main__":
    sys.exit(main())
