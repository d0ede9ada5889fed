"""How the service ends."""

import ctypes
import json
import os
import platform
import signal
import subprocess
import sys
import tempfile
import unittest

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
TGKILL = {"x86_64": 234, "aarch64": 131}.get(platform.machine())


class TheEnd(unittest.TestCase):
    @unittest.skipUnless(sys.platform == "linux" and TGKILL, "only Linux lets a signal be given to one thread")
    def test_a_signal_is_handled_in_any_thread_that_gets_it(self):
        with tempfile.TemporaryDirectory() as folder:
            config = os.path.join(folder, "proxy.json")
            with open(config, "w", encoding="utf-8") as file:
                json.dump({"port": 0, "roots": ["/"], "programs": {"cat": {"argv": ["cat"]}}}, file)
            process = subprocess.Popen(
                [sys.executable, "-m", "dragoman_proxy", "--config", config],
                cwd=ROOT,
                env={**os.environ, "DRAGOMAN_PROXY_TOKEN": "a-token-for-the-tests"},
                stdout=subprocess.PIPE,
            )
            self.addCleanup(process.kill)
            process.stdout.readline()
            other = next(int(each) for each in os.listdir(f"/proc/{process.pid}/task") if int(each) != process.pid)
            ctypes.CDLL(None).syscall(TGKILL, process.pid, other, signal.SIGTERM)
            self.assertEqual(process.wait(20), 0)
            process.stdout.close()


if __name__ == "__main__":
    unittest.main()
