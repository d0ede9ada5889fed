"""Errors of a caller, or of the configuration."""


class Problem(Exception):
    """A refusal: an HTTP status, a code for programs and a message for people."""

    def __init__(self, status, code, message, **details):
        super().__init__(message)
        self.status = status
        self.body = {"error": {"code": code, "message": message, **details}}


class WrongConfiguration(Exception):
    """The service cannot start with its configuration; says why."""
