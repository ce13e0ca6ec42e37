"""A link between a program and a server: it delays, limits, cuts and counts."""
import contextlib
import fcntl
import os
import socket
import threading
import time

PIECE = 65536
PIPE_BYTES = 1 << 20


class SlowLink:
    """Forwards connections to `port`. `delay_s` passes between a request and the beginning of its
    answer. `bytes_per_s` is the speed in each direction, of all connections together. After
    `cut_after` bytes that the program sent, `on_cut` is called once. It is also called at the first
    answer that begins with bytes in which `lost_answer` stands. This answer is not forwarded, and
    its connection ends. While `answers` is cleared, no answer is forwarded."""

    def __init__(self, port, delay_s=0.0, bytes_per_s=0, cut_after=None, on_cut=None,
                 lost_answer=None):
        self.port_behind, self.delay_s, self.bytes_per_s = port, delay_s, bytes_per_s
        self.cut_after, self.on_cut, self.lost_answer = cut_after, on_cut, lost_answer
        self.answers = threading.Event()
        self.answers.set()
        self.sent_bytes = 0
        self.lock = threading.Lock()
        self.free_at = {"up": 0.0, "down": 0.0}
        self.listener = socket.create_server(("127.0.0.1", 0), backlog=64)
        self.port = self.listener.getsockname()[1]
        self.connections = []
        threading.Thread(target=self._accept, daemon=True).start()

    def close(self):
        self.listener.close()
        self.answers.set()
        for connection in self.connections:
            connection.close()

    def _accept(self):
        while True:
            try:
                program, _ = self.listener.accept()
            except OSError:
                return
            try:
                server = socket.create_connection(("127.0.0.1", self.port_behind))
            except OSError:
                program.close()
                continue
            for connection in (program, server):
                connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            self.connections += [program, server]
            turn = {"asked": False}
            for words in ((program, server, "up", turn), (server, program, "down", turn)):
                threading.Thread(target=self._forward, args=words, daemon=True).start()

    def _forward(self, source, target, direction, turn):
        reading, writing = os.pipe()
        # The kernel moves the bytes, so that the link takes little time from both programs.
        with contextlib.suppress(OSError):  # a user's pipes have a limit together
            fcntl.fcntl(writing, fcntl.F_SETPIPE_SZ, PIPE_BYTES)
        most = PIECE if self.bytes_per_s else PIPE_BYTES
        try:
            while not (direction == "down" and self._loses(source)):
                count = os.splice(source.fileno(), writing, most)
                if not count:
                    break
                if direction == "up":
                    turn["asked"] = True
                    self._count(count)
                elif turn["asked"]:
                    turn["asked"] = False
                    time.sleep(self.delay_s)
                if direction == "down":
                    self.answers.wait()
                self._wait_for_room(direction, count)
                while count:
                    count -= os.splice(reading, target.fileno(), count)
        except (OSError, ValueError):  # a socket that was closed has no number
            pass
        os.close(reading)
        os.close(writing)
        for connection in (source, target):
            try:
                connection.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass

    def _loses(self, source):
        if self.lost_answer is None:
            return False
        is_lost = self.lost_answer in source.recv(PIECE, socket.MSG_PEEK)
        if is_lost:
            self.lost_answer = None
            self.on_cut()
        return is_lost

    def _count(self, count):
        with self.lock:
            self.sent_bytes += count
            is_cut = self.cut_after is not None and self.sent_bytes >= self.cut_after
            if is_cut:
                self.cut_after = None
        if is_cut:
            self.on_cut()

    def _wait_for_room(self, direction, count):
        if not self.bytes_per_s:
            return
        with self.lock:
            begin = max(self.free_at[direction], time.monotonic())
            self.free_at[direction] = begin + count / self.bytes_per_s
        time.sleep(max(0.0, begin - time.monotonic()))
