"""A debugger's end of DBGp, the protocol of Xdebug (https://xdebug.org/docs/dbgp): as much as the tests need."""

import base64
import json
import queue
import socket
import threading
import xml.etree.ElementTree as ElementTree

from harness import DEADLINE_S


class Session:
    """One process that is being debugged. Call what you want to know; the program stands still meanwhile."""

    def __init__(self, connection):
        self.connection = connection
        self.reader = connection.makefile("rb")
        self.number = 0
        self.init = self.read()

    def close(self):
        self.reader.close()
        self.connection.close()

    def read(self):
        """A length, the document, each ended by a zero byte."""
        length = b""
        while (byte := self.reader.read(1)) != b"\0":
            if not byte:
                raise EOFError
            length += byte
        document = self.reader.read(int(length) + 1)[:-1]
        return ElementTree.fromstring(document)

    def command(self, name, *arguments, data=None):
        self.number += 1
        words = [name, "-i", str(self.number), *map(str, arguments)]
        if data is not None:
            words += ["--", base64.b64encode(data.encode()).decode()]
        self.connection.sendall(" ".join(words).encode() + b"\0")
        while True:
            answer = self.read()
            if answer.get("transaction_id") == str(self.number):
                assert not [child for child in answer if child.tag.endswith("error")], ElementTree.tostring(answer)
                return answer

    def go(self, name):
        """run, step_into, step_over or step_out: where it stands then, as (function, line); None when it has ended."""
        if self.command(name).get("status") != "break":
            return None
        top = self.command("stack_get", "-d", 0)[0]
        return top.get("where"), int(top.get("lineno"))

    def value(self, name):
        found = self.command("property_get", "-n", name)[0]
        return base64.b64decode(found.text or "").decode() if found.get("encoding") == "base64" else found.text

    def set(self, name, value):
        assert self.command("property_set", "-n", name, data=json.dumps(value)).get("success") == "1"


class Debugger:
    """Listens, sets one breakpoint in each process that connects, and hands out processes that have stopped there."""

    def __init__(self, file, line):
        self.breakpoint = ("-t", "line", "-f", f"file://{file}", "-n", line)
        self.listener = socket.create_server(("127.0.0.1", 0), backlog=16)
        self.port = self.listener.getsockname()[1]
        self.stopped = queue.Queue()
        self.settings = ["zend_extension=xdebug", "xdebug.mode=debug", "xdebug.start_with_request=yes",
                         "xdebug.client_host=127.0.0.1", f"xdebug.client_port={self.port}", "xdebug.log_level=0"]

    def __enter__(self):
        threading.Thread(target=self.accept, daemon=True).start()
        return self

    def __exit__(self, *_):
        # Processes that still run go on without stopping.
        self.listener.close()

    def accept(self):
        while True:
            try:
                connection, _ = self.listener.accept()
            except OSError:
                return
            threading.Thread(target=self.serve, args=(connection,), daemon=True).start()

    def serve(self, connection):
        try:
            session = Session(connection)
            session.command("breakpoint_set", *self.breakpoint)
            self.resume(session)
        except (EOFError, OSError):
            pass

    def resume(self, session):
        """Lets it run to where it stops next."""
        try:
            if place := session.go("run"):
                self.stopped.put((session, place))
            else:
                # It ends when there is nobody to ask any more.
                session.close()
        except (EOFError, OSError):
            pass

    def wait(self):
        """The next process at the breakpoint: (session, place)."""
        return self.stopped.get(timeout=DEADLINE_S)
