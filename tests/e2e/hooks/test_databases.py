"""The database servers that other tests use: each starts, serves, survives being killed, and leaves nothing behind."""

import pytest

from databases import SERVERS, Missing
from harness import Process, wait_until


@pytest.mark.parametrize("kind", SERVERS, ids=lambda kind: kind.name)
def test_starts_serves_is_killed_and_comes_back(kind):
    try:
        with kind() as server:
            assert server.answers()
            family = server.family()
            server.kill()
            wait_until(lambda: not any(Process(pid).is_alive() for pid in family), "nothing of it is left")
            with pytest.raises(OSError):
                server.answers()
            server.restart()
            assert server.answers()
            family = server.family()
            folder = server.folder
    except Missing as missing:
        pytest.skip(str(missing))
    wait_until(lambda: not any(Process(pid).is_alive() for pid in family), "nothing of it is left")
    assert not folder.exists()


def test_stalls_and_goes_on(redis):
    redis.pause()
    with pytest.raises(TimeoutError), redis.connect() as client:
        client.settimeout(0.2)
        client.sendall(b"PING\r\n")
        client.recv(1)
    redis.resume()
    assert redis.answers()
