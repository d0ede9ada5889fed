"""The service as a process, called over HTTP."""

import http.client
import json
import os
import subprocess
import sys
import tempfile
import threading
import time
import unittest
import uuid

from dragoman_proxy.configuration import Configuration
from dragoman_proxy.sessions import Sessions

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
TOKEN = "a-token-for-the-tests"


class TheService(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        config = os.path.join(cls.folder.name, "proxy.json")
        python = [sys.executable, "-u", "-c"]
        programs = {
            "cat": {"argv": ["cat"]},
            "python": {"argv": python, "args": True},
        }
        with open(config, "w", encoding="utf-8") as file:
            json.dump({"port": 0, "roots": ["/"], "programs": programs, "beatSeconds": 0.2, "maxSessions": 4, "bodyBytes": 1000}, file)
        cls.process = subprocess.Popen(
            [sys.executable, "-m", "dragoman_proxy", "--config", config],
            cwd=ROOT,
            env={**os.environ, "DRAGOMAN_PROXY_TOKEN": TOKEN},
            stdout=subprocess.PIPE,
        )
        cls.port = int(json.loads(cls.process.stdout.readline())["url"].rsplit(":", 1)[1])

    @classmethod
    def tearDownClass(cls):
        cls.process.terminate()
        assert cls.process.wait(20) == 0
        cls.process.stdout.close()
        cls.folder.cleanup()

    def call(self, method, path, body=None, headers=None):
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=20)
        connection.request(method, path, body, {"Authorization": f"Bearer {TOKEN}", **(headers or {})})
        response = connection.getresponse()
        self.addCleanup(connection.close)
        self.assertEqual(response.getheader("Dragoman-Proxy"), "1")
        if response.getheader("Content-Type", "").startswith("text/event-stream"):
            return response.status, response
        value = json.loads(response.read())
        return response.status, value.get("error", value)

    def start(self, program, *args):
        name = str(uuid.uuid4())
        wish = {"program": program, "args": list(args), "cwd": self.folder.name}
        status, told = self.call("PUT", f"/v1/sessions/{name}", json.dumps(wish))
        self.assertEqual(status, 201, told)
        self.addCleanup(lambda: self.call("DELETE", f"/v1/sessions/{name}?grace=0"))
        return f"/v1/sessions/{name}", wish

    def events(self, session, after=0, count=None):
        """Events up to the exit, or some of them."""
        _, stream = self.call("GET", f"{session}/events", headers={"Last-Event-ID": str(after)})
        found, fields = [], {}
        for line in stream:
            name, _, value = line.rstrip(b"\n").partition(b": ")
            if line != b"\n":
                fields[name] = value
                continue
            if b"id" in fields:
                found.append((int(fields[b"id"]), fields[b"event"].decode(), fields[b"data"]))
            fields = {}
            if found and (found[-1][1] == "exit" or len(found) == count):
                break
        return found

    def test_refuses_callers_without_the_token(self):
        for value in ("", "Bearer wrong", f"Basic {TOKEN}", f"Bearer {TOKEN}x", "Bearer \xff"):
            for method, path in (("GET", "/v1"), ("GET", "/nowhere"), ("PUT", f"/v1/sessions/{uuid.uuid4()}")):
                status, error = self.call(method, path, headers={"Authorization": value})
                self.assertEqual((status, error["code"]), (401, "wrong-token"))

    def test_answers_only_to_its_host_names_and_never_to_a_page(self):
        self.assertEqual(self.call("GET", "/v1", headers={"Host": "evil.example:80"})[1]["code"], "wrong-host")
        self.assertEqual(self.call("GET", "/v1", headers={"Host": f"localhost:{self.port}"})[0], 200)
        self.assertEqual(self.call("GET", "/v1", headers={"Origin": "http://localhost"})[1]["code"], "no-browsers")

    def test_refuses_unknown_programs_paths_and_settings(self):
        for method, path, code in (
            ("GET", "/v2", "unknown-path"),
            ("DELETE", "/v1", "wrong-method"),
            ("GET", f"/v1/sessions/{uuid.uuid4()}", "unknown-session"),
            ("GET", "/v1/sessions/short", "unknown-path"),
            ("POST", f"/v1/sessions/{uuid.uuid4()}/lines/-1", "unknown-path"),
        ):
            self.assertEqual(self.call(method, path)[1]["code"], code, path)
        for grace in ("nan", "soon"):
            status, error = self.call("DELETE", f"/v1/sessions/{uuid.uuid4()}?grace={grace}")
            self.assertEqual((status, error["code"]), (400, "invalid-input"), grace)
        name = uuid.uuid4()
        self.assertEqual(self.call("PUT", f"/v1/sessions/{name}", "{")[1]["code"], "invalid-input")
        wish = json.dumps({"program": "rm", "cwd": "/"})
        self.assertEqual(self.call("PUT", f"/v1/sessions/{name}", wish)[1]["code"], "unknown-program")
        self.assertEqual(self.call("PUT", f"/v1/sessions/{name}", "x" * (2 << 20))[1]["code"], "too-large")
        session, _ = self.start("cat")
        self.assertEqual(self.call("POST", f"{session}/lines/1", "x" * 1001)[1]["code"], "too-large")
        chunked = {"Transfer-Encoding": "chunked"}
        self.assertEqual(self.call("POST", f"{session}/lines/1", headers=chunked)[1]["code"], "length-missing")

    def test_accepts_each_line_once_and_in_order(self):
        session, _ = self.start("cat")
        for number, expected in ((1, 200), (1, 200), (3, 409), (2, 200), (1, 200), (2, 200)):
            status, _ = self.call("POST", f"{session}/lines/{number}", f"line {number}")
            self.assertEqual(status, expected)
        self.assertEqual([data for _, _, data in self.events(session, count=2)], [b"line 1", b"line 2"])
        self.assertEqual(self.call("POST", f"{session}/lines/4", "x")[1]["next"], 3)

    def test_sends_all_events_after_a_number(self):
        session, _ = self.start("python", "for n in range(50): print(n)")
        everything = self.events(session)
        self.assertEqual([number for number, _, _ in everything], list(range(1, 52)))
        self.assertEqual(everything[-1][1], "exit")
        for after in (0, 1, 25, 50):
            self.assertEqual(self.events(session, after), everything[after:])
        # A reader that continues after a number has the events before it.
        status, error = self.call("GET", f"{session}/events", headers={"Last-Event-ID": "10"})
        self.assertEqual((status, error["code"], error["oldest"]), (410, "place-gone", 51))
        self.assertEqual(self.call("GET", f"{session}/events?after=99")[1]["code"], "place-ahead")
        self.assertEqual(self.call("GET", f"{session}/events?after=x")[1]["code"], "invalid-input")

    def test_keeps_bytes_that_are_not_text_long_lines_and_stderr(self):
        program = "import sys, os; os.write(1, b'\\xff\\xfe\\n'); os.write(1, b'x' * 600000 + b'\\n'); os.write(2, b'oh'); sys.exit(3)"
        session, _ = self.start("python", program)
        events = self.events(session)
        self.assertEqual([data for _, kind, data in events if kind == "stdout-base64"], [b"//4="])
        long = b"".join(data for _, kind, data in events if kind in ("stdout", "stdout-part"))
        self.assertEqual(long, b"x" * 600000)
        self.assertEqual([data for _, kind, data in events if kind == "stderr-part"], [b"oh"])
        self.assertEqual(json.loads(events[-1][2]), {"code": 3, "signal": None, "reason": None})

    def test_starts_a_program_once_and_not_after_its_end(self):
        session, wish = self.start("cat")
        pid = self.call("GET", session)[1]["pid"]
        status, again = self.call("PUT", session, json.dumps(wish))
        self.assertEqual((status, again["pid"]), (200, pid))
        self.assertEqual(self.call("PUT", session, json.dumps({**wish, "program": "python"}))[1]["code"], "session-exists")
        self.assertEqual(self.call("DELETE", session)[1]["exit"]["signal"], "SIGTERM")
        self.assertEqual(self.call("DELETE", session)[1]["exit"]["signal"], "SIGTERM")
        last = self.events(session)[-1][0]
        self.assertEqual(self.call("POST", f"{session}/lines/1", "x")[1]["code"], "program-ended")
        self.call("POST", f"{session}/acknowledged/{last}")
        self.assertEqual(self.call("GET", session)[1]["code"], "unknown-session")
        self.assertEqual(self.call("PUT", session, json.dumps(wish))[1]["code"], "session-over")
        # An end request that arrives before the start request.
        name = f"/v1/sessions/{uuid.uuid4()}"
        self.assertEqual(self.call("DELETE", name), (200, {"exit": None}))
        self.assertEqual(self.call("PUT", name, json.dumps(wish))[1]["code"], "session-over")

    def test_the_newest_reader_replaces_the_previous_one(self):
        session, _ = self.start("cat")
        _, first = self.call("GET", f"{session}/events")
        self.assertTrue(first.readline())
        self.call("POST", f"{session}/lines/1", "hello")
        self.assertEqual(self.events(session, count=1)[0][2], b"hello")
        first.read()
        self.assertTrue(first.isclosed())

    def test_limits_the_number_of_running_programs(self):
        sessions = [self.start("cat")[0] for _ in range(4)]
        wish = json.dumps({"program": "cat", "cwd": "/"})
        status, error = self.call("PUT", f"/v1/sessions/{uuid.uuid4()}", wish)
        self.assertEqual((status, error["code"]), (429, "too-many-sessions"))
        self.call("DELETE", sessions[0])
        self.start("cat")

    def test_a_silent_stream_sends_heartbeats(self):
        session, _ = self.start("cat")
        _, stream = self.call("GET", f"{session}/events")
        lines = [stream.readline() for _ in range(4)]
        self.assertEqual(lines, [b": events\n", b"\n", b": beat\n", b"\n"])

    def test_invalid_http_gets_an_answer_in_the_same_form(self):
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=5)
        connection.request("BREW", "/v1")
        response = connection.getresponse()
        self.assertEqual(response.status, 501)
        self.assertEqual(json.loads(response.read())["error"]["code"], "invalid-request")
        connection.close()


