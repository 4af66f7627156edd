"""What answers a request elsewhere in PHP is told in the log, once for each place; and so is a handler that does not answer."""

import re
import threading

import pytest

from harness import SERVERS, Server, wait_until
from http_client import get

SCRIPT = (SERVERS / "misplaced.php").read_text().splitlines()


def line_of(text):
    return next(number for number, line in enumerate(SCRIPT, 1) if text in line)


@pytest.fixture(scope="module")
def misplaced(mode):
    with Server("misplaced.php", mode) as server:
        yield server


def said(server, sentence):
    return [line for line in server.output().splitlines() if sentence in line]


@pytest.mark.parametrize("path, call, what, instead", [
    ("/echo", "echo 'a'", "Output", "$response->text()"),
    ("/print", 'print "p', "Output", "$response->text()"),
    ("/header", "header('X-Lost", "header()", "$response->header()"),
    ("/cookie", "setcookie", "setcookie()", "$response->cookie()"),
    ("/raw-cookie", "setrawcookie", "setrawcookie()", "$response->cookie()"),
    ("/code", "http_response_code", "http_response_code()", "$response->status()"),
    ("/remove", "header_remove", "header_remove()", "$response->header()"),
    ("/callback", "header_register_callback", "header_register_callback()", "$response->header()"),
    ("/filter?a=b", "filter_input(INPUT_GET", "filter_input()", "$request->query()"),
    ("/filters?a=b", "filter_input_array", "filter_input_array()", "$request->queryAll()"),
    ("/filter-has?a=b", "filter_has_var", "filter_has_var()", "$request->query()"),
    ("/input", "php://input", "php://input", "$request->body()"),
    ("/is-upload", "is_uploaded_file", "is_uploaded_file()", "$request->files()"),
    ("/move-upload", "move_uploaded_file", "move_uploaded_file()", "moveTo()"),
])
def test_said_once_for_each_place(misplaced, path, call, what, instead):
    for _ in range(3):
        response = get(misplaced, path)
        assert (response.status, response.text) == (200, "served")
        assert not response.header("x-lost") and not response.header("set-cookie")
    place = f"misplaced.php:{line_of(call)}"
    wait_until(lambda: said(misplaced, place), "it is said")
    (line,) = said(misplaced, place)
    assert f" {what} in a handler, at " in line and instead in line, line


def test_what_is_in_its_place_is_not_told(misplaced):
    assert get(misplaced, "/buffer").text == "captured"
    assert get(misplaced, "/status").status == 204
    kept = get(misplaced, "/field")
    assert (kept.status, kept.header("x-kept")) == (200, "1")
    assert get(misplaced, "/later").text == "later"
    assert get(misplaced, "/of-process").text == "asked"
    assert "output of the start" in misplaced.output()
    for text in ("output of the start", "ob_get_clean", "status(204)", "'X-Kept'", "'later'", "INPUT_SERVER"):
        assert not said(misplaced, f"misplaced.php:{line_of(text)}"), text


def test_no_answer_is_500(misplaced):
    for _ in range(3):
        assert get(misplaced, "/nothing").status == 500
    place = f"The HTTP handler at {SERVERS}/misplaced.php:{line_of('http(address()')} has ended without an answer"
    wait_until(lambda: said(misplaced, place), "it is said")
    assert len(said(misplaced, place)) == 1


def test_a_response_that_is_forgotten_is_500(misplaced):
    answers = []
    waiting = threading.Thread(target=lambda: answers.append(get(misplaced, "/keep").status))
    waiting.start()

    def is_answered():
        assert get(misplaced, "/forget").status == 200
        return answers

    wait_until(is_answered, "it is answered")
    waiting.join()
    assert answers == [500]
    assert said(misplaced, "A Response was released without an answer")


def test_sessions_are_refused(misplaced):
    text = get(misplaced, "/session").text
    assert re.match(r"session_start\(\) gives all requests of a process one session, and cannot be called in a handler or a coroutine: keep ", text)


COROUTINES = ("sluice.coroutines=1", "sluice.coroutines=0")


@pytest.mark.parametrize("setting", COROUTINES)
@pytest.mark.parametrize("boot", ("", "yes"))
def test_what_is_written_to_a_session_is_forgotten(mode, setting, boot):
    with Server("misplaced.php", mode, settings=[setting], env={"BOOT": boot}) as server:
        outside = [None, boot == "yes", "set" if boot else None]
        begin = {"boot": "set"} if boot else {}
        assert get(server, "/read-session").json() == outside
        for user in ("anna", "ben"):
            assert get(server, f"/write-session?user={user}&us=0").json() == begin | {"user": user, "visits": 1}
            assert get(server, "/read-session").json() == outside, "the next one knows nothing of it"
        if setting == COROUTINES[0]:
            written = len(server.events("written"))
            seen = []
            waiting = [threading.Thread(target=lambda: seen.append(get(server, "/write-session?user=carl&us=300000").json())) for _ in range(3)]
            for thread in waiting:
                thread.start()
            wait_until(lambda: len(server.events("written")) == written + 3, "three wait in it")
            assert get(server, "/read-session").json() == outside, "nor does one beside it"
            assert get(server, "/write-session?user=dora&us=0").json() == begin | {"user": "dora", "visits": 1}
            for thread in waiting:
                thread.join()
            assert seen == [begin | {"user": "carl", "visits": 1}] * 3
            assert get(server, "/spawn-session").text == "spawned"
            assert get(server, "/read-session").json() == outside
            wait_until(lambda: said(server, "$_SESSION was written in a coroutine, and is forgotten"), "it is said")
        (line,) = said(server, "$_SESSION was written in the handler at ")
        assert f"misplaced.php:{line_of('http(address()')}" in line and "$request->cookie()" in line, line


def test_sessions_are_refused_without_coroutines(mode):
    with Server("misplaced.php", mode, settings=[COROUTINES[1]]) as server:
        assert "cannot be called in a handler" in get(server, "/session").text
