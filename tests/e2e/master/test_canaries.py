"""A canary: a reload's generation gets a share of the requests before it takes over."""

import contextlib
import re
import signal
import threading
from collections import Counter

import pytest

from admin import admin
from canary_script import canary_script, change
from harness import Process, Server, wait_until
from http2_client import Http2Connection
from http_client import HttpConnection, format_request, get
from websocket_client import TEXT, RawWebSocket, frame


@pytest.fixture
def script(tmp_path):
    return canary_script(tmp_path)


def start(script, **more):
    return Server(script, "process", **({"workers": 2, "reactors": 1, "ports": 2} | more))


class Clients:
    """Requests one after the other from several clients, this many at most, and what became of them."""

    def __init__(self, server, most=10**9, clients=4):
        self.server, self.most, self.ending, self.lock = server, most, threading.Event(), threading.Lock()
        self.answers, self.failures = {}, []
        self.threads = [threading.Thread(target=self.run) for _ in range(clients)]

    def run(self):
        connection = HttpConnection(self.server.address)
        while not self.ending.is_set() and self.count() < self.most:
            try:
                response = connection.request("/")
            except Exception as error:
                self.failures.append(repr(error))
                connection.close()
                connection = HttpConnection(self.server.address)
                continue
            key = response.text if response.status == 200 else response.status
            with self.lock:
                self.answers[key] = self.answers.get(key, 0) + 1
            if response.header("connection") == "close":
                connection.close()
                connection = HttpConnection(self.server.address)
        connection.close()

    def count(self, key=None):
        with self.lock:
            return sum(self.answers.values()) if key is None else self.answers.get(key, 0)

    def __enter__(self):
        for thread in self.threads:
            thread.start()
        wait_until(lambda: self.count() > 20, "the requests run")
        return self

    def __exit__(self, *_):
        self.ending.set()
        for thread in self.threads:
            thread.join()


def wait_for_line(server, text, after=0, seconds=None):
    return wait_until(lambda: text in (said := server.output()[after:]) and said, f"the log says: {text}", seconds)


def is_under_way(server):
    return admin(server, "/metrics").text.splitlines().count("sluice_canary 1") == 1


def tried_out(server):
    """What the admin listener tells of the canary's requests; None: there is no canary."""
    canary = admin(server, "/api/state").json()["reload"]["canary"]
    return canary and canary["canary"]


def reload(server, line="is tried out"):
    """Returns what the log says from there on, once it has said this."""
    before = len(server.output())
    server.signal(signal.SIGHUP)
    return wait_for_line(server, line, before)


def test_a_good_generation_takes_over(script):
    with start(script) as server:
        old = server.worker_pids()
        change(script, RELEASE="two", SHARE=0.5)
        assert "generation 2 is tried out: it gets 50 % of the requests for 1 s" in reload(server)
        # So few that they have no 99th percentile, which a busy machine would change.
        with Clients(server, most=100) as client:
            wait_for_line(server, "generation 2 has taken over")
        assert re.search("generation 2 is not worse: [0-9]+ requests, 0 failed, 0 without an answer, p99 .*; generation 1: [0-9]+ requests", server.output())
        wait_until(lambda: not any(Process(pid).is_alive() for pid in old), "the old workers have ended")
        assert get(server, "/").text == "two"
    assert not client.failures and set(client.answers) <= {"one", "two"}


@pytest.mark.parametrize("reactors", [1, 2])
def test_one_that_fails_each_request_is_refused_and_no_more_than_its_share_has_failed(script, reactors):
    with start(script, reactors=reactors) as server:
        old = server.worker_pids()
        change(script, RELEASE="two", HANDLER="throws", SECONDS=60.0)
        with Clients(server) as client:
            reload(server)
            said = wait_for_line(server, "the reload has failed: generation 2 is worse: ")
            assert re.search(r"[0-9]+ of [0-9]+ requests \([0-9.]+ %\) have failed, before 0 of [0-9]+ requests \(0 %\); generation 1 goes on serving", said)
            wait_until(lambda: server.worker_pids() == old, "the refused workers have ended")
        assert not client.failures and set(client.answers) == {"one", 500}
        assert 10 <= client.count(500) <= 0.1 * client.count()
        with Clients(server) as client:
            pass
        assert not client.failures and set(client.answers) == {"one"}


