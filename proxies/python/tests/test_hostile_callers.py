"""Callers that send slowly, without the token, or invalid data; and patterns that get long texts."""

import ast
import glob
import importlib
import json
import os
import re
import socket
import tempfile
import threading
import time
import unittest
import uuid

from dragoman_proxy import server as service
from dragoman_proxy.configuration import read_configuration
from dragoman_proxy.sessions import Sessions

TOKEN = "a-token-for-the-tests"
PACKAGE = os.path.dirname(os.path.abspath(service.__file__))


class HostileCallers(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        config = os.path.join(self.folder.name, "proxy.json")
        with open(config, "w", encoding="utf-8") as file:
            json.dump({"port": 0, "roots": ["/"], "programs": {"cat": {"argv": ["cat"]}}, "maxConnections": 16}, file)
        os.environ["DRAGOMAN_PROXY_TOKEN"] = TOKEN
        self.addCleanup(os.environ.pop, "DRAGOMAN_PROXY_TOKEN")
        configuration = read_configuration(config)
        self.server = service.Server(configuration, lambda identity: Sessions(configuration, identity))
        self.addCleanup(self.server.server_close)
        threading.Thread(target=self.server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True).start()
        self.addCleanup(self.server.shutdown)

    def connect(self):
        connection = socket.create_connection(("127.0.0.1", self.server.server_port), timeout=20)
        self.addCleanup(connection.close)
        return connection

    def ask(self, method, path, body=b"", token=TOKEN):
        connection = self.connect()
        head = f"{method} {path} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer {token}\r\nContent-Length: {len(body)}\r\n\r\n"
        connection.sendall(head.encode() + body)
        return self.answer(connection)

    def answer(self, connection):
        """The status and the error of an answer; None when there is none."""
        text = b""
        try:
            while piece := connection.recv(65536):
                text += piece
        except ConnectionError:
            pass
        if not text:
            return None
        head, _, body = text.partition(b"\r\n\r\n")
        return int(head.split(b" ")[1]), json.loads(body).get("error")

    def put(self, body):
        return self.ask("PUT", f"/v1/sessions/{uuid.uuid4()}", body)

    def test_half_sent_requests_do_not_block_others(self):
        slow = [self.connect() for _ in range(60)]
        for connection in slow:
            try:
                connection.sendall(b"GET /v1 HTTP/1.1\r\nHost: local")
            except ConnectionError:
                # It was among the oldest.
                continue
        for _ in range(20):
            self.assertEqual(self.ask("GET", "/v1"), (200, None))
        gone = sum(1 for connection in slow if is_gone(connection))
        self.assertGreaterEqual(gone, 60 - self.server._most_strangers)

    def test_a_request_that_comes_byte_by_byte_ends_at_its_deadline(self):
        service_seconds = service.HEADER_SECONDS
        self.addCleanup(setattr, service, "HEADER_SECONDS", service_seconds)
        service.HEADER_SECONDS = 0.3
        connection = self.connect()
        began = time.monotonic()
        self.assertTrue(drips(connection, b"GET /v1 HTTP/1.1\r\nX: ", b"x"))
        self.assertLess(time.monotonic() - began, 10)

    def test_a_body_that_comes_byte_by_byte_ends_at_its_deadline(self):
        seconds = service.BODY_SECONDS
        self.addCleanup(setattr, service, "BODY_SECONDS", seconds)
        service.BODY_SECONDS = 0.3
        connection = self.connect()
        head = f"PUT /v1/sessions/{uuid.uuid4()} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer {TOKEN}\r\nContent-Length: 100000\r\n\r\n"
        self.assertTrue(drips(connection, head.encode(), b" "))

    def test_a_caller_with_the_token_does_not_count_as_unknown(self):
        for _ in range(self.server._most_strangers * 3):
            self.assertEqual(self.ask("GET", "/v1")[0], 200)
        until(self, lambda: not self.server._strangers)
        self.assertEqual(self.ask("GET", "/v1", token="wrong")[1]["code"], "wrong-token")
        until(self, lambda: not self.server._strangers)

    def test_unreadable_requests_get_an_answer(self):
        wish = {"program": "cat", "args": [], "cwd": "/"}
        lone = json.dumps({**wish, "cwd": "/x\ud800"}).encode()
        for body, words in (
            (b"[" * 100_000, "nested too deeply"),
            (b'{"a":' * 50_000, "nested too deeply"),
            (lone, "lone surrogate"),
            (json.dumps({**wish, "args": ["\udfff"]}).encode(), "lone surrogate"),
            (b"\xff\xfe", "not valid JSON"),
            (b"", "not valid JSON"),
        ):
            status, error = self.put(body)
            self.assertEqual((status, error["code"]), (400, "invalid-input"), body[:20])
            self.assertIn(words, error["message"])

    def test_strange_addresses_and_lengths_get_an_answer(self):
        for path in ("//[", "/v1?after=%ff", "/v1/sessions/" + "x" * 5000):
            self.assertIn(self.ask("GET", path)[0], (200, 400, 404), path)
        connection = self.connect()
        head = f"PUT /v1/sessions/{uuid.uuid4()} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer {TOKEN}\r\nContent-Length: {'9' * 6000}\r\n\r\n"
        connection.sendall(head.encode())
        self.assertEqual(self.answer(connection)[0], 411)


class Patterns(unittest.TestCase):
    def test_no_pattern_takes_more_than_linear_time(self):
        patterns = shipped_patterns()
        self.assertGreaterEqual(len(patterns), 8)
        pumps = [*" \n:/.-_aA0!~", ":0", "/v1/sessions/", "a/", "0:"]
        for pattern in patterns:
            compiled = re.compile(pattern)
            for pump in pumps:
                for end in ("", "\n!", "x"):
                    small, large = (cost(compiled, pump * size + end) for size in (2_000, 16_000))
                    # Eight times the text: linear is eight times the work, the square sixty-four.
                    self.assertLess(large, max(small, 0.001) * 30, (pattern, pump, end))


def cost(compiled, text):
    """The least processor time of some searches, in seconds."""
    times = []
    for _ in range(3):
        before = time.thread_time()
        compiled.search(text)
        compiled.fullmatch(text)
        compiled.sub("", text)
        times.append(time.thread_time() - before)
    return min(times)


def shipped_patterns():
    """Each pattern that the package gives to `re`, found by parsing it."""
    found = [pattern for pattern, _ in service.ROUTES]
    for file in glob.glob(os.path.join(PACKAGE, "*.py")):
        name = os.path.basename(file)[:-3]
        with open(file, encoding="utf-8") as source:
            tree = ast.parse(source.read())
        for node in ast.walk(tree):
            if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute)):
                continue
            if not (isinstance(node.func.value, ast.Name) and node.func.value.id == "re"):
                continue
            argument = node.args[0]
            # The loop over ROUTES, which are in the list already.
            if isinstance(argument, ast.Name) and argument.id == "pattern":
                continue
            module = importlib.import_module(f"dragoman_proxy.{name}")
            found.append(eval(compile(ast.Expression(argument), file, "eval"), vars(module)))  # noqa: S307 (our own source)
    return found


def is_gone(connection):
    """Whether the other end has closed the connection."""
    connection.setblocking(False)
    try:
        return connection.recv(1) == b""
    except BlockingIOError:
        return False
    except ConnectionError:
        return True


def drips(connection, head, piece):
    """Sends a byte from time to time until the other end closes; False when it never does."""
    connection.sendall(head)
    connection.settimeout(0.02)
    for _ in range(500):
        try:
            connection.sendall(piece)
            if connection.recv(1) == b"":
                return True
        except TimeoutError:
            continue
        except ConnectionError:
            return True
    return False


def until(test, condition):
    """Waits for a condition."""
    end = time.monotonic() + 10
    while not condition():
        test.assertLess(time.monotonic(), end, "it did not come true")
        time.sleep(0.01)
