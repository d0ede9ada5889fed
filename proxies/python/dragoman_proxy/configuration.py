"""Which programs may be run, where and by whom: the configuration file of the service."""

import fnmatch
import json
import os
import re
import secrets
import stat

from .problem import Problem, WrongConfiguration

# The environment variables that every program gets; they contain no secrets.
HARMLESS = (
    "PATH HOME USER LOGNAME SHELL LANG LANGUAGE TERM COLORTERM NO_COLOR TMPDIR TZ "
    "XDG_CONFIG_HOME XDG_DATA_HOME XDG_CACHE_HOME XDG_STATE_HOME XDG_RUNTIME_DIR "
    # Each by its name: any variable may begin with LC_.
    "LC_ALL LC_ADDRESS LC_COLLATE LC_CTYPE LC_IDENTIFICATION LC_MEASUREMENT LC_MESSAGES "
    "LC_MONETARY LC_NAME LC_NUMERIC LC_PAPER LC_TELEPHONE LC_TIME"
).split()

DEFAULTS = {
    "host": "127.0.0.1",
    "port": 4500,
    "allowHosts": [],
    "roots": [],
    "readerMinutes": 10,
    "idleMinutes": 1500,
    "maxSessions": 16,
    "maxConnections": 128,
    "bodyBytes": 64 << 20,
    "waitingBytes": 16 << 20,
    "beatSeconds": 15,
}
PROGRAM_KEYS = {"argv", "args", "roots", "inherit", "env", "acceptEnv"}
# No system has longer paths, and resolving one takes time.
LONGEST_PATH = 4096
TOKEN = re.compile(r"[\x21-\x7e]{16,1000}")


class Configuration:
    """The checked settings of a service."""

    def __init__(self, values, folder, environment):
        unknown = set(values) - set(DEFAULTS) - {"programs", "tokenFile"}
        if unknown:
            raise WrongConfiguration(f'"{sorted(unknown)[0]}" is not a setting.')
        merged = {**DEFAULTS, **values}
        self.host, self.port = merged["host"], merged["port"]
        self.allow_hosts = set(texts(merged["allowHosts"], "allowHosts"))
        self.limits = {key: number(merged[key], key) for key in DEFAULTS if isinstance(DEFAULTS[key], int)}
        roots = [os.path.join(folder, root) for root in texts(merged["roots"], "roots")]
        programs = merged.get("programs")
        if not isinstance(programs, dict) or not programs:
            raise WrongConfiguration('"programs" must have at least one program, as in {"claude-code": {"argv": ["claude"]}}.')
        self.programs = {name: Program(name, given, roots, folder) for name, given in programs.items()}
        self.token = read_token(merged.get("tokenFile"), folder, environment)
        self._environment = environment

    def launch(self, wish):
        """How a requested program is started; refuses what is not allowed."""
        if not isinstance(wish, dict) or set(wish) - {"program", "args", "cwd", "env"}:
            raise Problem(400, "invalid-input", 'Send {"program", "args", "cwd", "env"} and nothing else.')
        name, cwd, args, env = wish.get("program"), wish.get("cwd"), wish.get("args", []), wish.get("env", {})
        if not isinstance(name, str) or not isinstance(cwd, str) or not is_texts(args):
            raise Problem(400, "invalid-input", '"program" and "cwd" must be strings, and "args" a list of strings.')
        if not isinstance(env, dict) or not is_texts(list(env.values())):
            raise Problem(400, "invalid-input", '"env" must be an object with strings.')
        program = self.programs.get(name)
        if program is None:
            names = ", ".join(sorted(self.programs))
            raise Problem(404, "unknown-program", f'There is no program "{name}" in the configuration. Available programs: {names}.')
        program.check_args(args)
        program.check_env(env)
        return {
            "program": name,
            "argv": [*program.argv, *args],
            "cwd": program.folder(cwd),
            "env": {**program.environment(self._environment), **env},
        }


