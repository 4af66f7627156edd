"""examples/shop.php: a database and a slow service asked at the same time, by many requests of one worker."""

import tempfile
from pathlib import Path

import pytest

from harness import ROOT, Server
from http_client import HttpConnection, format_request

COUNT = 40


@pytest.mark.parametrize("database", ["sqlite", "mariadb"])
def test_many_are_served_at_once(database, request, capsys):
    env = {}
    if database == "mariadb":
        port = request.getfixturevalue("mariadb").port
        env = {"SHOP_DSN": f"mysql:host=127.0.0.1;dbname=test;port={port}", "SHOP_USER": "sluice", "SHOP_PASSWORD": "secret"}
    with tempfile.TemporaryDirectory() as folder:
        server = Server(ROOT / "examples" / "shop.php", announces=False, ports=2, env=env | {"TMPDIR": folder})
        server.arguments = [f"127.0.0.1:{port}" for port in server.ports]
        with server:
            connections = [HttpConnection(server.address) for _ in range(COUNT)]
            for connection in connections:
                connection.send(format_request("/"))
            answers = [connection.read().json() for connection in connections]
        expected = {
            "orders": [{"item": "tea", "euros": 7}, {"item": "teapot", "euros": 35}],
            "rates": {"dollar": 1.08, "yen": 163.2},
        }
        assert answers == [expected] * COUNT
        assert not list(Path(folder).iterdir()), "the example leaves a file behind"
