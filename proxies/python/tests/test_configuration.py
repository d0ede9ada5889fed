import os
import stat
import tempfile
import time
import unittest

from dragoman_proxy.configuration import Configuration, read_configuration
from dragoman_proxy.problem import Problem, WrongConfiguration

TOKEN = {"DRAGOMAN_PROXY_TOKEN": "0123456789abcdef"}


class TheConfiguration(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = os.path.realpath(folder.name)

    def make(self, program=None, environment=TOKEN, **more):
        values = {"roots": ["."], "programs": {"cat": {"argv": ["cat"], **(program or {})}}, **more}
        return Configuration(values, self.folder, environment)

    def refused(self, code, **wish):
        with self.assertRaises(Problem) as raised:
            self.make({"args": ["--model=*", "app-server"], "acceptEnv": ["MODE"]}).launch(
                {"program": "cat", "cwd": self.folder, **wish}
            )
        self.assertEqual(raised.exception.body["error"]["code"], code)

    def test_refuses_what_is_not_allowed(self):
        self.refused("unknown-program", program="sh")
        self.refused("argument-refused", args=["--model=x", "--dangerous"])
        self.refused("argument-refused", args=["--model=\0"])
        self.refused("variable-refused", env={"LD_PRELOAD": "x"})
        self.refused("folder-refused", cwd="/")
        self.refused("folder-refused", cwd=self.folder + "/../x")
        self.refused("folder-refused", cwd="relative")
        self.refused("folder-refused", cwd=self.folder + "-beside")
        self.refused("folder-missing", cwd=self.folder + "/nowhere")
        self.refused("invalid-input", args="ls")
        self.refused("invalid-input", env=["x"])
        self.refused("invalid-input", shell=True)

    def test_a_link_out_of_the_roots_is_refused(self):
        os.symlink("/", os.path.join(self.folder, "out"))
        self.refused("folder-refused", cwd=self.folder + "/out/etc")

    def test_refuses_a_very_long_folder_at_once(self):
        began = time.monotonic()
        self.refused("folder-refused", cwd=self.folder + "/a/.." * 100_000)
        self.assertLess(time.monotonic() - began, 0.5)

    def test_passes_only_allowed_variables_to_a_program(self):
        ours = {**TOKEN, "PATH": "/bin", "LC_ALL": "C", "LC_SECRET_X": "x", "LC_": "x", "AWS_SECRET_ACCESS_KEY": "x", "MY_KEY": "k"}
        made = self.make({"inherit": ["MY_KEY"], "env": {"FIXED": "f"}, "acceptEnv": ["MODE"]}, ours)
        launch = made.launch({"program": "cat", "cwd": self.folder, "env": {"MODE": "m"}})
        self.assertEqual(launch["env"], {"PATH": "/bin", "LC_ALL": "C", "MY_KEY": "k", "FIXED": "f", "MODE": "m"})
        self.assertEqual(launch["argv"], ["cat"])

    def test_requires_a_token_and_never_shows_it(self):
        with self.assertRaisesRegex(WrongConfiguration, "A token is required"):
            self.make(environment={})
        with self.assertRaisesRegex(WrongConfiguration, "at least 16 visible ASCII characters"):
            self.make(environment={"DRAGOMAN_PROXY_TOKEN": "short"})
        made = self.make(environment={}, tokenFile="token")
        path = os.path.join(self.folder, "token")
        self.assertEqual(stat.S_IMODE(os.stat(path).st_mode), 0o600)
        self.assertGreaterEqual(len(made.token), 40)
        self.assertEqual(self.make(environment={}, tokenFile="token").token, made.token)
        os.chmod(path, 0o644)
        with self.assertRaisesRegex(WrongConfiguration, "chmod 600"):
            self.make(environment={}, tokenFile="token")

    def test_reports_what_is_wrong_with_it(self):
        for values, words in (
            ({"ports": 1}, '"ports" is not a setting'),
            ({"programs": {}}, '"programs" must have'),
            ({"programs": {"x": {"argv": []}}}, "argv"),
            ({"programs": {"x": {"argv": ["x"]}}}, "roots"),
            ({"programs": {"x": {"argv": ["x"], "shell": True}}}, "nothing else"),
            ({"programs": {"x": {"argv": "x y"}}}, "list of strings"),
            ({"programs": {"x": {"argv": ["x"]}}, "roots": ["."], "maxSessions": -1}, "greater than 0"),
        ):
            with self.assertRaisesRegex(WrongConfiguration, words):
                Configuration(values, self.folder, TOKEN)
        with self.assertRaisesRegex(WrongConfiguration, "cannot be read"):
            read_configuration(os.path.join(self.folder, "none.json"), TOKEN)


if __name__ == "__main__":
    unittest.main()
