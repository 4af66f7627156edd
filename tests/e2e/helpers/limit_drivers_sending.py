"""Drivers of the limits on what is sent, of those who subscribe to it, and of the time that calls take."""

import json

from harness import Server, wait_until
from http_client import format_request, get
from limit_drivers import KIB, MIB, Client, driver, stats
from websocket_client import TEXT, RawWebSocket, frame, handshake


def waits(server, count, size):
    """What came of a flood that waits for its client: the most that was queued, and how much was when it had waited."""
    with RawWebSocket(server, "/waits", receive_buffer=4096) as client:
        client.send(frame(TEXT, b"flood %d %d" % (count, size)))
        server.wait_event("flooding")
        for number in range(count):
            if number % 20 == 0:
                get(server, "/turn")  # it waits, or nobody would be served
            assert client.read_frame()[2] == str(number).encode().ljust(size, b".")
        told = server.wait_event("flooded")
    assert told["delivered"] == count and told["waits"] > 0, told
    return told


@driver("highWaterBytes", highWaterBytes=512 * KIB, lowWaterBytes=64 * KIB)
def drive_high_water_bytes(server):
    told = waits(server, 2000, 16 * KIB)
    assert 448 * KIB < told["most"] <= 544 * KIB, told


@driver("lowWaterBytes", highWaterBytes=512 * KIB, lowWaterBytes=64 * KIB)
def drive_low_water_bytes(server):
    told = waits(server, 2000, 16 * KIB)
    assert told["woken"] <= 96 * KIB, told


@driver("subscriptions", subscriptions=3)
def drive_subscriptions(server):
    def subscribe(*topics):
        client.send(frame(TEXT, "\n".join(topics).encode()))
        answer = json.loads(client.read_frame()[2])
        return answer["made"], answer["topics"]

    with RawWebSocket(server, "/topics") as client:
        for number in range(3):
            assert subscribe(f"topic {number}") == (["Sent"], number + 1)
        assert subscribe("one more") == (["Dropped"], 3)
    with RawWebSocket(server, "/topics") as client:
        made, topics = subscribe(*(f"topic {number}" for number in range(50)))
        assert topics == 3 and set(made) <= {"Sent", "Dropped"}
        if made.count("Sent") > 3:
            wait_until(lambda: "(subscriptions: 3)" in server.output(), "the log tells of those that were on their way")


@driver("subscriptionBytes", subscriptionBytes=64 * KIB, subscriptions=65_535)
def drive_subscription_bytes(server):
    """One address takes what it can; there is something for another one, and all is given back."""
    with RawWebSocket(server, "/topics") as client:
        topics = 0
        made = ["Sent"]
        while "Dropped" not in made:
            client.send(frame(TEXT, "\n".join(f"topic {topics + number}" for number in range(20)).encode()))
            answer = json.loads(client.read_frame()[2])
            made, topics = answer["made"], answer["topics"]
            assert topics < 1000
        wait_until(lambda: 50 * KIB < stats(server)["subscriptionBytes"] <= 64 * KIB, "what they take is counted")
        with Client(server, host=2) as other:
            other.send(handshake("/topics"))
            assert other.read().status == 101
            other.send(frame(TEXT, b"one more"))
            assert other.take_until(b"}").endswith(b'{"made":["Sent"],"topics":1')
    wait_until(lambda: stats(server)["subscriptionBytes"] == 0, "all is given back")


@driver("writeBytesPerSecond", writeSeconds=2.0, writeBytesPerSecond=1024 * MIB, queuedBytes=64 * MIB, outBytes=256 * MIB)
def drive_write_bytes_per_second(server):
    with RawWebSocket(server, "/ws") as client:
        client.send(frame(TEXT, b"flood 16 %d" % MIB))
        for number in range(16):
            assert len(client.read_frame()[2]) == MIB
    with RawWebSocket(server, "/ws", receive_buffer=64 * KIB) as client:
        client.send(frame(TEXT, b"flood 40 %d" % MIB))
        taken = 0

        def sip():
            nonlocal taken
            taken += len(client.socket.recv(32 * KIB))
            return stats(server)["connections"] == 1

        wait_until(sip, "it is closed, though it always takes something")
        assert taken + len(client.take_all()) < 40 * MIB


@driver("stallSeconds", stallSeconds=0.2)
def drive_stall_seconds(server):
    assert get(server, "/sleep?seconds=0.5").status == 200
    assert stats(server)["stalls"] == 0, "who waits holds nobody up"
    go = server.folder / "go"
    with Client(server) as client:
        client.send(format_request(f"/hold?until={go}"))
        wait_until(lambda: "(stallSeconds). It stands in" in server.output(), "the log says where it stands")
        go.touch()
        assert client.read().text == "let go"
    wait_until(lambda: "that held up all other coroutines has ended" in server.output(), "the log says when it was over")
    assert "limits.php" in server.output()
    assert stats(server)["stalls"] == 1
    with Server("limits.php", server.mode, ports=4, env={"LIMITS": '{"stallSeconds": 0}'}) as own:
        go = own.folder / "go"
        with Client(own) as client:
            client.send(format_request(f"/hold?until={go}"))
            own.wait_event("holds")
            wait_until(lambda: "(stallSeconds)" in server.output(), "another server would have told by now")
            go.touch()
            assert client.read().text == "let go"
        assert stats(own)["stalls"] == 0
