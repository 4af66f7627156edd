"""The admin listener: who may ask it, and that it answers whatever the rest of the server does."""

import signal
import socket
import urllib.request

import pytest

from admin import TOKEN, admin, observer_of
from harness import Server, wait_until


@pytest.fixture
def observed(mode):
    with Server("observed.php", mode, workers=2, ports=2, env={"TOKEN": TOKEN}) as server:
        yield server


def hello(server):
    with urllib.request.urlopen(server.url, timeout=15) as answer:
        return answer.read()


def test_live(observed):
    answer = admin(observed, "/livez")
    assert (answer.status, answer.json()) == (200, {"status": "alive"})
    assert answer.fields["Cache-Control"] == "no-store"


@pytest.mark.parametrize("token", [None, "", "wrong-token-of-this", TOKEN + "x", TOKEN[:-1]])
def test_without_the_token_there_is_401_and_nothing_else(observed, token):
    for path in ("/livez", "/nothing"):
        for method in ("GET", "POST", "DELETE"):
            answer = admin(observed, path, token=token, method=method)
            assert answer.status == 401 and answer.fields["WWW-Authenticate"].startswith("Bearer")
            assert set(answer.json()) == {"error"}


def test_unknown_paths_methods_and_bodies_are_refused(observed):
    assert admin(observed, "/nothing").status == 404
    answer = admin(observed, "/livez", method="DELETE")
    assert (answer.status, answer.fields["Allow"]) == (405, "GET, HEAD")
    assert admin(observed, "/livez", body="body").status == 413
    with socket.create_connection(("127.0.0.1", observed.ports[1])) as client:
        client.sendall(b"GET /livez HTTP/1.1\r\nHost: x\r\n" + b"a: " + b"x" * 20000)
        assert client.recv(100).startswith(b"HTTP/1.1 431 ")


def test_many_clients_that_say_nothing_keep_nobody_out(observed):
    silent = [socket.create_connection(("127.0.0.1", observed.ports[1])) for _ in range(200)]
    assert admin(observed, "/livez").status == 200
    for client in silent:
        client.close()


def test_it_answers_while_all_workers_spin(observed):
    spinning = []

    def all_spin():
        # In base mode the kernel chooses the worker.
        spinning.append(socket.create_connection(observed.address))
        spinning[-1].sendall(b"GET /spin HTTP/1.1\r\nHost: x\r\n\r\n")
        return len(observed.events("spins")) == 2

    wait_until(all_spin, "both workers spin")
    assert admin(observed, "/livez").status == 200
    for client in spinning:
        client.close()
    observed.may_fail = True
    observed.signal(signal.SIGTERM)
    observed.signal(signal.SIGINT)


def test_an_observer_that_dies_is_replaced_and_nobody_notices(observed):
    before = observed.worker_pids()
    for _ in range(5):
        old = observer_of(observed)
        old.kill()
        # The listener is the master's: a client who comes now waits for the next one.
        assert admin(observed, "/livez").status == 200
        wait_until(lambda: (new := observer_of(observed)) and new.pid != old.pid, "another observer lives")
    assert observed.worker_pids() == before
    assert hello(observed) == b"hello"


def test_one_that_is_stopped_holds_nobody_up(observed):
    old = observer_of(observed)
    old.kill(signal.SIGSTOP)
    observed.signal(signal.SIGHUP)
    wait_until(lambda: len(observed.events("start")) == 4, "the next generation has started")
    assert hello(observed) == b"hello"
    old.kill(signal.SIGCONT)
    assert admin(observed, "/livez").status == 200
