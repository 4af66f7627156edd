"""Worker::replace(): another worker takes the place of the one that asks, which ends what it has begun."""

import pytest

from harness import MODES, Server, wait_until
from http_client import get


@pytest.mark.parametrize("mode", MODES)
def test_another_worker_takes_over_without_a_lost_request(mode):
    with Server("replace.php", mode, announces=False) as server:
        before = get(server, "/").text
        assert get(server, "/replace").text == f"{before} ended"
        wait_until(lambda: get(server, "/").text != before, "another worker answers")
        assert server.output().count("has called Worker::replace()") == 1
