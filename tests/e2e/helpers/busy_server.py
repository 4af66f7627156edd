"""servers/busy.php with a client for each kind of work, over and over, and what is right at the end: nothing is lost in silence, done
twice or left behind."""

import collections
import os
import re
import signal

from busy_http import http_clients
from busy_messages import TickClient, message_clients
from certificates import Certificates
from harness import Server, wait_until
from http_client import get

# As CompressionContexts counts one with a window of 15 bits.
DEFLATER_BYTES = 264 * 1024
# Those of its service.
TICKERS = 4
# Master, generation, two workers; in process mode a reactor.
PROCESSES = {"process": 5 + TICKERS, "base": 4 + TICKERS}
# Of those that handle one request each, these wait for it (Http\Options::$processes).
PROCESSES_AHEAD = 2
# The type of a socket in /proc/net/unix: SOCK_SEQPACKET.
SEQPACKET = "0005"


def busy_server(mode, folder, **options):
    """busy.php; what it keeps is in the folder."""
    (folder / "begun").touch()
    certificates = Certificates(folder)
    certificates.make("busy", "test.example", "127.0.0.1")
    env = {"BEGUN": str(folder / "begun"), "CERTIFICATE": certificates.path("busy"), "TICKERS": str(TICKERS)} | options.pop("env", {})
    return Server("busy.php", mode, workers=2, ports=5, env=env, **options)


def has_its_processes(server):
    ahead = [process for process in server.processes() if "request process" in process.title()]
    return len(server.processes()) - len(ahead) == PROCESSES[server.mode] and len(ahead) <= PROCESSES_AHEAD


def reload(server):
    """Reloads, and waits until the old workers have gone."""
    starts = len(server.events("start"))
    server.signal(signal.SIGHUP)
    wait_until(lambda: len(server.events("start")) >= starts + 2 and has_its_processes(server), "it has reloaded")


def lasting(server):
    """The processes that live as long as the server."""
    return {"master": server.process.pid} | ({"reactor": server.reactor().pid} if server.mode == "process" else {})


def descriptors(server):
    """How many of each kind each process has; workers, which come and go, at most."""
    counts = {name: descriptors_of(pid) for name, pid in lasting(server).items()}
    worker = collections.Counter()
    for pid in server.worker_pids():
        worker |= descriptors_of(pid)
    return counts | {"worker": worker}


def descriptors_of(pid):
    return collections.Counter(re.sub(r"\d+", "", link) for link in links_of(pid))


def links_of(pid):
    for link in os.listdir(f"/proc/{pid}/fd"):
        try:
            yield os.readlink(f"/proc/{pid}/fd/{link}")
        except FileNotFoundError:
            pass  # closed meanwhile


def channels_of(pid):
    """How many sockets of its own kind it has to other processes of the server."""
    with open("/proc/net/unix") as table:
        inodes = {columns[6] for columns in map(str.split, table) if columns[4] == SEQPACKET}
    return sum(link.removeprefix("socket:[").removesuffix("]") in inodes for link in links_of(pid))


def all_are_connected(server):
    """Whether the reactor has its channels to the master, both workers and the service, so that its descriptors are all there."""
    return server.mode == "base" or channels_of(server.reactor().pid) == 1 + 2 + TICKERS


