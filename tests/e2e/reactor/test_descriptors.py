"""What is passed between processes waits while the reactor has no descriptors left, and is not lost."""

import re
import resource
import signal

from harness import SERVERS, Process, Server, wait_until
from http_client import HttpConnection

FILE = (SERVERS / "descriptors.php").read_text()
STARVED = "no descriptors are left for what the master sends"


def allow(server, count):
    """How many descriptors the reactor may have; returns what it was."""
    return resource.prlimit(server.reactor().pid, resource.RLIMIT_NOFILE, (count, resource.getrlimit(resource.RLIMIT_NOFILE)[1]))


def log_of(server, sentence):
    return len(re.findall(sentence, server.output()))


def test_a_worker_can_send_files_and_a_new_listener_listens(tmp_path):
    more = tmp_path / "more"
    server = Server("descriptors.php", "process", workers=2, reactors=2, ports=2, env={"MORE": str(more)})
    ports = server.ports
    server.extra_env["PORTS"] = ",".join(map(str, ports))
    server.ports = ports[:1]  # to wait for
    with server:
        connection = HttpConnection(server.address)
        assert connection.request("/file").text == FILE
        most, _ = allow(server, 1)

        Process(server.worker_pids()[0]).kill()
        wait_until(lambda: log_of(server, "is ready") == 1, "there is another one")
        wait_until(lambda: STARVED in server.output(), "it is said")
        assert connection.request("/").status == 200, "who is connected is served meanwhile"
        more.touch()
        server.signal(signal.SIGHUP)
        wait_until(lambda: len(server.events("start")) == 5, "the new workers have started")
        assert connection.request("/").status == 200
        waiting = HttpConnection(server.address)  # the kernel accepts for us

        allow(server, most)
        assert waiting.request("/").status == 200
        wait_until(lambda: len(server.worker_pids()) == 2, "the old workers have ended")
        for port in ports:
            seen = set()

            def ask():
                with HttpConnection(("127.0.0.1", port)) as connection:
                    # One request: two would find the workers, which take turns, in the same order each time.
                    response = connection.request("/file")
                    assert response.text == FILE
                    seen.add(response.header("worker"))
                return len(seen) == 2
            wait_until(ask, f"both workers have sent files at {port}")
        assert log_of(server, STARVED) == 1