class Program:
    """A program that may be run."""

    def __init__(self, name, given, roots, folder):
        place = f'"programs.{name}'
        if not isinstance(given, dict) or set(given) - PROGRAM_KEYS:
            raise WrongConfiguration(f'{place}" may have {", ".join(sorted(PROGRAM_KEYS))} and nothing else.')
        self.name = name
        self.argv = texts(given.get("argv"), f"programs.{name}.argv")
        if not self.argv:
            raise WrongConfiguration(f'{place}.argv" must have the program and its first arguments.')
        self._args = given.get("args", [])
        if self._args is not True:
            texts(self._args, f"programs.{name}.args")
        own = texts(given.get("roots", []), f"programs.{name}.roots")
        self._roots = [os.path.realpath(root) for root in [os.path.join(folder, root) for root in own] or roots]
        if not self._roots:
            raise WrongConfiguration(f'{place}.roots", or "roots" for all programs, must list the folders that it may work in.')
        self._inherit = texts(given.get("inherit", []), f"programs.{name}.inherit")
        self._env = given.get("env", {})
        if not isinstance(self._env, dict) or not is_texts(list(self._env.values())):
            raise WrongConfiguration(f'{place}.env" must be an object with strings.')
        self._accept = texts(given.get("acceptEnv", []), f"programs.{name}.acceptEnv")

    def check_args(self, args):
        for arg in args:
            if "\0" in arg or not (self._args is True or any(fnmatch.fnmatchcase(arg, each) for each in self._args)):
                raise Problem(
                    403,
                    "argument-refused",
                    f'The program "{self.name}" does not allow the argument {json.dumps(arg)}. '
                    f'To allow it, add it to "programs.{self.name}.args" in the configuration of the service.',
                )

    def check_env(self, env):
        for name, value in env.items():
            if name not in self._accept or "\0" in value:
                raise Problem(
                    403,
                    "variable-refused",
                    f'The program "{self.name}" does not allow the variable "{name}". '
                    f'To allow it, add it to "programs.{self.name}.acceptEnv" in the configuration of the service.',
                )

    def folder(self, cwd):
        """The real folder, if it is inside one of the roots."""
        is_path = os.path.isabs(cwd) and "\0" not in cwd and len(cwd) <= LONGEST_PATH
        folder = os.path.realpath(cwd) if is_path else ""
        if not any(os.path.commonpath([folder or "/", root]) == root for root in self._roots) or not folder:
            raise Problem(403, "folder-refused", f"{cwd[:LONGEST_PATH]} is not in a folder that the service allows.")
        if not os.path.isdir(folder):
            raise Problem(422, "folder-missing", f"There is no folder {cwd} on that machine.")
        return folder

    def environment(self, ours):
        passed = {
            name: value
            for name, value in ours.items()
            if name in HARMLESS or name in self._inherit
        }
        return {**passed, **self._env}


def read_configuration(path, environment=os.environ):
    """Reads the file, and the token that it names."""
    try:
        with open(path, encoding="utf-8") as file:
            values = json.load(file)
    except OSError as error:
        raise WrongConfiguration(f"{path} cannot be read: {error.strerror}.") from None
    except ValueError as error:
        raise WrongConfiguration(f"{path} is not valid JSON: {error}.") from None
    if not isinstance(values, dict):
        raise WrongConfiguration(f"{path} must contain one JSON object.")
    return Configuration(values, os.path.dirname(os.path.abspath(path)), environment)


def read_token(path, folder, environment):
    """The token, from the environment or a file that only its owner can read. A missing file is created."""
    given = environment.get("DRAGOMAN_PROXY_TOKEN")
    if given is not None:
        return checked_token(given, "DRAGOMAN_PROXY_TOKEN in the environment")
    if not isinstance(path, str):
        raise WrongConfiguration('A token is required. Set "tokenFile" to a file, or set DRAGOMAN_PROXY_TOKEN.')
    path = os.path.join(folder, path)
    try:
        with open(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w", encoding="ascii") as file:
            file.write(secrets.token_urlsafe(32) + "\n")
    except FileExistsError:
        pass  # It is read below.
    except OSError as error:
        raise WrongConfiguration(f"The token cannot be written to {path}: {error.strerror}.") from None
    try:
        with open(path, encoding="ascii", errors="replace") as file:
            if stat.S_IMODE(os.fstat(file.fileno()).st_mode) & 0o077:
                raise WrongConfiguration(f"Other users can read the token in {path}. To prevent this, run: chmod 600 {path}")
            return checked_token(file.read().strip(), path)
    except OSError as error:
        raise WrongConfiguration(f"The token in {path} cannot be read: {error.strerror}.") from None


def checked_token(token, place):
    if not TOKEN.fullmatch(token):
        raise WrongConfiguration(f"The token from {place} must be at least 16 visible ASCII characters, without spaces.")
    return token


def is_texts(values):
    return isinstance(values, list) and all(isinstance(value, str) for value in values)


def texts(values, key):
    if not is_texts(values):
        raise WrongConfiguration(f'"{key}" must be a list of strings.')
    return values


def number(value, key):
    least = 0 if key == "port" else 0.01
    if isinstance(value, bool) or not isinstance(value, (int, float)) or value < least:
        raise WrongConfiguration(f'"{key}" must be a number greater than 0.')
    return value
