"""What a caller, or whoever configures the service, did wrong."""


class Problem(Exception):
    """A refusal: an HTTP status, a code for programs and a sentence for people."""

    def __init__(self, status, code, message, **details):
        super().__init__(message)
        self.status = status
        self.body = {"error": {"code": code, "message": message, **details}}


class WrongConfiguration(Exception):
    """The service cannot start with what it was given; says why."""
