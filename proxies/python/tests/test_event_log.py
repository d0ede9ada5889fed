import threading
import unittest

from dragoman_proxy.event_log import EventLog, LineCutter, frame, Event
from dragoman_proxy.problem import Problem


def always():
    return True


class TheEventLog(unittest.TestCase):
    def test_numbers_events_and_returns_them_after_any_number(self):
        log = EventLog(1 << 20)
        for text in (b"a", b"b", b"c"):
            log.add("stdout", text)
        self.assertEqual([event.number for event in log.after(0, 0, always)], [1, 2, 3])
        self.assertEqual([event.data for event in log.after(1, 0, always)], [b"b", b"c"])
        self.assertEqual(log.after(3, 0, always), [])

    def test_drops_acknowledged_events_and_reports_it(self):
        log = EventLog(1 << 20)
        for text in (b"a", b"b", b"c"):
            log.add("stdout", text)
        log.acknowledge(2)
        log.acknowledge(1)
        log.check_place(2)
        with self.assertRaises(Problem) as raised:
            log.check_place(1)
        error = raised.exception.body["error"]
        self.assertEqual((raised.exception.status, error["code"], error["oldest"], error["newest"]), (410, "place-gone", 3, 3))
        for ahead in (log.check_place, log.acknowledge):
            with self.assertRaises(Problem) as raised:
                ahead(4)
            self.assertEqual(raised.exception.status, 409)
        self.assertEqual([event.number for event in log.after(2, 0, always)], [3])

    def test_a_full_log_makes_the_program_wait_until_the_reader_acknowledges(self):
        log = EventLog(100)
        log.add("stdout", b"x" * 200)
        added = threading.Event()
        threading.Thread(target=lambda: (log.add("stdout", b"y"), added.set()), daemon=True).start()
        self.assertFalse(added.wait(0.1))
        self.assertFalse(log.has_room())
        log.acknowledge(1)
        self.assertTrue(added.wait(2))

    def test_a_released_full_log_accepts_the_rest(self):
        log = EventLog(0)
        log.add("stdout", b"x")
        log.release()
        log.add("stdout", b"y")
        log.complete("exit", b"{}")
        self.assertTrue(log.is_complete)
        self.assertEqual(log.last, 3)


class Frames(unittest.TestCase):
    def test_text_is_sent_unchanged_and_other_bytes_as_base64(self):
        self.assertEqual(frame(Event(1, "stdout", '{"ü": 1}'.encode())), 'id: 1\nevent: stdout\ndata: {"ü": 1}\n\n'.encode())
        self.assertEqual(frame(Event(2, "stdout", b"\xff")), b"id: 2\nevent: stdout-base64\ndata: /w==\n\n")
        self.assertEqual(frame(Event(3, "stderr", b"a\rb")), b"id: 3\nevent: stderr-base64\ndata: YQ1i\n\n")
        self.assertEqual(frame(Event(4, "stdout", b"")), b"id: 4\nevent: stdout\ndata: \n\n")


class TheLineCutter(unittest.TestCase):
    def cut(self, pieces, longest=10):
        events = []
        cutter = LineCutter("stdout", lambda kind, data: events.append((kind, data)), longest)
        for piece in pieces:
            cutter.take(piece)
        cutter.flush()
        return events

    def test_returns_lines_however_they_arrive(self):
        expected = [("stdout", b"one"), ("stdout", b""), ("stdout", b"two")]
        self.assertEqual(self.cut([b"one\n\ntwo\n"]), expected)
        self.assertEqual(self.cut([bytes([byte]) for byte in b"one\n\ntwo\n"]), expected)

    def test_returns_a_long_line_in_parts_and_an_unfinished_one_as_a_part(self):
        events = self.cut([b"x" * 8, b"y" * 8, b"z\nrest"])
        self.assertEqual(events, [("stdout-part", b"x" * 8 + b"y" * 8), ("stdout", b"z"), ("stdout-part", b"rest")])


if __name__ == "__main__":
    unittest.main()
