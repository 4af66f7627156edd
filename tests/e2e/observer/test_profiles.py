"""Profiles at /debug/pprof/: what they show of programs of known shape, and what happens when workers do not answer."""

import json
import math
import os
import signal
import socket
import threading
import urllib.error
import urllib.request

import pytest

from admin import TOKEN
from databases import MariaDb
from harness import Server, wait_until
from pprof import decode, fetch, profile_of


JIT = ("opcache.enable_cli=1", "opcache.jit=tracing", "opcache.jit_buffer_size=32M")


@pytest.fixture
def profiled(mode):
    with Server("profiled.php", mode, workers=2, ports=2, env={"TOKEN": TOKEN}) as server:
        yield server


def get(server, path):
    with urllib.request.urlopen(f"{server.url}/{path}", timeout=60) as answer:
        return answer.read().decode()


class During:
    """Requests that are repeated until the block ends."""

    def __init__(self, server, *paths):
        self.server, self.over, self.answers = server, threading.Event(), []
        self.threads = [threading.Thread(target=self.repeat, args=(path,)) for path in paths]

    def repeat(self, path):
        while not self.over.is_set():
            try:
                self.answers.append(get(self.server, path))
            except urllib.error.HTTPError as error:  # of a worker that was killed
                self.answers.append(error.code)
            except ConnectionError:  # in base mode the connection dies with it
                self.answers.append(0)

    def __enter__(self):
        for thread in self.threads:
            thread.start()
        return self

    def __exit__(self, *_):
        self.over.set()
        for thread in self.threads:
            thread.join()


def whole_profile_of(server, path):
    """One to which all workers have answered in time."""
    def ask():
        profile = profile_of(server, path)
        return profile if profile.comments == [] else None
    return wait_until(ask, "all workers answer")


def share(part, whole):
    assert whole > 0
    return part / whole


def samples_of(profile, name):
    return profile.having("samples", f"Sluice\\EndToEnd\\{name}")


@pytest.mark.parametrize("settings", [(), JIT], ids=["interpreted", "jit"])
def test_cpu_is_split_as_the_program_splits_it(mode, settings):
    with Server("profiled.php", mode, workers=2, ports=2, env={"TOKEN": TOKEN}, settings=settings) as profiled:
        with During(profiled, "split/0.5", "split/0.5") as during:
            profile = profile_of(profiled, "profile?seconds=6")
    assert profile.types == [("samples", "count"), ("cpu", "nanoseconds")] and profile.default == "cpu"
    assert profile.period == 10_000_000 and profile.duration_ns == 6_000_000_000
    used = [json.loads(answer) for answer in during.answers]
    expected = share(sum(one["seventy"] for one in used), sum(sum(one.values()) for one in used))
    # 4.5 standard deviations, six points for the 1,200 samples of a quiet machine.
    seventy, both = samples_of(profile, "seventy"), samples_of(profile, "seventy") + samples_of(profile, "thirty")
    assert abs(share(seventy, both) - expected) < 4.5 * math.sqrt(expected * (1 - expected) / both), (seventy, both, expected)
    assert share(sum(profile.having("cpu", f"Sluice\\EndToEnd\\{name}") for name in ("seventy", "thirty")), profile.total("cpu")) > 0.8
    [stack] = {tuple(frame.function for frame in sample.stack) for sample in profile.samples
               if sample.stack[1:2] and sample.stack[1].function == "Sluice\\EndToEnd\\seventy"}
    assert stack[:2] == ("Sluice\\EndToEnd\\work", "Sluice\\EndToEnd\\seventy") and "{closure:profiled.php:" in stack[2]
    worked = [sample for sample in profile.samples if sample.stack[0].function.endswith("\\work")]
    assert {sample.labels.get("route") for sample in worked} == {"/split/{seconds}"}
    assert {sample.labels["worker"] for sample in worked} <= {"0", "1"}
    frame = worked[0].stack[0]
    assert frame.file.endswith("/profiled.php") and 0 < frame.start_line < frame.line < frame.start_line + 8


def test_internal_functions_are_seen(profiled):
    with During(profiled, "hash/0.5"):
        profile = profile_of(profiled, "profile?seconds=3")
    assert share(profile.by_leaf("cpu")["md5"], profile.total("cpu")) > 0.7
    assert any(sample.labels.get("route") == "/hash/{seconds}" for sample in profile.samples if sample.stack[0].function == "md5")


def test_while_all_workers_spin(profiled):
    clients = []

    def all_spin():
        # In base mode the kernel chooses the worker.
        clients.append(socket.create_connection(profiled.address))
        clients[-1].sendall(b"GET /spin HTTP/1.1\r\nHost: x\r\n\r\n")
        return len(profiled.events("spins")) == 2

    wait_until(all_spin, "both workers spin")
    profile = whole_profile_of(profiled, "profile?seconds=2")
    assert {sample.labels["worker"] for sample in profile.samples} == {"0", "1"}
    assert profile.having("cpu", "Sluice\\EndToEnd\\work") > 0
    assert len(whole_profile_of(profiled, "coroutine").samples) >= 2
    for client in clients:
        client.close()
    profiled.may_fail = True
    profiled.signal(signal.SIGTERM)
    profiled.signal(signal.SIGINT)


def test_a_worker_that_is_killed_is_left_out(profiled):
    killed = []

    def kill():
        killed.append(profiled.worker_pids()[0])
        os.kill(killed[0], signal.SIGKILL)

    with During(profiled, "split/0.2", "split/0.2"):
        timer = threading.Timer(0.7, kill)
        timer.start()
        profile = profile_of(profiled, "profile?seconds=3")
        timer.join()
        profiled.may_fail = True
    assert killed and profile.having("cpu", "Sluice\\EndToEnd\\work") > 0


