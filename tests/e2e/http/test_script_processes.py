"""Scripts in a pool of processes: each request has a fresh PHP, as under php-fpm, and processes serve one request after the other."""

import concurrent.futures
import json
import os
import signal
from pathlib import Path

import pytest

from harness import Process, Server, wait_until
from http_client import HttpConnection, format_request, get
from php_fpm import NoFpm, PhpFpm

SERVER = dict(script="script_processes.php")
PAGE = Path(__file__).parent.parent / "servers/scripts/page.php"


def page(server, case, **more):
    return get(server, f"/page.php?case={case}", **more)


def pool(mode, **bounds):
    return Server("script_processes.php", mode, env={"PROCESSES": json.dumps(bounds)})


def ask(server, case):
    connection = HttpConnection(server.address)
    connection.send(format_request(f"/page.php?case={case}"))
    return connection


def script_processes(server):
    return [process for process in server.processes() if process.title().startswith("sluice: script process")]


@pytest.fixture(scope="module")
def fpm():
    try:
        with PhpFpm(PAGE) as started:
            yield started
    except NoFpm as reason:
        pytest.skip(str(reason))


def test_each_request_has_a_fresh_php(server):
    for _ in range(6):
        assert page(server, "fresh").json() == ["h1", 1, True, False, False]
        settings = page(server, "before").json()
        assert settings[:4] == ["14", True, False, False]
    assert server.events("boot-ends") == []


def test_processes_serve_one_request_after_the_other(server):
    pids = {page(server, "pid").text for _ in range(20)}
    assert len(pids) == 1, "the first that is free serves"


def test_it_is_called_as_php_fpm(server):
    assert page(server, "before").json()[5:] == ["fpm-fcgi", "fpm-fcgi"]


@pytest.mark.parametrize("case", ["input", "exit", "exit&with=text", "memory", "fatal", "throws", "handler-throws", "last-error", "eval"])
def test_pages_are_those_of_php_fpm(server, fpm, case):
    own, other = page(server, case), fpm.get(f"case={case}")
    assert (own.status, own.text, own.header("Content-Type"), own.header("X-Before")) == (
        other.status, other.text, other.header("Content-Type"), other.header("X-Before"))


def test_objects_end_before_the_output_buffers(server, fpm):
    assert page(server, "buffer").text == fpm.get("case=buffer").text


@pytest.mark.parametrize("case, logged", [("throws", "LogicException: a mistake"), ("eval", "PHP Parse error"), ("fatal", "of the script"), ("memory", "Allowed memory size")])
def test_errors_are_logged_with_their_request(server, case, logged):
    page(server, case)
    wait_until(lambda: any(logged in line and f"In a script, GET /page.php?case={case}" in line for line in server.output().splitlines()), "the log has it")


@pytest.mark.parametrize("case", ["memory", "fatal", "throws", "eval", "exit"])
def test_an_error_ends_the_request_alone(server, case):
    before = page(server, "pid").text
    page(server, case)
    assert page(server, "pid").text == before


def test_a_process_that_dies_costs_its_request(server):
    before = {process.pid for process in script_processes(server)}
    assert page(server, "killed").status == 502
    wait_until(lambda: len(script_processes(server)) >= 2 and {process.pid for process in script_processes(server)} != before, "another one takes its place")
    assert [page(server, "pid").status for _ in range(10)] == [200] * 10


def test_many_at_once(server):
    def one(number):
        return get(server, f"/page.php?case=pid&us=2000&n={number}").status

    with concurrent.futures.ThreadPoolExecutor(24) as pool_of_clients:
        assert list(pool_of_clients.map(one, range(200))) == [200] * 200


@pytest.mark.parametrize("size", [0, 10, 100_000, 900_000, 5_000_000])
def test_bodies(server, size):
    body = os.urandom(size)
    answer = page(server, "body", method="POST", body=body).json()
    assert answer[0] == size and answer[2] == str(size)


def test_what_follows_the_response(server):
    begun = page(server, "finishes&us=1")
    assert begun.text == "answered"
    server.wait_event("finished")


def test_the_stop_waits_for_what_follows(mode):
    with pool(mode, most=2) as server:
        assert page(server, "finishes&us=700000").text == "answered"
        server.signal(signal.SIGTERM)
        server.wait()
        assert server.events("finished")


@pytest.mark.parametrize("ignore", [False, True])
def test_php_decides_what_follows_when_the_client_leaves(server, ignore):
    already, went_on = len(server.events("left")), len(server.events("goes-on"))
    connection = ask(server, f"leaves&ignore={int(ignore)}")
    pid = wait_until(lambda: server.events("begins")[already:], "it has begun")[0]["pid"]
    connection.close()
    left = wait_until(lambda: server.events("left")[already:], "its shutdown function runs")[0]
    assert (left["aborted"], left["status"], left["pid"]) == (1, 1, pid)
    assert len(server.events("goes-on")) == went_on + ignore
    assert page(server, "pid").status == 200


