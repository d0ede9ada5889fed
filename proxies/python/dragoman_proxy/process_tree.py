"""Finds and ends all that a program started.

A program leads its own process group, but its child processes may leave the group. So each program also gets a mark in its
environment, which its child processes inherit.
"""

import os
import signal
import subprocess
import sys
import time

MARK = "DRAGOMAN_PROCESS"
LOOK_EVERY = 0.04


def end_tree(group, mark, grace):
    """Asks a group, and all processes with its mark, to end; kills them after `grace` seconds."""
    _signal_all(group, mark, signal.SIGTERM)
    if not _is_gone(group, mark, grace):
        _signal_all(group, mark, signal.SIGKILL)
        _is_gone(group, mark, grace + 1)


def end_marked(prefix, grace):
    """Ends all processes with a mark that begins so; returns how many there were."""
    found = find_marked(prefix, whole=False)
    for pid in found:
        _signal(pid, signal.SIGTERM)
    until = time.monotonic() + grace
    while time.monotonic() < until and find_marked(prefix, whole=False):
        time.sleep(LOOK_EVERY)
    for pid in find_marked(prefix, whole=False):
        _signal(pid, signal.SIGKILL)
    return len(found)


def find_marked(mark, whole=True):
    """The processes with a mark, or one that begins with it."""
    line = f"{MARK}={mark}".encode()
    if sys.platform.startswith("linux"):
        return [pid for pid in _all_processes() if _bears(pid, line, whole)]
    return _find_by_ps(line.decode(), whole)


def _all_processes():
    return [int(name) for name in os.listdir("/proc") if name.isdigit() and int(name) != os.getpid()]


def _bears(pid, line, whole):
    try:
        with open(f"/proc/{pid}/environ", "rb") as file:
            return any(each == line or (not whole and each.startswith(line)) for each in file.read().split(b"\0"))
    except OSError:
        # It has ended, or belongs to another user.
        return False


def _find_by_ps(line, whole):
    output = subprocess.run(["ps", "-Eaxww", "-o", "pid=,command="], capture_output=True, text=True, check=False).stdout
    found = []
    for row in output.splitlines():
        pid, _, words = row.strip().partition(" ")
        if any(word == line or (not whole and word.startswith(line)) for word in words.split(" ")):
            found.append(int(pid))
    return [pid for pid in found if pid > 1 and pid != os.getpid()]


def _signal_all(group, mark, number):
    try:
        os.killpg(group, number)
    except (ProcessLookupError, PermissionError):
        pass  # No process is left in it.
    for pid in find_marked(mark):
        _signal(pid, number)


def _signal(pid, number):
    try:
        os.kill(pid, number)
    except (ProcessLookupError, PermissionError):
        pass  # It has ended by itself.


def _is_gone(group, mark, within):
    until = time.monotonic() + within
    while _is_alive(group) or find_marked(mark):
        if time.monotonic() >= until:
            return False
        time.sleep(LOOK_EVERY)
    return True


def _is_alive(group):
    try:
        os.killpg(group, 0)
        return True
    except PermissionError:
        # On macOS a group of zombies gives this error.
        return False
    except ProcessLookupError:
        return False
