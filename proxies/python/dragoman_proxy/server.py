"""The HTTP side: who may call, and the calls."""

import hmac
import io
import json
import math
import re
import socket
import sys
import threading
import time
from collections import OrderedDict
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs, urlsplit

from . import PROTOCOL, VERSION
from .event_log import frame
from .problem import Problem

LOOPBACK = {"127.0.0.1", "localhost", "[::1]"}
WISH_BYTES = 1 << 20
CALL_SECONDS = 30
# How long the head of a request may take, and its body, however slowly the bytes come.
HEADER_SECONDS = 10
BODY_SECONDS = 60
# The share of all connections for callers without the token.
STRANGERS_SHARE = 4
STREAM_SECONDS = 120
LONGEST_GRACE = 30.0
NAME = r"([A-Za-z0-9_-]{16,64})"
NUMBER = r"(0|[1-9][0-9]{0,14})"


class Server(ThreadingHTTPServer):
    """Serves the sessions of one configuration."""

    daemon_threads = True
    request_queue_size = 64

    def __init__(self, configuration, sessions_of):
        self.configuration = configuration
        if ":" in configuration.host:
            self.address_family = socket.AF_INET6
        most = int(configuration.limits["maxConnections"])
        self._free = threading.BoundedSemaphore(most)
        self._most_strangers = max(1, most // STRANGERS_SHARE)
        self._strangers = OrderedDict()
        self._placed = set()
        self._lock = threading.Lock()
        super().__init__((configuration.host, configuration.port), Handler)
        self.sessions = sessions_of(f"{configuration.host}:{self.server_port}")
        self.hosts = LOOPBACK | {configuration.host, f"[{configuration.host}]"} | configuration.allow_hosts

    def process_request(self, request, client_address):
        self._welcome(request)
        if not self._free.acquire(blocking=False):
            self.trust(request)
            return self.shutdown_request(request)
        with self._lock:
            self._placed.add(request)
        try:
            super().process_request(request, client_address)
        except BaseException:
            self._leave(request)
            raise

    def _welcome(self, request):
        """Counts a caller without a token. When there are too many, the slowest one is closed."""
        with self._lock:
            self._strangers[request] = True
            oldest = self._strangers.popitem(last=False)[0] if len(self._strangers) > self._most_strangers else None
        if oldest is not None:
            hang_up(oldest)
            # Its thread may need a while to notice, and others must not wait for that.
            self._leave(oldest)

    def _leave(self, request):
        """Releases a connection, once."""
        with self._lock:
            self._strangers.pop(request, None)
            had_place = request in self._placed
            self._placed.discard(request)
        if had_place:
            self._free.release()

    def trust(self, request):
        """Stops counting a caller as one without a token."""
        with self._lock:
            self._strangers.pop(request, None)

    def process_request_thread(self, request, client_address):
        try:
            super().process_request_thread(request, client_address)
        finally:
            self._leave(request)

    def handle_error(self, request, client_address):
        error = sys.exc_info()[1]
        # Callers come and go; that is not an error.
        if not isinstance(error, (ConnectionError, TimeoutError)):
            print(f"trouble: {error!r}", file=sys.stderr, flush=True)


class Handler(BaseHTTPRequestHandler):
    """Answers one call. Each has its own connection."""

    protocol_version = "HTTP/1.1"
    timeout = CALL_SECONDS
    has_begun = False

    def setup(self):
        super().setup()
        self.incoming = Incoming(self.connection, HEADER_SECONDS)
        self.rfile = io.BufferedReader(self.incoming)

    def answer(self):
        self.close_connection = True
        try:
            self.check_caller()
            self.server.trust(self.connection)
            self.incoming.allow(BODY_SECONDS)
            self.call(urlsplit(self.path))
        except Problem as problem:
            self.reply(problem.status, problem.body)
        except OSError:
            # The caller left, or took too long.
            raise
        except (ValueError, RecursionError) as error:
            self.refuse(Problem(400, "invalid-input", f"The request cannot be read: {describe(error)}."), error)
        except Exception as error:
            print(f"trouble: {error!r}", file=sys.stderr, flush=True)
            self.refuse(Problem(500, "internal-error", "The service failed while handling this request. See its log for details."), error)

    def refuse(self, problem, error):
        """Answers with a problem, unless an answer has begun."""
        if self.has_begun:
            raise error
        self.reply(problem.status, problem.body)

    do_GET = do_PUT = do_POST = do_DELETE = answer

    # Access

    def check_caller(self):
        host = re.sub(r":\d*$", "", self.headers.get("Host", ""))
        if host.lower() not in self.server.hosts:
            raise Problem(
                421, "wrong-host", 'The service does not accept this host name. To allow it, add it to "allowHosts".'
            )
        if self.headers.get("Origin") is not None:
            raise Problem(403, "no-browsers", "Browser pages may not call this service.")
        given = self.headers.get("Authorization", "").encode("utf-8", "surrogateescape")
        if not hmac.compare_digest(given, f"Bearer {self.server.configuration.token}".encode()):
            raise Problem(401, "wrong-token", 'The token is missing or wrong. Send "Authorization: Bearer TOKEN".')

    # Calls

    def call(self, url):
        for pattern, methods in ROUTES:
            found = re.fullmatch(pattern, url.path)
            if found is None:
                continue
            if self.command not in methods:
                raise Problem(405, "wrong-method", f'This path supports only {", ".join(methods)}.')
            return methods[self.command](self, parse_qs(url.query), *found.groups())
        raise Problem(404, "unknown-path", f"There is nothing at {url.path}. This service uses protocol {PROTOCOL}.")

    def show_service(self, _query):
        programs = sorted(self.server.configuration.programs)
        self.reply(200, {"service": "dragoman-proxy", "version": VERSION, "protocol": PROTOCOL, "programs": programs})

    def list_sessions(self, _query):
        self.reply(200, {"sessions": [session.describe() for session in self.server.sessions.all()]})

    def start_session(self, _query, name):
        try:
            wish = json.loads(self.body(WISH_BYTES))
            # Half of a character is valid in JSON, but not as the name of a file or as an argument.
            json.dumps(wish, ensure_ascii=False).encode()
        except UnicodeEncodeError:
            raise Problem(400, "invalid-input", "The body contains half of a character (a lone surrogate).") from None
        except ValueError:
            raise Problem(400, "invalid-input", "The body is not valid JSON.") from None
        except RecursionError:
            raise Problem(400, "invalid-input", "The body is nested too deeply.") from None
        session, is_new = self.server.sessions.start(name, wish)
        self.reply(201 if is_new else 200, session.describe())

    def show_session(self, _query, name):
        self.reply(200, self.server.sessions.find(name).describe())

    def end_session(self, query, name):
        try:
            grace = float(query.get("grace", ["2"])[0])
            if math.isnan(grace):
                raise ValueError
        except ValueError:
            raise Problem(400, "invalid-input", '"grace" must be a number of seconds.') from None
        self.reply(200, {"exit": self.server.sessions.end(name, min(max(grace, 0.0), LONGEST_GRACE))})

    def take_line(self, _query, name, number):
        session = self.server.sessions.find(name)
        line = self.body(self.server.configuration.limits["bodyBytes"])
        self.reply(200, {"taken": session.take(int(number), line)})

    def acknowledge(self, _query, name, number):
        session = self.server.sessions.find(name)
        session.log.acknowledge(int(number))
        if session.is_done():
            self.server.sessions.forget(session)
        self.reply(200, {"acknowledged": session.log.acknowledged})

    def stream_events(self, query, name):
        session = self.server.sessions.find(name)
        place = self.headers.get("Last-Event-ID") or query.get("after", ["0"])[0]
        if not re.fullmatch(NUMBER, place):
            raise Problem(400, "invalid-input", "The position must be an event number, or 0.")
        number = int(place)
        session.log.check_place(number)
        # A reader that gives a number has all events before it.
        session.log.acknowledge(number)
        reader = session.attach()
        try:
            self.stream(session, reader, number)
        finally:
            session.detach(reader)

    def stream(self, session, reader, number):
        self.connection.settimeout(STREAM_SECONDS)
        give_up_on_silence(self.connection)
        self.begin(200, {"Content-Type": "text/event-stream; charset=utf-8", "Cache-Control": "no-store"})
        self.wfile.write(b": events\n\n")
        beat = self.server.configuration.limits["beatSeconds"]
        while session.is_reader(reader):
            events = session.log.after(number, beat, lambda: session.is_reader(reader))
            self.wfile.write(b"".join(map(frame, events)) or b": beat\n\n")
            if events:
                number = events[-1].number
                if events[-1].kind == "exit":
                    return

    # Answers

    def body(self, limit):
        length = self.headers.get("Content-Length")
        if length is None or not re.fullmatch(NUMBER, length):
            raise Problem(411, "length-missing", "The Content-Length header is required.")
        if int(length) > limit:
            # A caller that is still sending when we close does not get the reason.
            self.rfile.read(min(int(length), 8 << 20))
            raise Problem(413, "too-large", f"The body is larger than {int(limit)} bytes.")
        body = self.rfile.read(int(length))
        if len(body) < int(length):
            raise ConnectionError("The caller disconnected in the middle of the body.")
        return body

    def reply(self, status, value):
        text = json.dumps(value).encode()
        self.begin(status, {"Content-Type": "application/json", "Content-Length": str(len(text))})
        if self.command != "HEAD":
            self.wfile.write(text)

    def begin(self, status, headers):
        self.has_begun = True
        self.send_response_only(status)
        for name, value in {**headers, "Dragoman-Proxy": str(PROTOCOL), "Connection": "close"}.items():
            self.send_header(name, value)
        self.end_headers()

    def send_error(self, code, message=None, explain=None):
        """Invalid HTTP gets an answer in the same form."""
        self.close_connection = True
        self.reply(code, {"error": {"code": "invalid-request", "message": message or "Not a valid request."}})

    def log_message(self, format, *args):  # noqa: A002 (the name is the base class's)
        """Does not log calls: there are many, and their addresses name sessions."""


class Incoming(io.RawIOBase):
    """The body of a request, as long as all of it comes in time: a byte from time to time does not count as progress."""

    def __init__(self, connection, seconds):
        self._connection = connection
        self.allow(seconds)

    def allow(self, seconds):
        """Allows the rest this much time from now on."""
        self._until = time.monotonic() + seconds

    def readable(self):
        return True

    def readinto(self, buffer):
        left = self._until - time.monotonic()
        if left <= 0:
            raise TimeoutError("The caller took too long.")
        before = self._connection.gettimeout()
        self._connection.settimeout(left)
        try:
            return self._connection.recv_into(buffer)
        finally:
            self._connection.settimeout(before)


def describe(error):
    """What was wrong with a request, in a few words."""
    if isinstance(error, RecursionError):
        return "it is nested too deeply"
    if isinstance(error, UnicodeError):
        return "it contains text that is not valid Unicode"
    return "a value in it is not valid"


def hang_up(connection):
    """Closes a connection; whatever waits for it is woken."""
    try:
        connection.shutdown(socket.SHUT_RDWR)
    except OSError:
        # It has ended by itself.
        return


def give_up_on_silence(connection):
    """Makes the system report when the other end is gone silently."""
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
    if hasattr(socket, "TCP_USER_TIMEOUT"):
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, STREAM_SECONDS * 1000)


ROUTES = (
    (r"/v1", {"GET": Handler.show_service}),
    (r"/v1/sessions", {"GET": Handler.list_sessions}),
    (
        rf"/v1/sessions/{NAME}",
        {"GET": Handler.show_session, "PUT": Handler.start_session, "DELETE": Handler.end_session},
    ),
    (rf"/v1/sessions/{NAME}/events", {"GET": Handler.stream_events}),
    (rf"/v1/sessions/{NAME}/lines/{NUMBER}", {"POST": Handler.take_line}),
    (rf"/v1/sessions/{NAME}/acknowledged/{NUMBER}", {"POST": Handler.acknowledge}),
)
