"""Server::detectLeaks() names what requests leave behind in their worker, and says nothing of an application that leaves nothing."""

import pytest

from harness import SERVERS, Server, needs_memory_limit, wait_until
from http_client import HttpConnection, format_request, get
from websocket_client import RawWebSocket, frame

CACHE = ("opcache.enable_cli=1",)
JIT = ("opcache.jit=tracing", "opcache.jit_buffer_size=32M", "opcache.jit_hot_func=2", "opcache.jit_hot_loop=2")
SCRIPT = (SERVERS / "leaks.php").read_text().splitlines()

# By route: the kind of leak, a part of its place's name, and a part of the line that has made it; '': no line is told, or the place's name tells it.
PLANTED = {
    "static": ("value", "Cart::$items", "Cart::$items[] = 'item'"),
    "object": ("value", "Cart::$request", "Cart::$request = $request"),
    "function": ("value", "static $names of Sluice\\EndToEnd\\seen()", "$names[] = $name"),
    "method": ("value", "static $calls of Sluice\\EndToEnd\\Cart::count()", "return ++$calls"),
    "global": ("value", "$last", "$GLOBALS['last'] ="),
    "superglobal": ("value", "$_SERVER['USER_ID']", "$_SERVER['USER_ID'] ="),
    "bound": ("value", "$log->lines", "$log->lines[] ="),
    "setting": ("setting", "the setting precision", "ini_set('precision', ini_get"),
    "zone": ("setting", "the time zone", "date_default_timezone_set(date"),
    "autoloader": ("registration", "the autoloader", "spl_autoload_register("),
    "shutdown": ("registration", "shutdown functions", "register_shutdown_function(fn() => null)"),
    "descriptor": ("descriptor", "leaks.php", "$kept->files[] = fopen("),
    "transaction": ("transaction", "PDO->beginTransaction()", ""),
    "timer": ("timer", "active timers", "Timer::after("),
    "coroutine": ("coroutine", "coroutines", ""),
    "memory": ("memory", "memory", ""),
    "by-reference": ("value", "Cart::$items", "array_push(Cart::$items"),
    "counted": ("value", "Cart::$count", "Cart::$count += 1"),
    "nested": ("value", "->services['nested']->deep['a']['b']", "$service->deep['a']['b'][] ="),
    "storage": ("value", "->services['storage']", "->append('item')"),
    "bound-reference": ("value", "$seen", "{ $seen[] = 1; }"),
    "shared": ("value", "static $names of Sluice\\EndToEnd\\seen()", "$names[] = $name"),
}


@pytest.fixture
def server(mode):
    with Server("leaks.php", mode) as server:
        yield server


def told(server):
    return [line for line in server.output().splitlines() if " Leak: " in line]


def test_a_clean_application_is_not_told_of(server):
    with HttpConnection(server.address) as connection:
        for number in range(25):
            for path in ["/", "/clean/a", f"/clean/{number % 3}", "/clean-page"]:
                connection.send(format_request(path))
                assert connection.read().status == 200
    assert told(server) == []


def plants_and_is_told(server, route):
    kind, place, line = PLANTED[route]
    for _ in range(14):
        assert get(server, f"/leak/{route}").status == 200
    leaks = wait_until(lambda: [leak for leak in server.events("leak") if leak["request"] == f"GET /leak/{route}" and leak["kind"] == kind], "a leak is told")
    assert place in str(leaks[0]["place"])
    assert [leak["request"] for leak in leaks] == [f"GET /leak/{route}"]
    assert any(f"GET /leak/{route} leaves" in text and place in text for text in told(server))
    lines = [number for number, text in enumerate(SCRIPT, 1) if line and line in text]
    assert leaks[0]["at"] == "".join(f"{SERVERS / 'leaks.php'}:{number}" for number in lines)


# A coroutine that waits for ever has the whole of a drain at the server's end.
MARKS = {"memory": needs_memory_limit, "coroutine": pytest.mark.slow}


