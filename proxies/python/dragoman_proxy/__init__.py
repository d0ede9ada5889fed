"""Runs command line agents for a Dragoman on another machine, and streams what they say."""

PROTOCOL = 1
VERSION = "0.1.0"
