"""Callbacks of C functions that throw: the function goes on, as without Sluice, and its worker serves others meanwhile."""

import signal

import pytest

from harness import Server, wait_until
from http_client import HttpConnection, format_request, get


@pytest.fixture
def server(mode):
    with Server("throwing_callbacks.php", mode, workers=1, reactors=1) as server:
        yield server


@pytest.mark.parametrize("by", ["curl", "notification"])
def test_the_worker_serves_others_while_the_function_goes_on(server, by):
    with HttpConnection(server.address) as waiting:
        waiting.send(format_request(f"/{by}"))
        server.wait_event("thrown")
        assert get(server, "/").text == "alive"
        assert get(server, "/go").text == "gone"
        assert waiting.read().text == f"thrown by {by}"


def test_a_subscription_whose_callback_has_thrown_ends_with_its_client(mode, redis):
    with Server("throwing_callbacks.php", mode, workers=1, reactors=1, env=redis.env()) as server:
        with HttpConnection(server.address) as waiting:
            waiting.send(format_request("/subscribe"))
            server.wait_event("subscribes")
            wait_until(lambda: get(server, "/publish").text == "1", "there is a subscriber")
            server.wait_event("thrown")
            assert get(server, "/").text == "alive"
        wait_until(lambda: get(server, "/publish").text == "0", "the subscription has ended")


def test_who_waits_for_a_channel_does_not_hold_up_the_end(server):
    assert get(server, "/consumer").text == "it waits"
    server.signal(signal.SIGTERM)
    assert server.wait() == 0
    assert "has drained" not in server.output()
