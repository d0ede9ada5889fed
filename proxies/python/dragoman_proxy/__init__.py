"""Runs command line agents for a Dragoman on another machine, and streams their output."""

PROTOCOL = 1
VERSION = "0.1.0"
