"""One running program: its output becomes events, and its input arrives once."""

import json
import os
import queue
import signal
import subprocess
import threading
import time

from .event_log import EventLog, LineCutter
from .problem import Problem
from .process_tree import MARK, end_tree

PIECE = 1 << 16
LONGEST_LINE = 1 << 18
DRAIN_SECONDS = 1.0


class Session:
    """A program, from its start until its reader has its exit."""

    def __init__(self, name, launch, mark, limits):
        self.name = name
        self.launch = launch
        self.log = EventLog(limits["waitingBytes"])
        self.started = time.time()
        self._mark = mark
        self._limits = limits
        self._lock = threading.Lock()
        self._taken = 0
        self._pending = 0
        self._lines = queue.Queue()
        self._reader = 0
        self._is_read = False
        self._read_until = self._active = time.monotonic()
        self._ending = None
        self.is_ending = False
        self.exit = None
        self.ended = threading.Event()
        self._process = self._start()
        self._threads = [
            self._run(self._hear, self._process.stdout, LineCutter("stdout", self._add, LONGEST_LINE), False),
            self._run(self._hear, self._process.stderr, LineCutter("stderr", self._add, LONGEST_LINE), True),
        ]
        self._run(self._tell)
        self._run(self._wait)

    # Start and end

    def _start(self):
        argv, cwd, env = self.launch["argv"], self.launch["cwd"], {**self.launch["env"], MARK: self._mark}
        pipe = subprocess.PIPE
        try:
            return subprocess.Popen(
                argv, cwd=cwd, env=env, stdin=pipe, stdout=pipe, stderr=pipe, start_new_session=True, bufsize=0
            )
        except FileNotFoundError:
            raise Problem(
                422, "program-missing", f'"{argv[0]}" was not found on that machine. Install it there, or correct its "argv".'
            ) from None
        except (OSError, ValueError) as error:
            raise Problem(422, "program-failed", f'"{argv[0]}" could not be started there: {error}.') from None

    @property
    def pid(self):
        return self._process.pid

    def end(self, reason=None, grace=2.0):
        """Ends the program and all that it started. Returns when that is done."""
        if not self.ended.is_set():
            if self._ending is None:
                self._ending = reason
            self.log.release()
            end_tree(self.pid, self._mark, grace)
            self.ended.wait(grace + 5)
        return self.exit or {"code": None, "signal": None, "reason": reason}

    def _wait(self):
        code = self._process.wait()
        # Its child processes would otherwise continue, and hold its pipes.
        end_tree(self.pid, self._mark, 2.0)
        self._drain()
        named = signal.Signals(-code).name if code < 0 else None
        self.exit = {"code": None if code < 0 else code, "signal": named, "reason": self._ending}
        self._lines.put(None)
        self.log.complete("exit", json.dumps(self.exit).encode())
        self.ended.set()

    def _drain(self):
        """Waits until all its output was read; a process that we could not end may hold a pipe, but writes nothing new."""
        for thread in self._threads:
            before = None
            while thread.is_alive():
                now = (self.log.last, self.log.acknowledged)
                # A full log is not silence: it waits for its reader, or for the end.
                if now == before and self.log.has_room():
                    break
                before = now
                thread.join(DRAIN_SECONDS)

    # Output

    def _hear(self, pipe, cutter, is_eager):
        while True:
            try:
                piece = os.read(pipe.fileno(), PIECE)
            except OSError:
                piece = b""
            if not piece:
                break
            cutter.take(piece)
            if is_eager:
                cutter.flush()
        cutter.flush()
        pipe.close()

    def _add(self, kind, data):
        self._active = time.monotonic()
        self.log.add(kind, data)

    # Input

    def take(self, number, line):
        """Accepts a line once, however often it is sent. Returns how many were accepted."""
        line = line if line.endswith(b"\n") else line + b"\n"
        with self._lock:
            if number <= self._taken:
                return self._taken
            if self.exit is not None:
                raise Problem(409, "program-ended", "The program has exited and accepts no more lines.")
            if number != self._taken + 1:
                raise Problem(
                    409, "line-missing", f"Line {self._taken + 1} must come before line {number}.", next=self._taken + 1
                )
            if self._pending > 0 and self._pending + len(line) > self._limits["bodyBytes"]:
                raise Problem(503, "program-busy", "The program has not read its earlier input yet. Try again.")
            self._pending += len(line)
            self._taken = number
            self._active = time.monotonic()
            self._lines.put(line)
            return self._taken

    def _tell(self):
        pipe = self._process.stdin
        while True:
            line = self._lines.get()
            if line is None:
                break
            rest = memoryview(line)
            try:
                while rest:
                    rest = rest[os.write(pipe.fileno(), rest) :]
            except OSError:
                pass  # It has ended or closed its input; its exit shows it.
            with self._lock:
                self._pending -= len(line)
        try:
            pipe.close()
        except OSError:
            pass  # There was no process to read the rest.

    # Reader

    def attach(self):
        """Makes the caller its reader, in place of the previous one."""
        with self._lock:
            self._reader += 1
            self._is_read = True
            reader = self._reader
        self.log.wake()
        return reader

    def is_reader(self, reader):
        return reader == self._reader

    def detach(self, reader):
        with self._lock:
            if reader == self._reader:
                self._is_read = False
                self._read_until = time.monotonic()

    def seconds_unread(self):
        return 0.0 if self._is_read else time.monotonic() - self._read_until

    def seconds_idle(self):
        return time.monotonic() - self._active

    def is_done(self):
        """Whether it has ended and its reader has everything."""
        return self.log.is_complete and self.log.acknowledged == self.log.last

    def describe(self):
        return {
            "session": self.name,
            "program": self.launch["program"],
            "cwd": self.launch["cwd"],
            "pid": self.pid,
            "started": self.started,
            "lines": self._taken,
            "events": self.log.last,
            "acknowledged": self.log.acknowledged,
            "isRead": self._is_read,
            "exit": self.exit,
        }

    def _run(self, work, *given):
        thread = threading.Thread(target=work, args=given, daemon=True)
        thread.start()
        return thread