@pytest.mark.parametrize("route", [pytest.param(route, marks=MARKS.get(route, ())) for route in PLANTED])
def test_a_planted_leak_is_told(server, route):
    plants_and_is_told(server, route)


@pytest.mark.parametrize("settings", [CACHE, CACHE + JIT], ids=["cached", "jit"])
def test_the_place_is_known_with_the_opcode_cache(mode, settings):
    with Server("leaks.php", mode, settings=settings) as server:
        for route in ["static", "function", "nested", "setting"]:
            plants_and_is_told(server, route)


def test_a_jit_that_is_disabled_stays_so_without_a_word(mode):
    with Server("leaks.php", mode, settings=CACHE + ("opcache.jit=disable", "opcache.jit_buffer_size=32M")) as server:
        plants_and_is_told(server, "static")
        assert "opcache.jit" not in server.output()


def test_code_that_other_processes_would_run_is_refused(tmp_path):
    server = Server("leaks.php", "process", settings=CACHE + (f"opcache.file_cache={tmp_path}",)).launch()
    server.may_fail = True
    assert server.wait() == 255
    assert f"Leaks cannot be detected while opcache.file_cache is set ({tmp_path})" in server.output()


def test_code_in_a_protected_cache_is_left_as_it_is(mode):
    with Server("leaks.php", mode, settings=CACHE + ("opcache.protect_memory=1",)) as server:
        for _ in range(4):
            assert get(server, "/leak/static").status == 200
        assert server.wait_event("leak")["at"] == ""


def test_what_the_first_requests_make_is_no_leak(server):
    for _ in range(2):
        get(server, "/leak/static")
        get(server, "/leak/function")
    assert told(server) == []
    get(server, "/leak/static")
    wait_until(lambda: told(server), "the third one is told of")


def test_what_grows_by_ever_other_requests_is_told(server):
    for number in range(25):
        get(server, f"/each/{number}")
    wait_until(lambda: told(server), "a leak is told")
    assert len(told(server)) == 1 and "->services['pages']" in told(server)[0]


def test_messages_of_websockets_leave_things_too(server):
    socket = RawWebSocket(server, "/socket")
    for _ in range(4):
        socket.send(frame(1, b"leak"))
        assert socket.read_frame()[2] == b"leak"
    wait_until(lambda: told(server), "a leak is told")
    assert "Cart::$items" in told(server)[0]
    socket.close()


def test_places_may_be_left_out(mode):
    with Server("leaks.php", mode, env={"IGNORE": "*Cart::$item*"}) as server:
        for _ in range(4):
            get(server, "/leak/static")
            get(server, "/leak/function")
        wait_until(lambda: told(server), "the other leak is told")
        assert len(told(server)) == 1 and "seen()" in told(server)[0]


def test_one_request_at_a_time(server):
    """The worker handles one request at a time: one that waits for another would never end."""
    with HttpConnection(server.address) as first, HttpConnection(server.address) as second:
        first.send(format_request("/clean/first"))
        second.send(format_request("/clean/second"))
        assert first.read().status == 200 and second.read().status == 200
    assert told(server) == []


@pytest.mark.parametrize(("route", "place"), [
    ("public", 'the service "app.cart", ->items'),
    ("private", 'the service "App\\Cart", ->items'),
    ("laravel", 'the service "cart", ->items'),
    ("scalar", 'the service "path"'),
    ("replaced", 'the service "user"'),
    ("deep", 'the service "logger", ->log'),
    ("static", 'the service "last", ->items'),
    ("number", 'the service "7", ->items'),
])
def test_services_of_frameworks_have_their_ids(mode, route, place):
    """The containers of Symfony and Laravel are known by their classes; tests of the packages have the real ones."""
    with Server("leaks_containers.php", mode) as server:
        for _ in range(4):
            assert get(server, "/leak/ignored").status == 200
            assert get(server, f"/leak/{route}").status == 200
        leak = server.wait_event("leak")
        assert str(leak["place"]).startswith(place)
        assert [line for line in told(server) if place in line] and len(told(server)) == 1