class ItsEnd(unittest.TestCase):
    def test_does_not_start_without_a_token_or_with_invalid_settings(self):
        with tempfile.TemporaryDirectory() as folder:
            config = os.path.join(folder, "proxy.json")
            with open(config, "w", encoding="utf-8") as file:
                json.dump({"roots": ["/"], "programs": {"cat": {"argv": ["cat"]}}}, file)
            env = {name: value for name, value in os.environ.items() if name != "DRAGOMAN_PROXY_TOKEN"}
            ran = subprocess.run(
                [sys.executable, "-m", "dragoman_proxy", "--config", config],
                cwd=ROOT,
                env=env,
                capture_output=True,
                text=True,
                timeout=20,
                check=False,
            )
        self.assertEqual(ran.returncode, 2)
        self.assertIn("A token is required", ran.stderr)

    def test_programs_end_without_a_reader_or_when_they_are_idle(self):
        for limit, words in (("readerMinutes", "was not read"), ("idleMinutes", "was idle")):
            with self.subTest(limit), tempfile.TemporaryDirectory() as folder:
                self.check_end(folder, {limit: 0.01}, words)

    def check_end(self, folder, limits, words):
        values = {"roots": ["/"], "programs": {"cat": {"argv": ["cat"]}}, **limits}
        configuration = Configuration(values, folder, {"DRAGOMAN_PROXY_TOKEN": TOKEN, "PATH": os.environ["PATH"]})
        sessions = Sessions(configuration, str(uuid.uuid4()))
        threading.Thread(target=sessions.watch, daemon=True).start()
        session, _ = sessions.start(str(uuid.uuid4()), {"program": "cat", "cwd": folder})
        if "idleMinutes" in limits:
            session.attach()
        self.assertTrue(session.ended.wait(10))
        self.assertIn(words, session.exit["reason"])
        time.sleep(0.6)
        # A program with a reader keeps its last output for it; one without a reader keeps nothing.
        self.assertEqual(len(sessions.all()), 1 if "idleMinutes" in limits else 0)
        sessions.close()


if __name__ == "__main__":
    unittest.main()
