"""The way from a worker to the server is full: whoever sends waits, and the worker goes on."""

import signal

import pytest

from harness import Process, Server, wait_until
from http_client import HttpConnection, format_request, get
from websocket_client import TEXT, RawWebSocket, frame

MIB = 1 << 20
COUNT = 3000
"""Messages of 1000 bytes: several times ringBytes."""


def stopped_taker(server, mode, worker):
    """Stops the process that takes what this worker publishes: the reactor, or the other worker."""
    if mode == "process":
        taker = server.reactor()
    else:
        taker = next(Process(pid) for pid in server.worker_pids() if pid != worker)
    taker.kill(signal.SIGSTOP)
    return taker


@pytest.mark.both_modes
def test_a_worker_goes_on_while_one_of_its_handlers_waits(mode, tmp_path, capsys):
    begin = tmp_path / "begin"
    with Server("full_way.php", mode, workers=1 if mode == "process" else 2) as server:
        with RawWebSocket(server, "/publish") as client:
            client.send(frame(TEXT, f"{COUNT} {begin}".encode()))
            worker = server.wait_event("begun")["pid"]
            taker = stopped_taker(server, mode, worker)
            try:
                begin.touch()

                def others_have_turns():
                    turns = [event["published"] for event in server.events("turn")]
                    return next((published for published in set(turns) if 0 < published < COUNT and turns.count(published) >= 10), None)

                stuck_at = wait_until(others_have_turns, "a timer of the worker has its turns while publish() waits")
                assert not server.events("published") and stuck_at > 100
            finally:
                taker.kill(signal.SIGCONT)
            server.wait_event("published")
            numbers = []
            while (payload := client.read_frame()[2]) != b"end":
                numbers.append(int(payload.rstrip(b".")))
            assert numbers == sorted(numbers)
            # A message is dropped only after it has waited for a second.
            assert len(numbers) > COUNT - 100


@pytest.mark.parametrize("path", ["/at-once", "/written"])
@pytest.mark.parametrize("coroutines", [True, False], ids=["coroutines", "none"])
def test_a_body_longer_than_the_way_gets_through(mode, path, coroutines, tmp_path):
    """The body goes in parts, whether a coroutine could wait or only the worker itself."""
    size = 40 * MIB
    (tmp_path / "php.ini").write_text(f"sluice.coroutines={int(coroutines)}\n")
    with Server("full_way.php", mode, env={"PHP_INI_SCAN_DIR": f":{tmp_path}"}) as server:
        with HttpConnection(server.address) as client:
            client.send(format_request(f"{path}?bytes={size}"))
            assert client.read().body == b"x" * size
        assert get(server, f"{path}?bytes=3").text == "xxx"
