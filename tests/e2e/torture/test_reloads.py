"""Reloads, one after the other, while clients do everything: no request fails, and in process mode no connection ends. In base
mode connections end between two requests."""

import json
import os
import signal

import pytest

from busy_server import BusyServer, busy_server
from harness import Process, free_ports, wait_until
from http_client import get

pytestmark = pytest.mark.slow

RELOADS = 100 if "SLUICE_TORTURE" in os.environ else 6
# Boots that fail, one with every second reload.
BROKEN = ["<?php this is not PHP", "<?php throw new RuntimeException('not today');", "<?php exit(3);"]


def test_reloads(mode, tmp_path):
    changes_file = tmp_path / "changes.php"
    port, = free_ports(1)

    def change(text):
        # The file is replaced at once, as deployments do, so that no process reads half of it.
        (tmp_path / "new").write_text(text)
        os.replace(tmp_path / "new", changes_file)

    def changed(number):
        """Each reload has another number and another class, every third one other limits, and a listener comes and goes."""
        limits = {"keepAliveSeconds": 60 + number, "headerFields": 90 + number} if number % 3 == 0 else {}
        return {"number": number, "limits": limits} | ({"port": port} if number % 2 else {})

    change("<?php return ['number' => 0];")
    with busy_server(mode, tmp_path, env={"CHANGES": str(changes_file)}) as server:
        busy = BusyServer(server)
        for number in range(1, RELOADS + 1):
            since = busy.rounds()
            wait_until(lambda: busy.has_done(1, since), "the clients go on")
            if number % 2 == 0:
                failed = server.output().count("the reload has failed")
                change(BROKEN[number // 2 % len(BROKEN)])
                server.signal(signal.SIGHUP)
                wait_until(lambda: server.output().count("the reload has failed") > failed, "the broken script is given up")
                assert get(server, "/version").json()["number"] == number - 1
            new, old = changed(number), server.worker_pids()
            change(f"<?php class Deployed {{ function number{number}() {{ return {number}; }} }} return json_decode('{json.dumps(new)}', true);")
            server.signal(signal.SIGHUP)
            wait_until(lambda: get(server, "/version").json()["number"] == number, "the new code answers")
            if mode == "process":  # elsewhere an old worker may still answer
                assert get(server, "/version").json()["methods"] == [f"number{number}"]
            if mode == "base":  # an old worker accepts clients until it has heard of the new ones
                wait_until(lambda: not any(Process(pid).is_alive() for pid in old), "the old workers have ended")
            if "port" in new:
                wait_until(lambda: server.accepts(port), "the new listener answers")
        busy.finish()
        assert busy.broken_off() == []
        # A datagram may find no room, and is not begun then.
        assert mode == "base" or not any(client.lost for client in busy.clients if client.what != "udp")
