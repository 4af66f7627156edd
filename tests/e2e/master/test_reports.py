"""What a server writes down: crashes, its state when asked (SIGQUIT), and lines of its log as JSON."""

import json
import re
import signal

import pytest

from harness import MODES, SANITIZED, Process, wait_until
from http_client import ClosedEarly, HttpConnection, format_request, get
from lifecycle import start


@pytest.mark.skipif(SANITIZED, reason="a sanitiser reports crashes")
@pytest.mark.both_modes
@pytest.mark.parametrize("number", [signal.SIGSEGV, signal.SIGABRT, signal.SIGBUS])
@pytest.mark.parametrize("mode", MODES)
def test_a_crash_is_reported(script, mode, number, tmp_path):
    folder = tmp_path / "crashes"
    folder.mkdir()
    with start(script, mode, env={"CRASHES": str(folder)}) as server, HttpConnection(server.address) as unlucky, HttpConnection(server.address) as waits:
        server.may_crash = True
        waits.send(format_request("/sleep?ms=600000"))
        server.wait_event("sleeping")
        unlucky.send(format_request(f"/crash?signal={int(number)}"))
        if mode == "process":
            assert unlucky.read().status == 502
        report = wait_until(lambda: list(folder.iterdir()), "there is a report")
        wait_until(lambda: f"was killed by signal {int(number)}" in server.output(), "it has ended by the same signal")
        text = report[0].read_text()
        assert len(report) == 1 and report[0].stat().st_mode & 0o777 == 0o600
        assert f"SIG{number.name[3:]}" in text
        assert re.search(r"build id [0-9a-f]{16,}", text), text
        assert re.search(r"sluice\.so\+0x[0-9a-f]+", text), text
        assert f"GET /crash?signal={int(number)}" in text or "GET /crash" in text, text
        assert "posix_kill()" in text and f"{script}" in text, text
        assert "crash of process" in server.output() and "posix_kill()" in server.output()
        assert f"the crash report is in {report[0]}" in server.output()
        assert get(server, "/worker").status == 200


@pytest.mark.skipif(SANITIZED, reason="a sanitiser reports crashes")
def test_a_crash_of_the_reactor_is_reported(script, tmp_path):
    with start(script, "process", env={"CRASHES": str(tmp_path)}) as server:
        server.may_crash = True
        server.reactor().kill(signal.SIGSEGV)
        report = wait_until(lambda: list(tmp_path.glob("crash-*.txt")), "there is a report")
        wait_until(lambda: "reactor 0: " in report[0].read_text(), "it is complete")
        wait_until(lambda: "every connection is lost" in server.output(), "the master knows")
        assert get(server, "/worker").status == 200


@pytest.mark.both_modes
@pytest.mark.parametrize("mode", MODES)
def test_sigquit_has_each_process_say_what_it_does(script, mode):
    with start(script, mode, workers=2) as server, HttpConnection(server.address) as spins, HttpConnection(server.address) as waits:
        waits.send(format_request("/sleep?ms=600000"))
        sleeper = server.wait_event("sleeping")["pid"]
        server.signal(signal.SIGQUIT)
        wait_until(lambda: f"state: listens on 127.0.0.1:{server.ports[0]}" in server.output(), "the master says where it listens")
        wait_until(lambda: len(re.findall(r"master\[\d+\] info: state: worker \d \(pid \d+, generation 1\) is ready", server.output())) == 2, "and of its workers")
        Process(sleeper).kill(signal.SIGQUIT)
        wait_until(lambda: re.search(r"info: waiting: an HTTP handler, GET /sleep.*, in .*script.php:\d+", server.output()), "a worker says what waits")
        spins.send(format_request("/spin"))
        spinning = server.wait_event("spinning")["pid"]
        Process(spinning).kill(signal.SIGQUIT)
        wait_until(lambda: re.search(r"info: running an HTTP handler, GET /spin", server.output()), "one that spins, too")
        for process in server.processes():
            if "generation" in process.title() or "reactor" in process.title():
                process.kill(signal.SIGQUIT)
        wait_until(lambda: "info: state: generation 1 has forked worker 0" in server.output(), "a generation says whom it has forked")
        if mode == "process":
            wait_until(lambda: re.search(r"info: reactor 0: \d+ connections", server.output()), "the reactor says how many connections it has")
        assert len(server.worker_pids()) == 2, "nobody has ended"
        Process(spinning).kill()


@pytest.mark.both_modes
@pytest.mark.parametrize("mode", MODES)
def test_the_log_as_json(script, mode, tmp_path):
    file = tmp_path / "log"
    with start(script, mode, env={"LOG": "json", "LOG_FILE": str(file)}) as server:
        assert get(server, "/log?times=1&text=" + "a%22b%5C%0A%C3%A4%FF").text == "logged"
        server.signal(signal.SIGHUP)
        wait_until(lambda: "generation 2 has taken over" in file.read_text(), "it has reloaded")
        get(server, "/throw")
    lines = [json.loads(line) for line in file.read_text().splitlines()]
    of_all = ("time", "level", "process", "pid", "message")
    assert {tuple(line) for line in lines} == {of_all, (*of_all, "trace_id", "span_id")}, "those that concern a request have its ids"
    assert all(re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z", line["time"]) for line in lines)
    assert {line["level"] for line in lines} <= {"info", "warning", "error"}
    assert any('a"b\\' in line["message"] and "ä\ufffd" in line["message"] for line in lines), lines
    assert {"master"} < {line["process"] for line in lines}


@pytest.mark.parametrize("mode", MODES)
def test_lines_below_the_level_are_not_written(script, mode):
    with start(script, mode, env={"LOG": "text", "LEVEL": "error"}) as server:
        server.signal(signal.SIGHUP)
        wait_until(lambda: get(server, "/worker").json()["generation"] == 2, "it has reloaded")
        Process(server.worker_pids()[0]).kill()
        get(server, "/worker")
        get(server, "/throw")
        said = wait_until(lambda: " error: " in server.output() and server.output(), "errors are written")
        assert not re.search(r" (info|warning): ", said), said


@pytest.mark.parametrize("mode", MODES)
def test_a_flood_of_one_line_is_folded(script, mode):
    with start(script, mode, workers=1) as server:
        get(server, "/log?times=5000&text=flood")
        get(server, "/log?times=1&text=other")
        said = wait_until(lambda: "other" in server.output() and server.output(), "the other line is there")
        lines = [line for line in said.splitlines() if re.search(r": flood( trace_id=\w+ span_id=\w+)?$", line)]
        counts = [int(found[1]) for line in lines if (found := re.search(r"the line before came (\d+) more times", line))]
        assert sum(counts) + len(lines) - len(counts) == 5000, said
        assert len(lines) < 100, "most are counted"
