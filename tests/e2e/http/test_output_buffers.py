"""Output buffers that code leaves open, also those that it may not remove, end once: with a page as in php-fpm, otherwise with who has begun them."""

import gzip
import re

import pytest

from harness import SERVERS, Server, wait_until
from http_client import get
from php_fpm import NoFpm, PhpFpm

PAGE = SERVERS / "classic" / "buffers.php"
# Those that are not as in php-fpm have tests of their own.
CASES = re.findall(r"case '(.+?)'", PAGE.read_text().partition("// These are not")[0])
ACCEPTS = [("Accept-Encoding", "gzip")]
# What the log may have of all cases; of a loop it had megabytes each second.
MOST_LOGGED = 20_000


def seen_in(response):
    body = response.body
    encoding = response.header("Content-Encoding") or None
    if encoding == "gzip" and body[:2] == b"\x1f\x8b":
        body = gzip.decompress(body)
    return response.status, encoding, response.header("Vary") or None, response.header("X-Late") or None, response.header("Location") or None, body


def page(server, case, headers=ACCEPTS, more=""):
    return get(server, f"/buffers.php?case={case}{more}", headers=headers)


@pytest.fixture(scope="module", params=("", "zlib.output_compression=1", "output_handler=ob_gzhandler"))
def php_fpm(request):
    try:
        with PhpFpm(PAGE, ("output_buffering=65536", "display_errors=0", *filter(None, [request.param]))) as fpm:
            yield request.param, fpm
    except NoFpm as missing:
        pytest.skip(str(missing))


@pytest.mark.parametrize("place", ("coroutines", "no coroutines", "processes"))
def test_pages_end_as_in_php_fpm(mode, php_fpm, place):
    setting, fpm = php_fpm
    settings = (*filter(None, [setting]), f"sluice.coroutines={int(place == 'coroutines')}")
    with Server("output_buffers.php", mode, settings=settings, env={"PROCESSES": "2"} if place == "processes" else {}) as server:
        workers = server.worker_pids()
        for case in CASES:
            if case == "gzip-set" and setting:  # php-fpm refuses that, or ends with a fatal error
                continue
            here, there = seen_in(page(server, case)), seen_in(fpm.get(f"case={case}", ACCEPTS))
            # A compressed page of nothing; php-fpm does not come to compress it.
            if case == "callback-exits" and setting:
                here = here[:1] + (None, None) + here[3:]
            # From PHP 8.4 on php-fpm sends the head at flush(), before zlib's buffer has come to its field.
            if case == "fixed-flush" and there[1] is None:
                here = here[:1] + (None, None) + here[3:]
                there = there[:1] + (None, None) + there[3:]
            assert here == there, case
            # The next one is not compressed because this one was, and has no buffer of it.
            assert seen_in(page(server, "level", ())) == seen_in(fpm.get("case=level")), case
        assert server.worker_pids() == workers
        assert len(server.output()) < MOST_LOGGED, server.output()
        assert server.output().count("BUFFERED AT THE BOOT") == 1


@pytest.mark.parametrize("coroutines", (1, 0))
def test_what_is_not_as_in_php_fpm(mode, coroutines):
    with Server("output_buffers.php", mode, settings=(f"sluice.coroutines={coroutines}",)) as server:
        for case in ("throws", "throws", "callback-throws"):
            response = page(server, case)
            assert response.status == 500 and "handled" not in response.text and not response.header("Content-Encoding")
            assert page(server, "destructor-in-array").text == "[LEFT:9]destroyed"
            # It would be garbage behind what was compressed.
            assert seen_in(page(server, "destructor-in-array", more="&gzip=1"))[-1] == b"left"
            assert not coroutines or page(server, "child").text == "[OF A CHILD, :9][OF ANOTHER:9]"
            assert page(server, "level", ()).json()[0] == 1
        assert server.output().count("RuntimeException: of the callback") == 1
        assert "never seen" not in server.output() and len(server.output()) < MOST_LOGGED


def test_a_loop_of_the_page_does_not_fill_the_log(mode):
    with Server("output_buffers.php", mode) as server:
        assert seen_in(page(server, "loops"))[-1] == b"1"
        assert "is left out for the rest of it" in server.output()
        # Some seconds at most, with a hundred messages each.
        assert server.output().count("PHP Notice:  ob_end_clean(): Failed to discard buffer of ob_gzhandler") < 3000


@pytest.mark.parametrize("coroutines", (1, 0))
def test_buffers_of_handlers_end_with_them(mode, coroutines):
    def ended(where):
        return [(event["text"], event["flags"]) for event in server.events("ended") if event["where"] == where]

    with Server("output_buffers.php", mode, settings=(f"sluice.coroutines={coroutines}",)) as server:
        for times in range(1, 3):
            assert get(server, "/leave/handler").text == "0"
            assert get(server, "/timer").text == "0"
            assert not coroutines or get(server, "/child").text == "nothing, 0"
            assert get(server, "/leave-and-throw").status == 500
            for where in ("handler", "a timer", "a handler that throws", *(["a child"] if coroutines else [])):
                # START and FINAL.
                wait_until(lambda: ended(where) == [("outer (inner)", 9)] * times, f"the buffers of {where} have ended")
        assert ended("onWorkerStart") == [("outer (inner)", 9)]
        assert get(server, "/leave/failing?how=throw").text == "0"
        assert get(server, "/timer?how=throw").text == "0"
        assert not coroutines or get(server, "/child?how=throw").text == "of the buffer of a child, 0"
        for where in ("failing", "a timer"):
            wait_until(lambda: f"LogicException: of the buffer of {where}" in server.output(), f"the exception of {where} is in the log")
        assert get(server, "/leave/last").text == "0"
        assert len(server.events("start")) == 1 and len(server.output()) < MOST_LOGGED


def test_capture_takes_what_is_left_open(mode):
    with Server("output_buffers.php", mode) as server:
        for _ in range(2):
            assert get(server, "/capture").text == "aB"
            assert get(server, "/capture?how=throw").status == 500
            assert get(server, "/leave/next").text == "0"
        assert len(server.output()) < MOST_LOGGED