def test_one_that_is_stuck_is_refused_and_holds_nobody_up(script):
    with start(script) as server:
        change(script, RELEASE="two", HANDLER="spins", SECONDS=0.5)
        with Clients(server) as client:
            reload(server)
            wait_for_line(server, "had no answer, before 0 of ")
            wait_until(lambda: get(server, "/").text == "one", "the old code serves")
        assert client.count("two") == 0 and set(client.answers) <= {"one", 502, 503}


def test_one_whose_worker_ends_is_refused(script):
    with start(script) as server, Clients(server):
        change(script, RELEASE="two", HANDLER="exits", SECONDS=60.0)
        reload(server)
        said = wait_for_line(server, "the reload has failed: its worker")
        assert re.search(r"the reload has failed: its worker [01] \(pid [0-9]+, generation 2\) [^;]*3[^;]*; generation 1 goes on serving", said), said
        wait_until(lambda: get(server, "/").text == "one", "the old code serves")


@pytest.mark.slow  # the trial is as long as a busy machine may need for the requests
def test_one_that_is_slower_is_refused_by_its_99th_percentile(script):
    with start(script) as server, contextlib.ExitStack() as stack:
        old = server.worker_pids()
        # Time enough for all requests to come; a busy machine is not as slow as the handler.
        change(script, RELEASE="two", HANDLER="slow", SECONDS=20.0, SHARE=0.5)
        clients = [stack.enter_context(Http2Connection(server.address)) for _ in range(4)]
        reload(server)
        streams = []
        # In small groups: a canary that has many requests before it is passed over.
        wait_until(lambda: tried_out(server), "the trial is told")
        while (canary := tried_out(server)) and canary["requests"] < 120:
            client = clients[len(streams) // 10 % len(clients)]
            group = [client.begin("/") for _ in range(10)]
            streams += [(client, stream) for stream in group]
            client.read_until(lambda _: sum(stream in client.responses and client.responses[stream].ended for stream in group) >= 3)
        answers = Counter(client.response(stream).text for client, stream in streams)
        assert answers.keys() == {"one", "two"} and answers.total() == len(streams)
        said = wait_for_line(server, "the reload has failed: generation 2 is worse: ", seconds=60)
        told = re.search(r"worse: p99 is below [0-9.]+ s, before [0-9.]+ m?s: ([0-9]+) of ([0-9]+) requests \(100 %\) took longer than ", said)
        assert told and int(told[1]) == int(told[2]) == answers["two"] >= 120, said
        wait_until(lambda: server.worker_pids() == old, "the refused workers have ended")
        assert {client.request("/").text for client in clients} == {"one"}


def test_streams_of_one_connection_are_shared_out(script):
    with start(script) as server, Http2Connection(server.address) as client:
        change(script, RELEASE="two", SECONDS=600.0, SHARE=0.25)
        reload(server)
        wait_until(lambda: client.request("/").text == "two", "a stream reaches the canary")
        answers = Counter()
        for _ in range(20):
            answers.update(client.response(stream).text for stream in [client.begin("/") for _ in range(4)])
        assert answers == {"one": 60, "two": 20}


def test_a_connection_of_http2_outlives_a_refused_canary(script):
    with start(script) as server, Http2Connection(server.address) as client:
        assert client.request("/").text == "one"
        change(script, RELEASE="two", HANDLER="throws", SECONDS=600.0, SHARE=0.5)
        reload(server)
        statuses = Counter()
        while "the reload has failed" not in server.output():
            statuses.update(client.response(stream).status for stream in [client.begin("/") for _ in range(4)])
        assert statuses.keys() == {200, 500} and 10 <= statuses[500] <= statuses[200] + 4
        assert "the reload has failed: generation 2 is worse: " in server.output()
        assert [client.request("/").text for _ in range(4)] == ["one"] * 4


def test_one_that_cannot_boot_is_refused_as_without_a_canary(script):
    with start(script) as server:
        change(script, RELEASE="two", HANDLER="broken")
        assert "is tried out" not in reload(server, "the reload has failed")
        assert get(server, "/").text == "one"


def test_what_the_new_script_asks_for_holds(script):
    with start(script) as server:
        change(script, RELEASE="two", SECONDS=0)
        assert "is tried out" not in reload(server, "generation 2 has taken over")
        change(script, RELEASE="three", SECONDS=0.2)
        assert "generation 3 is tried out" in reload(server, "generation 3 has taken over")


def test_a_reload_meanwhile_follows(script):
    with start(script) as server:
        change(script, RELEASE="two", HANDLER="throws", SECONDS=60.0)
        reload(server)
        change(script, RELEASE="three", HANDLER="good", SECONDS=0.2)
        reload(server, "a reload is under way; another one follows it")
        with Clients(server):
            wait_for_line(server, "the reload has failed: generation 2 is worse")
        wait_for_line(server, "generation 3 has taken over")
        assert get(server, "/").text == "three"


def test_what_is_open_stays_with_the_old_generation_until_it_is_replaced(script):
    with start(script) as server:
        change(script, RELEASE="two", HANDLER="good", SECONDS=60.0, SHARE=0.5)
        before = RawWebSocket(server)
        reload(server)
        wait_until(lambda: is_under_way(server), "the canary is in the metrics")
        meanwhile = RawWebSocket(server)
        for client in (before, meanwhile):
            client.send(frame(TEXT, b"hello"))
            assert client.read_frame()[1:] == (TEXT, b"one hello")
        wait_until(lambda: get(server, "/").text == "two", "a request reaches the canary")
        assert {get(server, "/").text for _ in range(4)} == {"one", "two"}
        # Nothing is left to compare with.
        first = next(event["pid"] for event in server.events("start") if event["generation"] == 1)
        Process(Process(first).parent()).kill()
        wait_for_line(server, "generation 2 has taken over")
        assert {get(server, "/").text for _ in range(4)} == {"two"}
        wait_until(lambda: not is_under_way(server), "no canary is under way")


@pytest.mark.parametrize("ended_by", ["refusal", "SIGTERM"])
def test_a_request_that_a_canary_has_is_finished(script, ended_by):
    with start(script) as server:
        change(script, RELEASE="two", HANDLER="throws", SECONDS=60.0, SHARE=0.5)
        reload(server)
        wait_until(lambda: get(server, "/").status == 500, "a request reaches the canary")
        sleepers = [HttpConnection(server.address) for _ in range(4)]
        for sleeper in sleepers:
            sleeper.send(format_request("/sleep"))
        wait_until(lambda: len(server.events("sleeping")) == len(sleepers), "all are with a worker")
        assert {event["generation"] for event in server.events("sleeping")} == {1, 2}
        if ended_by == "SIGTERM":
            server.signal(signal.SIGTERM)
        else:
            with Clients(server):
                wait_for_line(server, "the reload has failed: generation 2 is worse")
        assert {sleeper.read().text for sleeper in sleepers} == {"one", "two"}
        if ended_by == "SIGTERM":
            server.wait()


def test_a_reactor_that_dies_begins_it_anew(script):
    with start(script) as server:
        change(script, RELEASE="two", HANDLER="good", SECONDS=2.0)
        reload(server)
        server.reactor().kill()
        wait_for_line(server, "generation 2 has taken over")
        assert server.output().count("generation 2 is tried out") == 2
        wait_until(lambda: get(server, "/").text == "two", "the new code serves")