class BusyServer:
    """The clients of one server, and what is right at the end."""

    def __init__(self, server):
        self.server, self.begun_file = server, server.extra_env["BEGUN"]
        reload(server)
        get(server, "/version")
        wait_until(lambda: all_are_connected(server), "each process has its channel")
        self.descriptors = descriptors(server)
        self.clients = http_clients(server) + message_clients(server)
        for client in self.clients:
            client.connection_may_end = server.mode == "base"
            client.start()

    def check(self):
        """While they work."""
        assert self.server.process.poll() is None, "the server has ended"
        for client in self.clients:
            if client.error:
                raise client.error

    def rounds(self):
        return [client.rounds for client in self.clients]

    def has_done(self, count, since):
        """Whether each client has done that many pieces of work since `since`, what rounds() said then."""
        self.check()
        return all(now - before >= count for now, before in zip(self.rounds(), since))

    def lost(self):
        return sum(len(client.lost) for client in self.clients)

    def begun(self):
        """By number: the workers that have begun it."""
        begun = collections.defaultdict(list)
        with open(self.begun_file) as lines:
            for line in lines:
                number, worker = line.split()
                begun[number].append(worker)
        return begun

    def broken_off(self):
        """What a worker had begun, and has no whole answer, though its connection did not have to end."""
        begun = self.begun()
        clients = [client for client in self.clients if not (client.connection_may_end and client.is_tied)]
        return [number for client in clients for number in client.lost if number in begun]

    def finish(self):
        for client in self.clients:
            client.stopped = True
        for client in self.clients:
            client.join()
        self.check()
        begun = self.begun()
        for client in self.clients:
            client.lost += [number for number in client.dropped if number in begun]
            print(f"{client.what}: {len(client.answered)} answered, {len(client.lost)} lost with a worker")
        doubled = {number: workers for number, workers in begun.items() if len(workers) > 1}
        assert not doubled, f"begun more than once, and by whom: {doubled}"
        for client in self.clients:
            assert client.answered, f"{client.what} has no answer"
            never = [number for number in client.answered if number not in begun]
            assert not never, f"answered and never begun: {never}"
            client.finish()
        self.check_counts(begun)
        try:
            wait_until(self.is_as_new, "nothing is left of what the clients did")
            wait_until(lambda: all(kinds <= self.descriptors[name] for name, kinds in descriptors(self.server).items()), "no descriptor is left")
        except AssertionError as error:
            raise AssertionError(f"{error}: {self.stats}, descriptors {descriptors(self.server)}, at first {self.descriptors}") from None

    def check_counts(self, begun):
        """What is shared by the workers has counted each answer, and nothing that was not begun."""
        def counted(numbers):
            return sum(number.startswith(("counted-", "process-")) for number in numbers)

        count = get(self.server, "/count").json()
        answered = counted(number for client in self.clients for number in client.answered)
        assert answered <= count["counted"] <= count["added"] <= counted(begun), (answered, count, counted(begun))
        # Who died before he removed his own has left it, and so has the process of a client that has gone.
        left = len(self.broken_off()) + sum(number.startswith("process-gone-") for number in begun)
        assert count["entries"] <= 2 + left, (count, left)
        self.check_ticks(begun, count["ticks"])

    def check_ticks(self, begun, count):
        """What processes of the service say they have done, they have done."""
        told = [number.removesuffix("-told") for number in begun if number.endswith("-told")]
        begun_by_now = [number for number in self.begun() if number.startswith("tick-") and not number.endswith("-told")]
        assert len(told) <= count <= len(begun_by_now), (len(told), count, len(begun_by_now))
        for client in self.clients:
            if isinstance(client, TickClient):
                assert not client.missed(told), f"published and not heard: {client.missed(told)}"

    def is_as_new(self):
        """But for what PHP keeps of the bodies that it was asked to keep, and the deflater that compressed publications of a reactor share.
        Each process of the service has one coroutine."""
        self.stats = stats = get(self.server, "/stats").json()
        gauges = ("subscriptionBytes", "attachedBytes", "queuedBytes", "temporaryFileBytes", "bodyStreams", "handshakes", "openFiles")
        held = [stats["coroutines"] - TICKERS, stats["services"] - TICKERS] + [stats[gauge] for gauge in gauges]
        reactors = self.server.workers if self.server.mode == "base" else self.server.reactors
        deflaters = [count * DEFLATER_BYTES for count in range(reactors + 1)]
        return stats["connections"] == 1 and not any(held) and stats["arenaBytes"] == stats["lentBytes"] and stats["compressionBytes"] in deflaters
