"""A fatal error of PHP ends what has made it, as under php-fpm. Its worker finishes what else it has begun, and is replaced."""

import concurrent.futures
from pathlib import Path

import pytest

from harness import SANITIZED, Server, wait_until
from http_client import ClosedEarly, HttpConnection, format_request, get
from php_fpm import NoFpm, PhpFpm
from websocket_client import TEXT, RawWebSocket, frame

SERVER = dict(script="fatal.php")
PAGE = Path(__file__).parent.parent / "servers/fatal/page.php"

pytestmark = pytest.mark.skipif(SANITIZED, reason="what a fatal error leaves behind is for PHP's own allocator, which sanitised runs are without")


@pytest.fixture(scope="module")
def fpm():
    try:
        with PhpFpm(PAGE, ["memory_limit=48M", "opcache.enable=0"]) as started:
            yield started
    except NoFpm as reason:
        pytest.skip(str(reason))


def fresh_worker(server, old):
    """That of the only worker, once it is another one."""
    wait_until(lambda: len(server.worker_pids()) == 1 and server.worker_pids()[0] != old and f"(pid {server.worker_pids()[0]}, generation 1) is ready" in server.output(),
               f"worker {old} is replaced")


@pytest.mark.both_modes
@pytest.mark.parametrize("how", ("memory", "parts", "twice", "fiber", "autoload", "sort", "callback", "begins", "shutdown"))
def test_a_script_ends_as_under_php_fpm(mode, fpm, how):
    there = fpm.get(f"how={how}")
    with Server("fatal.php", mode, workers=1) as server:
        old, = server.worker_pids()
        here = get(server, f"/page.php?how={how}")
        assert (here.status, here.body) == (there.status, there.body)
        fresh_worker(server, old)
        assert get(server, "/page.php").text == "hello nobody\nshutdown of nobody after nothing\ndestructor\n"
        assert "was killed by signal" not in server.output()


@pytest.mark.both_modes
@pytest.mark.parametrize("path, status, said", [
    ("/plain/memory", 500, "Allowed memory size"), ("/plain/twice", 500, "Cannot redeclare"), 
    ("/task", 200, "Allowed memory size"), ("/timer", 200, "Allowed memory size"),
])
def test_a_handler(mode, path, status, said):
    with Server("fatal.php", mode, workers=1) as server:
        old, = server.worker_pids()
        answer = get(server, path)
        assert answer.status == status
        assert path != "/task" or said in answer.text
        fresh_worker(server, old)
        assert get(server, "/plain/nothing").text != str(old)
        assert said in server.output()


@pytest.mark.parametrize("coroutines", (1, 0))
def test_an_error_of_the_user_leaves_the_worker(mode, coroutines):
    with Server("fatal.php", mode, workers=1, settings=(f"sluice.coroutines={coroutines}",)) as server:
        for _ in range(3):
            assert get(server, "/plain/fatal").status == 500
        assert [get(server, "/plain/nothing").text] == [str(pid) for pid in server.worker_pids()]
        assert server.output().count("PHP Fatal error:  no more") == 3


@pytest.mark.both_modes
@pytest.mark.parametrize("coroutines", (1, 0))
@pytest.mark.parametrize("path", ("/page.php?how=twice", "/plain/twice"))
def test_without_coroutines_too(mode, coroutines, path):
    with Server("fatal.php", mode, workers=1, settings=(f"sluice.coroutines={coroutines}",)) as server:
        old, = server.worker_pids()
        assert get(server, path).status == 500
        fresh_worker(server, old)
        assert get(server, "/plain/nothing").status == 200


@pytest.mark.both_modes
def test_a_message_of_a_websocket(mode):
    with Server("fatal.php", mode, workers=1) as server, RawWebSocket(server, "/socket") as websocket, RawWebSocket(server, "/socket") as other:
        websocket.send(frame(TEXT, b"memory"))
        assert websocket.read_close()[0] == 1011
        if mode == "process":
            other.send(frame(TEXT, b"still here"))
            assert other.read_frame()[2] == b"still here"
        else:
            assert other.read_close()[0] == 1001


@pytest.mark.both_modes
@pytest.mark.parametrize("how", ("memory", "twice"))
def test_others_are_finished(mode, how):
    with Server("fatal.php", mode, workers=1) as server:
        waiting = [HttpConnection(server.address) for _ in range(8)]
        for number, connection in enumerate(waiting):
            connection.send(format_request(f"/page.php?how=waits&ms=300" if number % 2 else "/sleep?ms=300"))
        wait_until(lambda: len(server.events("sleeps")) == 4, "requests wait")
        pid = server.events("sleeps")[0]["pid"]
        assert get(server, f"/page.php?how={how}").status == 500
        for number, connection in enumerate(waiting):
            text = connection.read().text
            assert text == ("hello waits after a while\nshutdown of waits after nothing\ndestructor\n" if number % 2 else str(pid))


@pytest.mark.both_modes
def test_what_takes_too_long_is_not_waited_for(mode):
    with Server("fatal.php", mode, workers=1, env={"SHUTDOWN": "0.2"}) as server, HttpConnection(server.address) as waiting:
        waiting.send(format_request("/sleep?ms=60000"))
        old = server.wait_event("sleeps")["pid"]
        assert get(server, "/plain/twice").status == 500
        fresh_worker(server, old)
        assert get(server, "/plain/nothing").status == 200
        try:
            assert waiting.read().status in (502, 503)
        except ClosedEarly:
            assert mode == "base"


@pytest.mark.both_modes
@pytest.mark.slow
@pytest.mark.parametrize("how", ("memory", "twice"))
def test_no_request_of_others_is_lost(mode, how):
    """One error after the other until ten workers are replaced, beside clients who ask for what waits and what does not."""
    with Server("fatal.php", mode, workers=2) as server:
        is_over = False

        def client(number):
            answered = 0
            while not is_over:
                answer = get(server, "/sleep?ms=20" if number % 2 else "/page.php?how=waits&ms=5")
                assert answer.status == 200, answer
                answered += 1
            return answered

        with concurrent.futures.ThreadPoolExecutor(8) as threads:
            clients = [threads.submit(client, number) for number in range(8)]
            try:
                wait_until(lambda: get(server, f"/page.php?how={how}").status == 500 and server.output().count("has asked to be replaced") >= 10, "ten are replaced")
            finally:
                is_over = True
            assert min(one.result() for one in clients) > 0
