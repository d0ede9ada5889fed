"""The running programs, and when each of them ends."""

import hashlib
import threading
import time
from collections import OrderedDict

from .problem import Problem
from .process_tree import end_marked
from .session import Session

REMEMBERED = 10_000
ENDED = 32
LOOK_EVERY = 0.25


class Sessions:
    """Starts programs, finds them by the names that their callers chose, and ends those without a reader."""

    def __init__(self, configuration, identity):
        self._configuration = configuration
        self._limits = configuration.limits
        # A restarted service finds what it left running.
        self._mark = hashlib.sha256(identity.encode()).hexdigest()[:32]
        self._lock = threading.Lock()
        self._sessions = {}
        self._wishes = {}
        self._over = OrderedDict()
        self._is_open = True
        self._closed = threading.Event()

    def clear_away(self):
        """Ends what an earlier service of the same identity left running."""
        return end_marked(f"{self._mark}-", 2.0)

    def watch(self):
        """Watches the programs until the service ends."""
        while not self._closed.wait(LOOK_EVERY):
            for session in self.all():
                self._look_at(session)

    def start(self, name, wish):
        """Starts a program under a name; a repeated request returns the same one."""
        with self._lock:
            known = self._sessions.get(name)
            if known is not None and self._wishes[name] != wish:
                raise Problem(409, "session-exists", "A session with that name already runs another program.")
            if known is not None:
                return known, False
            if name in self._over:
                raise Problem(410, "session-over", "That session has ended.")
            if not self._is_open:
                raise Problem(503, "stopping", "The service is shutting down.")
            self._make_room()
            session = Session(name, self._configuration.launch(wish), f"{self._mark}-{name}", self._limits)
            self._sessions[name], self._wishes[name] = session, wish
            return session, True

    def _make_room(self):
        running = sum(not session.ended.is_set() for session in self._sessions.values())
        if running >= self._limits["maxSessions"]:
            raise Problem(429, "too-many-sessions", f'{running} programs are already running there, which is the limit ("maxSessions").')
        ended = [session for session in self._sessions.values() if session.ended.is_set()]
        # The last output of ended programs waits for a reader, up to a limit.
        for session in ended[: max(0, len(ended) - ENDED)]:
            self._forget(session)

    def find(self, name):
        with self._lock:
            session = self._sessions.get(name)
        if session is None:
            raise Problem(
                404, "unknown-session", "There is no such session: it has ended, or the service was restarted."
            )
        return session

    def end(self, name, grace):
        """Ends a program; one that has not started will not start."""
        with self._lock:
            session = self._sessions.get(name)
            if session is None:
                self._remember(name)
                return None
        return session.end(grace=grace)

    def all(self):
        with self._lock:
            return list(self._sessions.values())

    def close(self):
        """Ends all programs, and reports it to their readers."""
        with self._lock:
            self._is_open = False
        reason = "The service on that machine was stopped."
        threads = [threading.Thread(target=session.end, args=(reason,)) for session in self.all()]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        until = time.monotonic() + 1
        while time.monotonic() < until and not all(session.is_done() for session in self.all()):
            time.sleep(0.02)
        self._closed.set()

    def forget(self, session):
        with self._lock:
            self._forget(session)

    def _forget(self, session):
        if self._sessions.pop(session.name, None) is not None:
            self._wishes.pop(session.name)
            self._remember(session.name)

    def _remember(self, name):
        self._over[name] = True
        while len(self._over) > REMEMBERED:
            self._over.popitem(last=False)

    def _look_at(self, session):
        unread = session.seconds_unread() > self._limits["readerMinutes"] * 60
        if session.is_done() or (session.ended.is_set() and unread):
            self.forget(session)
        elif unread:
            self._end_soon(session, f'Stopped because its output was not read for {self._limits["readerMinutes"]} minutes.')
        elif session.seconds_idle() > self._limits["idleMinutes"] * 60 and not session.ended.is_set():
            self._end_soon(session, f'Stopped because it was idle for {self._limits["idleMinutes"]} minutes.')

    def _end_soon(self, session, reason):
        if not session.is_ending:
            session.is_ending = True
            threading.Thread(target=session.end, args=(reason,), daemon=True).start()