def test_no_more_than_the_most_at_a_time(mode, tmp_path):
    with pool(mode, most=3) as server:
        clients = [ask(server, f"holds&until={tmp_path}/go") for _ in range(8)]
        wait_until(lambda: len(server.events("holds")) == 3, "three are at work")
        assert len(script_processes(server)) == 3
        Path(tmp_path, "go").touch()
        assert [client.read().text for client in clients] == ["let go"] * 8
        assert len({event["pid"] for event in server.events("holds")}) == 3
        for client in clients:
            client.close()


def test_processes_that_nobody_needs_end(mode, tmp_path):
    with pool(mode, most=6, least=1, idleSeconds=0.1) as server:
        clients = [ask(server, f"holds&until={tmp_path}/go") for _ in range(6)]
        wait_until(lambda: len(server.events("holds")) == 6, "six are at work")
        Path(tmp_path, "go").touch()
        for client in clients:
            assert client.read().text == "let go"
            client.close()
        wait_until(lambda: len(script_processes(server)) <= 2, "the others have ended")
        assert page(server, "pid").status == 200


def test_a_process_ends_after_its_requests(mode):
    with pool(mode, most=1, requests=3) as server:
        pids = [page(server, "pid").text for _ in range(9)]
        assert [pids.count(pid) for pid in dict.fromkeys(pids)] == [3, 3, 3]


def test_a_script_that_takes_too_long_is_ended(mode):
    with pool(mode, most=2, terminateSeconds=0.3) as server:
        assert page(server, "computes").status == 502
        wait_until(lambda: "longer than terminateSeconds allows" in server.output(), "the log says so")
        assert page(server, "pid").status == 200


def test_the_log_shows_where_a_slow_script_stands(mode, tmp_path):
    with pool(mode, most=2, slowSeconds=0.1) as server:
        client = ask(server, f"holds&until={tmp_path}/go")
        wait_until(lambda: "(slowSeconds). It stands in" in server.output() and "page.php" in server.output(), "the log shows it")
        Path(tmp_path, "go").touch()
        assert client.read().text == "let go"
        client.close()


def test_a_worker_that_dies_takes_its_processes_requests_alone(mode, tmp_path):
    with pool(mode, most=2) as server:
        client = ask(server, f"holds&until={tmp_path}/never")
        pid = server.wait_event("holds")["pid"]
        for worker in server.worker_pids():
            os.kill(worker, signal.SIGKILL)
        wait_until(lambda: not Process(pid).is_alive(), "its script has ended")
        client.close()
        wait_until(lambda: answers(server), "the server goes on")


def answers(server):
    try:
        return page(server, "pid").status == 200
    except OSError:
        return False


def test_a_fork_of_a_script_is_no_process_of_the_pool(server):
    assert page(server, "forks").text == "child ended with 7"
    assert page(server, "pid").status == 200


def test_a_route_can_be_without_processes(server):
    assert int(get(server, "/worker").text) in server.worker_pids()


def test_fields_of_request_and_response(server):
    asked, again, responded = page(server, "headers", headers=[("x-asked", "yes")]).json()
    assert (asked, again, responded) == ("yes", "yes", [])


def test_a_reload_goes_on_with_new_processes(server):
    before = page(server, "pid").text
    server.signal(signal.SIGHUP)
    wait_until(lambda: page(server, "pid").text != before, "a new process answers")


@pytest.mark.parametrize("settings", ((), ("opcache.enable_cli=1",)), ids=("plain", "opcache"))
def test_a_script_in_a_worker_may_declare_as_it_runs(mode, settings):
    """Enums, classes with interfaces and traits, a child before its parent, a function inside an `if`."""
    with Server("script_processes.php", mode, env={"IN_WORKERS": "1"}, settings=settings) as server:
        workers = server.worker_pids()
        assert [page(server, "fresh").json()[:1] for _ in range(4)] == [["h1"], ["h2"], ["h3"], ["h4"]]
        assert server.worker_pids() == workers


def test_opcache_knows_the_functions_of_php_fpm(mode, tmp_path):
    """It looks into the modules of functions that a file asks for, and ended the process."""
    names = "getallheaders", "apache_request_headers", "apache_response_headers", "fastcgi_finish_request"
    asked = ", ".join(f"function_exists('{name}'), is_callable('{name}')" for name in names)
    (tmp_path / "index.php").write_text(f"<?php echo json_encode([{asked}, (new ReflectionFunction('getallheaders'))->isInternal()]);")
    with Server("document_root.php", mode, env={"FOLDER": str(tmp_path)}, settings=("opcache.enable_cli=1",)) as server:
        for _ in range(2):
            assert get(server, "/").json() == [True] * (2 * len(names) + 1)
