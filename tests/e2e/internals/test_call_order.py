"""docs/internals follows a few things through the code, step by step: a traced build does each of them, and has to take the
steps in the order of the page, in the processes that the page says."""

import functools
import os
import re
import signal
import socket
import tempfile
import time
from pathlib import Path

import pytest

from call_trace import TRACED, Call, CallTrace, short_name, why_not_traced
from harness import ROOT, Server, wait_until
from http_client import HttpConnection, format_request
from internals_page import PAGES, Order, Step, parse
from websocket_client import BINARY, TEXT, RawWebSocket, frame

LAST_STEPS_S = 5.0


pytestmark = [pytest.mark.slow, pytest.mark.skipif(bool(why_not_traced()), reason=str(why_not_traced()))]


# --- what is done: each starts a server, calls begin() before it does the thing, and yields when it has seen the outcome ---


def let_workers_rest(server):
    """Until they wait for something to do: one that is still about it goes on with the next message without a new coroutine."""
    workers = [process for process in server.processes() if process.title().startswith("sluice: worker")]
    wait_until(lambda: all(process.stat()[0] == b"S" for process in workers), "the workers sleep")


def request(mode, begin, **server_options):
    with Server(mode=mode, **server_options) as server, HttpConnection(server.address) as earlier:
        assert earlier.request("/").text == "hello world"
        let_workers_rest(server)
        begin()
        with HttpConnection(server.address) as client:
            assert client.request("/?name=you").text == "hello you"
            yield


def websocket(mode, begin, **server_options):
    with Server(mode=mode, **server_options) as server, RawWebSocket(server, "/chat") as client:
        assert client.read_frame()[2] == b"welcome"
        payload = os.urandom(512 * 1024)
        client.send(frame(BINARY, payload))
        assert client.read_frame()[2] == payload
        let_workers_rest(server)
        begin()
        client.send(frame(BINARY, payload))
        assert client.read_frame()[2] == payload
        yield


def publish(mode, begin, **server_options):
    more = {"reactors": 2} if mode == "process" else {"workers": 2}
    with Server(mode=mode, **more, **server_options) as server:
        clients = [RawWebSocket(server, "/chat") for _ in range(16)]
        for client in clients:
            assert client.read_frame()[2] == b"welcome"
        let_workers_rest(server)
        begin()
        clients[0].send(frame(TEXT, b"hello"))
        for client in clients:
            assert client.read_frame()[2] == b"hello"
        yield
        for client in clients:
            client.close()


def suspend(mode, begin, **server_options):
    """The origin answers when the worker has answered somebody else."""
    with socket.create_server(("127.0.0.1", 0)) as origin, Server(mode=mode, **server_options) as server, \
            HttpConnection(server.address) as client, HttpConnection(server.address) as other:
        def ask():
            assert other.request("/").text == "hello world"
            asked.sendall(b"42\n")
            assert client.read().text == "it said 42\n"

        question = format_request(f"/ask?port={origin.getsockname()[1]}")
        client.send(question)
        with origin.accept()[0] as asked:
            ask()
            begin()
            client.send(question)
            ask()
            yield


def reload(mode, begin, **server_options):
    """In process mode the WebSocket stays, in base mode its client comes back."""
    with Server(mode=mode, **server_options) as server, RawWebSocket(server, "/chat") as client:
        assert client.read_frame()[2] == b"welcome"
        old = [process for process in server.processes() if re.match(r"sluice: (generation|worker)", process.title())]
        begin()
        server.signal(signal.SIGHUP)
        if mode == "base":
            assert client.read_close()[0] == 1001
            client.close()
        wait_until(lambda: not any(process.is_alive() for process in old), "the old generation and its worker have ended")
        if mode == "process":
            client.send(frame(BINARY, b"still here"))
            assert client.read_frame()[2] == b"still here"
            yield
        else:
            with RawWebSocket(server, "/chat") as again:
                assert again.read_frame()[2] == b"welcome"
                yield


DONE = {"request": request, "websocket": websocket, "publish": publish, "suspend": suspend, "reload": reload}


# --- the pages ---

STEPS = {(page.stem, mode): steps for page in sorted(PAGES.glob("*.md")) if page.stem in DONE
         for mode, steps in parse(page.read_text()).items()}


@functools.cache
def order_of(name, mode):
    """What was called while it was done, once for all steps. The last of them may come after the outcome."""
    with tempfile.TemporaryDirectory(prefix="sluice-trace-") as folder:
        trace = CallTrace(Path(folder) / "trace", TRACED / "sluice.so")
        begin = []
        doing = DONE[name](mode, lambda: begin.append(trace.position()), script="internals.php", php=TRACED / "php",
                           env={"SLUICE_TRACE": str(trace.path)})
        next(doing)
        deadline = time.monotonic() + LAST_STEPS_S
        while True:
            order = Order(trace.calls(), begin[0])
            if not order.problems(STEPS.get((name, mode), []), name, mode) or time.monotonic() > deadline:
                break
        assert next(doing, "done") == "done"
        return order


@functools.cache
def problems_of(name, mode):
    return order_of(name, mode).problems(STEPS[name, mode], f"{name}.md", mode)


@pytest.mark.parametrize("name, mode, step", [
    pytest.param(name, mode, step, id=f"{name}.md-{mode}-step-{step.number}-{step.function}")
    for (name, mode), steps in STEPS.items() for step in steps])
def test_step(name, mode, step):
    problem = problems_of(name, mode).get(step.number)
    assert not problem, problem


