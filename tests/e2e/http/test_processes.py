"""A site may have a process for each request, forked ahead of it: nothing that a request declares or breaks concerns another one."""

import concurrent.futures
import contextlib
import os
import signal
import socket
import struct
import subprocess

import pytest

import test_classic
from harness import Process, Server, descriptors_of_server, wait_until
from http_client import ClosedEarly, HttpConnection, format_request, get
from websocket_client import RawWebSocket

SERVER = dict(script="processes.php", ports=2)


def test_scripts_declare_what_they_like(server):
    for number in range(6):
        response = get(server, f"/?name=n{number}")
        assert (response.status, response.text) == (200, f"hello n{number}, 1 127.0.0.1\n")
        assert response.header("X-Page") == "1" and response.header("Set-Cookie") == f"seen=n{number}"


@pytest.fixture(scope="module")
def scripts(mode):
    with Server("classic.php", mode, env=test_classic.SERVER["env"] | {"PROCESSES": "16"}) as server:
        yield server


@pytest.mark.parametrize("promise", [
    test_classic.test_many_at_a_time_see_nothing_of_each_other, test_classic.test_server_variables, test_classic.test_uploads,
    test_classic.test_an_upload_that_nobody_moves_is_deleted, test_classic.test_redirect_and_exit,
    test_classic.test_long_output_is_streamed, test_classic.test_headers_are_removed, test_classic.test_flushed_output,
    test_classic.test_no_body, test_classic.test_sessions_wait_for_each_other], ids=lambda promise: promise.__name__.removeprefix("test_"))
def test_scripts_have_all_that_they_have_in_a_worker(scripts, promise):
    promise(scripts)


def test_each_request_has_a_new_process(server):
    answers = [get(server, "/handler/counts").json() for _ in range(6)]
    assert [answer["times"] for answer in answers] == [1] * 6
    assert len({answer["pid"] for answer in answers}) == 6
    assert all(answer["peer"].startswith("127.0.0.1:") for answer in answers)


def test_a_child_that_outlives_its_request_holds_up_nobody(server):
    children = []
    try:
        for _ in range(2):
            children.append(int(get(server, "/forks").text))
            wait_until(lambda: descriptors_of_server(children[-1]) == [], "it has closed what is the server's")
        assert all(Process(child).is_alive() for child in children)
    finally:
        for child in children:
            os.kill(child, signal.SIGKILL)


def test_many_at_once_wait_for_a_process(server):
    with concurrent.futures.ThreadPoolExecutor(24) as pool:
        responses = list(pool.map(lambda number: get(server, f"/handler/short?{number}"), range(24)))
    assert [response.text for response in responses] == ["slept"] * 24


def test_a_bound_of_processes_holds(mode):
    with Server("processes.php", mode, ports=2, env={"PROCESSES": "2"}) as server:
        with concurrent.futures.ThreadPoolExecutor(6) as pool:
            list(pool.map(lambda number: get(server, f"/handler/short?{number}"), range(6)))
        running = most = 0
        for event in server.events():
            running += {"short": 1, "slept": -1}.get(event["event"], 0)
            most = max(most, running)
        assert running == 0 and most <= 2


def test_clients_that_wait_for_a_process_take_turns(mode):
    """More of one address wait than there is room for in the processes' queue."""
    with Server("processes.php", mode, ports=2, env={"PROCESSES": "2", "REQUEST_SECONDS": "100"}) as server, contextlib.ExitStack() as stack:
        go = server.folder / "go"

        def ask(name, host):
            client = stack.enter_context(HttpConnection(server.address, source=f"127.0.0.{host}"))
            client.send(format_request(f"/handler/held?name={name}&until={go}"))
            return client

        def waiting():
            with HttpConnection(("127.0.0.1", server.ports[1])) as client:
                return client.request(f"/waiting?master={server.process.pid}").json()

        clients = [ask("crowd", 2) for _ in range(2)]
        wait_until(lambda: len(server.events("held")) == 2, "both processes are in use")
        clients += [ask("crowd", 2) for _ in range(600)]
        wait_until(lambda: waiting() == 600, "the crowd waits")
        clients.append(ask("stranger", 3))
        wait_until(lambda: waiting() == 601, "the stranger waits")
        go.touch()
        assert {client.read().status for client in clients} == {200}
        names = [event["name"] for event in server.events("held")]
        # It comes second, but for those that begin while a busy machine has the worker look at its queues; in the order of their coming it would be the last.
        assert names.index("stranger") < 100, names


def test_long_responses_and_files(server):
    response = get(server, "/handler/stream")
    assert response.body == b"".join(str(part % 10).encode() * 100_000 for part in range(40))
    response = get(server, "/handler/file")
    assert response.status == 200 and b"Counted::$times" in response.body
    assert response.header("Content-Length") == str(len(response.body))


@pytest.mark.parametrize("size", [0, 10, 100_000, 900_000, 5_000_000])
def test_bodies_in_memory_and_in_files(server, size):
    body = os.urandom(size)
    response = get(server, "/handler/body", method="POST", body=body)
    assert response.json()["bytes"] == size


@pytest.mark.parametrize("end, status", [("exit", 502), ("fatal", 502), ("killed", 502), ("throws", 500)])
def test_an_end_concerns_one_request(server, end, status):
    assert get(server, f"/handler/{end}").status == status
    assert get(server, "/handler/counts").json()["times"] == 1