def test_waits_sum_up_to_the_time_that_was_waited(profiled):
    begun = threading.Event()
    answers = []

    def ask():
        begun.wait()
        answers.append(int(get(profiled, "waits/20")))

    client = threading.Thread(target=ask)
    client.start()
    threading.Timer(0.3, begun.set).start()
    profile = profile_of(profiled, "wait?seconds=3")
    client.join()
    slept = [sample for sample in profile.samples if sample.stack[0].function == "usleep"]
    assert {sample.labels["kind"] for sample in slept} == {"sleep"}
    assert sum(sample.values["waits"] for sample in slept) == 400
    assert share(sum(sample.values["suspended"] for sample in slept), answers[0]) == pytest.approx(1, abs=0.01)


def test_who_waits_all_the_time_counts_with_all_of_it(profiled):
    client = socket.create_connection(profiled.address)
    client.sendall(b"GET /channel HTTP/1.1\r\nHost: x\r\n\r\n")
    profiled.wait_event("pops")
    profile = profile_of(profiled, "wait?seconds=2")
    [sample] = [sample for sample in profile.samples if sample.labels.get("kind") == "channel"]
    assert sample.labels["route"] == "/channel" and sample.values["waits"] == 1
    assert share(sample.values["suspended"], profile.duration_ns) == pytest.approx(1, abs=0.05)
    coroutines = profile_of(profiled, "coroutine")
    assert coroutines.types == [("age", "nanoseconds"), ("coroutines", "count")]
    [one] = [sample for sample in coroutines.samples if sample.labels.get("kind") == "channel"]
    assert one.labels["state"] == "waiting" and one.values["coroutines"] == 1 and one.values["age"] > profile.duration_ns
    assert one.stack[0].function == "Sluice\\Coroutine\\Channel->pop"
    client.close()


def test_a_slow_query_is_on_top_of_the_waits(mode):
    with MariaDb() as database, Server("profiled.php", mode, ports=2, env={"TOKEN": TOKEN, **database.env()}) as server:
        with During(server, "query?seconds=0.3"):
            profile = profile_of(server, "wait?seconds=3")
        top = max(profile.samples, key=lambda sample: sample.values["suspended"])
        assert top.stack[0].function == "PDO->query" and "{closure:profiled.php:" in top.stack[1].function
        assert top.labels == {
            "route": "/query", "kind": "mysql", "target": f"127.0.0.1:{database.port}", "query": "SELECT SLEEP(?), ?", "worker": "0",
        }
        assert share(top.values["suspended"], profile.total("suspended")) > 0.6


def test_a_leak_is_on_top_of_the_heap(profiled):
    with During(profiled, "leak"):
        profile = profile_of(profiled, "heap?seconds=2")
    assert profile.types == [("alloc_objects", "count"), ("alloc_space", "bytes"), ("inuse_objects", "count"), ("inuse_space", "bytes")]
    leaked, churned = (f"Sluice\\EndToEnd\\{name}" for name in ("leak", "churn"))
    assert share(profile.having("inuse_space", leaked), profile.total("inuse_space")) > 0.9
    top = max(profile.samples, key=lambda sample: sample.values["inuse_space"])
    assert [frame.function for frame in top.stack[:2]] == ["str_repeat", leaked] and top.labels["route"] == "/leak"
    # Twice as much is kept as is let go of.
    assert 1.5 < profile.having("alloc_space", leaked) / profile.having("alloc_space", churned) < 2.7
    assert profile.having("inuse_space", churned) < 0.1 * profile.having("alloc_space", churned)


def test_formats(profiled):
    with During(profiled, "split/0.2"):
        status, folded = fetch(profiled.ports[1], "/debug/pprof/profile?seconds=1&format=folded")
        assert status == 200
        status, scope = fetch(profiled.ports[1], "/debug/pprof/profile?seconds=1&format=speedscope")
    lines = [line.rpartition(" ") for line in folded.decode().splitlines()]
    assert any(stack.endswith("Sluice\\EndToEnd\\seventy;Sluice\\EndToEnd\\work") and int(value) > 0 for stack, _, value in lines)
    scope = json.loads(scope)
    assert scope["$schema"] == "https://www.speedscope.app/file-format-schema.json"
    for profile in scope["profiles"]:
        assert profile["type"] == "sampled" and len(profile["samples"]) == len(profile["weights"])
        assert profile["endValue"] == sum(profile["weights"])
        assert all(0 <= frame < len(scope["shared"]["frames"]) for stack in profile["samples"] for frame in stack)


def test_what_is_refused(profiled):
    port = profiled.ports[1]
    assert fetch(port, "/debug/pprof/profile?seconds=1", token=None)[0] == 401
    for wrong in ("seconds=0", "seconds=x", "seconds=601", "seconds=1.5", "seconds=1&format=svg"):
        status, text = fetch(port, "/debug/pprof/profile?" + wrong)
        assert status == 400 and json.loads(text)["error"]
    with socket.create_connection(("127.0.0.1", port)) as first:
        first.sendall(f"GET /debug/pprof/profile?seconds=600 HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer {TOKEN}\r\n\r\n".encode())
        wait_until(lambda: fetch(port, "/debug/pprof/coroutine")[0] == 409, "the first is being taken")
    wait_until(lambda: fetch(port, "/debug/pprof/coroutine")[0] == 200, "a client that leaves ends its profile")
    status, text = fetch(port, "/debug/pprof/")
    assert status == 200 and b"seconds=30" in text
    assert decode(fetch(port, "/debug/pprof/coroutine")[1]).types