@pytest.mark.parametrize("name, mode", STEPS, ids=["-".join(key) for key in STEPS])
def test_exchanged_steps_are_noticed(name, mode):
    """Any two neighbours: otherwise the page says less about the order than it seems to. A loop that happens to go round once more
    between two steps may hide one exchange or other; not many of them."""
    steps = STEPS[name, mode]
    unnoticed = []
    for first, second in zip(steps, steps[1:]):
        exchanged = [*steps[: first.number - 1], Step(first.number, second.actor, second.function),
                     Step(second.number, first.actor, first.function), *steps[second.number :]]
        if not order_of(name, mode).problems(exchanged, f"{name}.md", mode):
            unnoticed.append(f"{first.number} and {second.number}")
    assert len(unnoticed) <= len(steps) // 10, f"{name}.md ({mode} mode) would be believed if these were exchanged: {', '.join(unnoticed)}"


def test_every_page_has_its_steps():
    assert {page.name for page in PAGES.glob("*.md")} - {"README.md", "architecture.md", "fair-sharing.md"} == {f"{name}.md" for name in DONE}
    assert {name for name, _ in STEPS} == set(DONE)
    assert all(STEPS.values())


# --- the check itself ---


def test_names_are_told_from_what_the_compiler_makes_of_them():
    for demangled, name in [
        ("sluice::HttpSession::dispatch(unsigned int)", "HttpSession::dispatch"),
        ("sluice::php::(anonymous namespace)::serve(sluice::Worker&)", "serve"),
        ("sluice::http1::write_head(std::string&, sluice::Head const&) const", "http1::write_head"),
        ("sluice::Ref<sluice::Frame<4> >::take()", "Ref::take"),
        ("void sluice::each<int, char>(int (*)(char))", "each"),
        ("sluice::Loop::turn() const [clone .part.0]", "Loop::turn"),
        ("sluice::UniqueFd::operator bool() const", "UniqueFd::operator_bool"),
        ("sluice::Endpoints::operator[](unsigned long)", "Endpoints::operator[]"),
        ("sluice::Arena::take()::{lambda(int)#1}::operator()(int) const", "Arena::take::lambda#1}::operator_call"),
    ]:
        assert short_name(demangled) == name


PAGE = """
# A page
## Process mode, with two reactors
### In the reactor
1. `Loop::turn` wakes up.
   `Loop::close` is only mentioned.
2. `Session::read()` reads.
### In the worker
3. `serve()` answers.
### In the reactor
4. `Loop::flush` writes.
## States
1. `Loop::none` is no step.
"""


def order(*calls, begin=0):
    """Of calls as "process/thread function"."""
    made = []
    for position, call in enumerate(calls):
        who, function = call.split()
        made.append(Call(position, *map(int, who.split("/")), function))
    return Order(made, begin)


def problems(trace, page=PAGE):
    return list(trace.problems(parse(page)["process"], "a.md", "process").values())


def test_a_page_is_read():
    assert parse(PAGE) == {"process": [
        Step(1, "reactor", "Loop::turn"), Step(2, "reactor", "Session::read"), Step(3, "worker", "serve"),
        Step(4, "reactor", "Loop::flush")]}
    for old, new, complaint in [
        ("4. `Loop::flush`", "5. `Loop::flush`", "step 5 follows step 3"),
        ("`serve()` answers", "It answers by `serve()`", "step 3 does not begin with its function"),
        ("### In the worker", "### In the kernel", "names nobody"),
        ("### In the reactor\n1.", "1.", "step 1 stands below no"),
    ]:
        with pytest.raises(AssertionError, match=complaint):
            parse(PAGE.replace(old, new, 1))


TRACE = ("1/1 Reactor::turn", "2/2 run_worker", "1/1 Loop::turn", "1/1 a::Session::read", "2/2 serve", "1/1 Loop::flush")


def test_a_true_page_is_believed():
    assert problems(order(*TRACE)) == []


def test_a_wrong_order_is_noticed():
    exchanged = PAGE.replace("Session::read", "*").replace("Loop::turn", "Session::read").replace("*", "Loop::turn")
    assert problems(order(*TRACE), exchanged) == [
        "step 2 of a.md (process mode), `Loop::turn`, did not come after step 1, `Session::read`, in the reactor: it was "
        "called before that only"]


def test_a_wrong_place_is_noticed():
    trace = [call.replace("2/2 serve", "1/1 serve") for call in TRACE]
    assert problems(order(*trace))[0].endswith("in the worker: it was called elsewhere")
    trace = [call.replace("2/2 serve", "2/2 Other::serve") for call in TRACE]
    assert problems(order(*trace))[0].endswith("in the worker: it was not called at all")
    assert problems(order(*TRACE[:1], *TRACE[2:])) == [
        "step 3 of a.md (process mode) is taken in the worker, and there is none"]


def test_what_came_before_does_not_count():
    assert problems(order("1/1 Loop::flush", *TRACE[:-1], begin=1))[0].endswith("it was not called at all")


def test_several_threads_of_a_kind_are_told_apart():
    page = PAGE.replace("4. `Loop::flush`", "4. `Loop::turn`").replace("### In the reactor\n4.", "### In the other reactor\n4.")
    more = ("1/7 Reactor::turn", "1/7 Loop::turn")
    assert problems(order(*TRACE, *more), page) == []
    assert problems(order(*more, *TRACE), page) != []
    # Old and new are processes that were there, or were not.
    page = PAGE.replace("In the worker", "In the new worker")
    assert problems(order(*TRACE, begin=1), page) == []
    assert problems(order(*TRACE, begin=2), page) == [
        "step 3 of a.md (process mode) is taken in the new worker, and there is none"]