def test_a_process_that_has_answered_ends_at_once(server):
    for _ in range(10):
        get(server, "/handler/ends")
    wait_until(lambda: len(server.events("ends")) == 10, "all have ended")
    times_ms = [event["ms"] for event in server.events("ends")]
    assert min(times_ms) < 15, times_ms  # on a busy machine some take longer


@pytest.fixture(scope="module")
def long_file(tmp_path_factory):
    path = tmp_path_factory.mktemp("files") / "long.bin"
    path.write_bytes(b"".join(number.to_bytes(8, "big") for number in range(4 << 20)))
    return path


def test_a_file_is_handed_over(server, long_file):
    """The client does not read, and the process ends all the same."""
    size = long_file.stat().st_size
    with HttpConnection(server.address) as connection:
        connection.send(format_request(f"/handler/file?of={long_file}"))
        pid = wait_until(lambda: [event for event in server.events("file") if event["of"] == str(long_file)], "the file is sent")[0]["pid"]
        wait_until(lambda: not os.path.exists(f"/proc/{pid}"), "the process has ended")
        response = connection.read()
        assert response.header("Content-Length") == str(size)
        assert response.body == long_file.read_bytes()
        assert connection.request("/handler/counts").status == 200  # the connection goes on


def test_parts_of_files(server, long_file):
    target, content = f"/handler/file?of={long_file}", long_file.read_bytes()
    response = get(server, target, method="HEAD")
    assert (response.status, response.header("Content-Length")) == (200, str(len(content)))
    response = get(server, target, headers=[("Range", "bytes=1000000-2999999")])
    assert (response.status, response.body) == (206, content[1_000_000:3_000_000])
    response = get(server, target, headers=[("Range", "bytes=10-1000009,5000000-6000000,-8")])
    assert response.status == 206 and response.header("Content-Type").startswith("multipart/byteranges")
    places = [response.body.find(part) for part in (content[10:1_000_010], content[5_000_000:6_000_001], content[-8:])]
    assert -1 not in places and places == sorted(places)


def test_what_follows_the_response(mode):
    """It may wait for as long as it likes, and the stop of the server waits for it."""
    with Server("processes.php", mode, ports=2, env={"KILL_SECONDS": "0.5"}) as server:
        assert get(server, "/handler/goes-on?how=waits").text == "answered"
        server.signal(signal.SIGTERM)
        server.wait_event("went-on")
        server.wait()
        assert "killed" not in server.output()


def test_what_is_published_after_the_response(server, tmp_path):
    """The client has its answer and has gone; the worker passes on all the same what the process says."""
    with RawWebSocket(server, "/news") as subscriber:
        assert subscriber.read_frame()[2] == b"subscribed"
        for number in range(3):
            when = tmp_path / str(number)
            assert get(server, f"/handler/publishes?when={when}").text == "answered"
            when.touch()
            assert subscriber.read_frame()[2] == b"by the handler"
            assert subscriber.read_frame()[2] == b"at the end " * 20_000


@pytest.mark.parametrize("target", ["/handler/goes-on?how=computes", "/handler/begins"])
def test_computing_without_a_sign_is_ended(mode, target):
    with Server("processes.php", mode, ports=2, env={"KILL_SECONDS": "0.3"}) as server:
        if "begins" in target:
            with pytest.raises(ClosedEarly):
                get(server, target)
        else:
            assert get(server, target).text == "answered"
        pid = server.wait_event("begins" if "begins" in target else "goes-on")["pid"]
        wait_until(lambda: not os.path.exists(f"/proc/{pid}"), "the process has ended")
        wait_until(lambda: f"the process of a request, pid {pid}, has taken longer than killSeconds allows" in server.output(), "the log says so")
        assert get(server, "/handler/counts").status == 200


def test_who_leaves_ends_the_process(server):
    already = len(server.events("waits"))
    connection = HttpConnection(server.address)
    connection.send(format_request("/handler/waits"))
    pid = wait_until(lambda: server.events("waits")[already:], "the handler waits")[0]["pid"]
    connection.close()
    wait_until(lambda: not os.path.exists(f"/proc/{pid}"), "the process has ended")


def test_a_deadline_ends_the_process(server):
    already = len(server.events("waits"))
    assert get(server, "/handler/waits").status == 504
    pid = server.events("waits")[already]["pid"]
    wait_until(lambda: not os.path.exists(f"/proc/{pid}"), "the process has ended")


def test_no_process_is_killed_that_another_one_names(server):
    with subprocess.Popen(["sleep", "1000"]) as stranger:
        try:
            assert get(server, f"/handler/lies?pid={stranger.pid}").status == 504
            pid = server.wait_event("lies")["pid"]
            wait_until(lambda: not os.path.exists(f"/proc/{pid}"), "the process has ended")
            assert stranger.poll() is None
        finally:
            stranger.kill()


def test_a_deadline_holds_when_the_client_has_gone(server):
    connection = HttpConnection(server.address)
    connection.send(format_request("/persists"))
    pid = server.wait_event("persists")["pid"]
    # Reset: the connection ends at once, and with it what its reactor knows of the request.
    connection.socket.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    connection.close()
    wait_until(lambda: not os.path.exists(f"/proc/{pid}"), "the process has ended")
    assert f"the process of a request, pid {pid}, has taken longer than requestSeconds allows" in server.output()


def test_a_reload_goes_on_with_new_processes(server):
    before = get(server, "/handler/counts").json()
    server.signal(1)
    wait_until(lambda: "generation 2" in " ".join(process.title() for process in server.processes()), "the new one has begun")
    for _ in range(10):
        assert get(server, "/handler/counts").json()["times"] == 1
    assert before["times"] == 1
