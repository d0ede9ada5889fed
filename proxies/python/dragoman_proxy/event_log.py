"""The numbered output of a program, kept until the reader has it."""

import base64
import threading
from collections import deque, namedtuple

from .problem import Problem

Event = namedtuple("Event", "number kind data")

BATCH_BYTES = 1 << 20
OVERHEAD = 64


class EventLog:
    """Events 1, 2, 3 … of one program.

    An event stays until the reader acknowledges it. When more than `limit` bytes wait, the writer of the next one waits,
    too: a program without a reader is slowed down, and nothing is lost.
    """

    def __init__(self, limit):
        self._limit = limit
        self._changed = threading.Condition()
        self._events = deque()
        self._size = 0
        self._released = False
        self.last = 0
        self.acknowledged = 0
        self.is_complete = False

    def add(self, kind, data):
        with self._changed:
            while self._size > self._limit and not self._released:
                self._changed.wait()
            self._append(kind, data)

    def complete(self, kind, data):
        """Adds the last event, at once."""
        with self._changed:
            self._append(kind, data)
            self.is_complete = True

    def has_room(self):
        with self._changed:
            return self._size <= self._limit or self._released

    def release(self):
        """Accepts everything from now on: the rest is known to be small."""
        with self._changed:
            self._released = True
            self._changed.notify_all()

    def wake(self):
        """Wakes a waiting reader."""
        with self._changed:
            self._changed.notify_all()

    def acknowledge(self, number):
        """Drops what the reader has."""
        with self._changed:
            self._check_not_ahead(number)
            while self._events and self._events[0].number <= number:
                self._size -= size_of(self._events.popleft())
            self.acknowledged = max(self.acknowledged, number)
            self._changed.notify_all()

    def check_place(self, number):
        """Refuses a number after which events are missing."""
        with self._changed:
            self._check_not_ahead(number)
            if number < self.acknowledged:
                raise Problem(
                    410,
                    "place-gone",
                    f"What came after event {number} is no longer here: "
                    f"the oldest event that is left is {self.acknowledged + 1}.",
                    oldest=self.acknowledged + 1,
                    newest=self.last,
                )

    def after(self, number, patience, is_current):
        """The next events after a number, some at a time; none when nothing came in time or the reader is not `is_current`."""
        with self._changed:
            self._changed.wait_for(lambda: self.last > number or not is_current(), patience)
            batch, size = [], 0
            # Acknowledged events may be dropped meanwhile: this reader had them.
            skipped = number - (self._events[0].number - 1) if self._events else 0
            for at in range(max(0, skipped), len(self._events)):
                batch.append(self._events[at])
                size += size_of(self._events[at])
                if size > BATCH_BYTES:
                    break
            return batch

    def _append(self, kind, data):
        self.last += 1
        event = Event(self.last, kind, data)
        self._events.append(event)
        self._size += size_of(event)
        self._changed.notify_all()

    def _check_not_ahead(self, number):
        if number > self.last:
            raise Problem(409, "place-ahead", f"There is no event {number} yet: the newest is {self.last}.", newest=self.last)


def size_of(event):
    return len(event.data) + OVERHEAD


def frame(event):
    """An event on the wire. Bytes that the text of a stream cannot hold are sent as base64, and the kind shows it."""
    kind, data = event.kind, event.data
    if not is_plain(data):
        kind, data = f"{kind}-base64", base64.b64encode(data)
    return b"id: %d\nevent: %s\ndata: %s\n\n" % (event.number, kind.encode(), data)


def is_plain(data):
    if b"\r" in data or b"\n" in data:
        return False
    try:
        data.decode("utf-8")
        return True
    except UnicodeDecodeError:
        return False


class LineCutter:
    """Turns bytes that arrive in pieces into events: one for each line, and parts of lines that are too long to wait for."""

    def __init__(self, name, add, longest):
        self._name = name
        self._add = add
        self._longest = longest
        self._rest = b""

    def take(self, piece):
        *lines, self._rest = (self._rest + piece).split(b"\n")
        for line in lines:
            self._add(self._name, line)
        if len(self._rest) > self._longest:
            self.flush()

    def flush(self):
        """Returns the unfinished line."""
        if self._rest:
            self._add(f"{self._name}-part", self._rest)
            self._rest = b""
