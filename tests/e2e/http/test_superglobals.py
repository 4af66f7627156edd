"""Code that reads superglobals in a handler, where they are empty, is told in the log: while it runs, or at the start where PHP has the JIT."""

import pytest

from harness import SERVERS, Server, wait_until
from http_client import get

FOLDER = SERVERS / "superglobals"
CACHE = ("opcache.enable_cli=1",)
NO_COROUTINES = ("sluice.coroutines=0",)
JIT = CACHE + ("opcache.jit=tracing", "opcache.jit_buffer_size=32M", "opcache.jit_hot_func=2", "opcache.jit_hot_loop=2")

# What reads there: the variable, a part of its line, the file.
BY_NAME = {
    "/own": ("_GET", "'x is '"),
    "/form": ("_POST", "$form = fn"),
    "/by-function": ("_COOKIE", "return $_COOKIE[$name]"),
    "/by-method": ("_REQUEST", "return $_REQUEST"),
    "/by-static": ("_FILES", "count($_FILES)"),
}
READS = BY_NAME | {
    "/form-again": BY_NAME["/form"],
    "/object": ("_GET", "$_GET['visitor']"),
    "/static": ("_POST", "isset($_POST[$name])"),
    "/magic": ("_COOKIE", "magic $name"),
    "/callback": ("_COOKIE", "magic $name"),
    "/loaded": ("_COOKIE", "$_COOKIE['loaded']", FOLDER / "Loaded.php"),
    "/parent": ("_GET", "$_GET['number']", FOLDER / "Loaded.php"),
    "/included": ("_POST", "$_POST['included']", FOLDER / "included.php"),
    "/generator": ("_GET", "$_GET['yielded']"),
    "/empty": ("_POST", "empty($_POST)"),
    "/whole": ("_GET", "array_merge($_GET"),
    "/argument": ("_REQUEST", "array_filter($_REQUEST"),
    "/method-argument": ("_COOKIE", "ArrayIterator($_COOKIE)"),
    "/each": ("_FILES", "foreach ($_FILES"),
    "/extract": ("_GET", "extract($_GET)"),
    "/globals": ("_GET", "$GLOBALS['_GET']"),
    "/fiber": ("_POST", "$_POST['fiber']"),
    # The last of $_POST: once there is a reference, the variable is the application's.
    "/each-by-reference": ("_POST", "foreach ($_POST as &"),
}
OF_COROUTINES = {
    "/spawned": ("_GET", "$_GET['spawned']"),
    "/later": ("_POST", "$_POST['later']"),
}
INSTEAD = {"_GET": "query()", "_POST": "form()", "_COOKIE": "cookie()", "_FILES": "files()", "_REQUEST": "query() or form()"}


def place(text, file=SERVERS / "superglobals.php"):
    (line,) = [number for number, line in enumerate(file.read_text().splitlines(), 1) if text in line]
    return f"{file}:{line}"


def told(server):
    return [line for line in server.output().splitlines() if "which is empty in a handler" in line]


@pytest.mark.parametrize("settings", [(), CACHE, NO_COROUTINES], ids=["plain", "cached", "no-coroutines"])
def test_each_place_is_told_once_when_it_reads(mode, settings):
    reads = READS if settings == NO_COROUTINES else OF_COROUTINES | READS
    with Server("superglobals.php", mode, settings=settings) as server:
        assert told(server) == []
        for path, (name, *where) in reads.items():
            what = f"the code at {place(*where)} reads ${name}, which is empty in a handler: use $request->{INSTEAD[name]}, or the option classic"
            for _ in range(2):
                assert get(server, path).status == 200
            wait_until(lambda: any(what in line for line in told(server)), f"{path} is told")
        assert len(told(server)) == len({place(*where) for _, *where in reads.values()}), told(server)


@pytest.mark.parametrize("settings", [(), NO_COROUTINES], ids=["plain", "no-coroutines"])
def test_what_is_no_misreading_is_not_told(mode, settings):
    with Server("superglobals.php", mode, settings=settings) as server:
        assert get(server, "/?of_script=1").text == "1"
        assert get(server, "/?").text == "script"
        assert get(server, "/classic").text == "classic"
        assert get(server, "/process").text == "process"
        assert get(server, "/is-set").json() is True
        assert get(server, "/server").status == 200
        assert get(server, "/timer").status == 200
        wait_until(lambda: server.events("timer"), "the timer has fired")
        # What the application has filled is its own, also when a request leaves it empty.
        assert get(server, "/sets-request").json() == [None]
        assert get(server, "/sets-request?only=1").json() == ["1"]
        assert get(server, "/appends").json() == "baked"
        assert get(server, "/parses?a=b").json() == ["b", None]
        assert get(server, "/parses").json() == [None, None]
        assert get(server, "/sets?set=1").json() == ["1", "1"]
        assert get(server, "/sets").json() == [None, None]
        assert told(server) == []


def test_with_the_jit_handlers_are_looked_at_at_the_start(mode):
    """PHP has no JIT where code is watched while it runs."""
    with Server("superglobals.php", mode, workers=2, settings=JIT) as server:
        lines = told(server)
        assert get(server, "/object").status == 200
        assert get(server, "/jit").json()["on"] is True
        assert "JIT is incompatible" not in server.output()
        handlers = {"/own": None, "/form": None, "/by-function": "'/by-function'", "/by-method": "function show", "/by-static": "'/by-static'"}
        for path, (name, where) in BY_NAME.items():
            at = f"reads ${name}, " if not handlers[path] else f"reads ${name} at {place(where)}, "
            what = f"the handler at {place(handlers[path] or where)} {at}which is empty in a handler: use $request->{INSTEAD[name]}, or"
            assert any(what in line for line in lines), (what, lines)
        assert len(lines) == len(BY_NAME) and told(server) == lines


@pytest.mark.parametrize("jit, may_be_on", [("0", True), ("off", True), ("disable", False)])
def test_a_jit_that_is_off_is_not_complained_of(mode, jit, may_be_on):
    settings = CACHE + (f"opcache.jit={jit}", "opcache.jit_buffer_size=32M")
    with Server("superglobals.php", mode, settings=settings) as server:
        assert get(server, "/object").status == 200
        assert get(server, "/jit").json()["on"] is False
        assert "JIT is incompatible" not in server.output()
        assert any(place("$_GET['visitor']") in line for line in told(server)) is not may_be_on
