"""Extensions of which nobody knows what they keep in the process: their calls do not suspend. Each with the real extension, of Debian."""

import os
import socketserver
import struct
import subprocess
import threading

import pytest

from debian_extensions import loaded_with
from harness import DEADLINE_S, php_command

IN_COROUTINES = "Sluice\\Coroutine\\run(function (): void { $jobs = []; for ($i = 0; $i < 20; ++$i) { $jobs[] = function () use ($i) { %s }; } " \
    "$wrong = array_filter(Sluice\\Coroutine\\all(...$jobs)); echo count($wrong), ' wrong'; });"


def php(extension, script, **env):
    options, needed = loaded_with(extension)
    command, own = php_command()
    done = subprocess.run([*command, *options, "-r", script], env=os.environ | own | needed | env, capture_output=True, text=True, timeout=DEADLINE_S, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done


@pytest.mark.parametrize("name", ["Vector", "Deque"])
def test_ds_compares_by_each_calls_own_function(name):
    done = php("ds", IN_COROUTINES % f"$sign = $i % 2 ? 1 : -1; $items = new Ds\\{name}(range(1, 20));"
               "$items->sort(function ($a, $b) use ($sign) { usleep(10); return $sign * ($a <=> $b); });"
               "return $items->toArray() !== ($i % 2 ? range(1, 20) : range(20, 1, -1));")
    assert done.stdout == "0 wrong"


def test_zmq_sockets_are_not_shared_by_their_names():
    done = php("zmq", IN_COROUTINES % "$socket = $i % 2 ? new ZMQSocket(new ZMQContext(), ZMQ::SOCKET_REQ, 'one') : (new ZMQContext())->getSocket(ZMQ::SOCKET_REQ, 'one');"
               "return $socket->getPersistentId() !== null;")
    assert done.stdout == "0 wrong"
    assert "ZMQSocket" in done.stderr


def test_imagick_goes_on_while_its_callback_would_wait():
    done = php("imagick", IN_COROUTINES % "$image = new Imagick(); $image->newImage(40, 40, 'white'); $calls = 0;"
               "$image->setProgressMonitor(function () use (&$calls) { ++$calls; usleep(10); return true; });"
               "$image->blurImage(1, 1); return $calls === 0;", OMP_NUM_THREADS="2")
    assert done.stdout == "0 wrong"


class Mongo(socketserver.BaseRequestHandler):
    """As much of MongoDB's protocol as its driver needs for a command: each reply has the number of its request."""

    def handle(self):
        while head := self.request.recv(16, 0x100):  # MSG_WAITALL
            length, request, _, opcode = struct.unpack("<iiii", head)
            body = self.request.recv(length - 16, 0x100)
            at = body.find(b"\x10echo\0")
            number = struct.unpack_from("<i", body, at + 6)[0] if at >= 0 else 0
            fields = b"\x08ismaster\0\1" b"\x10minWireVersion\0\0\0\0\0" b"\x10maxWireVersion\0" + struct.pack("<i", 13) + \
                b"\x10maxBsonObjectSize\0" + struct.pack("<i", 1 << 24) + b"\x10maxMessageSizeBytes\0" + struct.pack("<i", 1 << 25) + \
                b"\x10maxWriteBatchSize\0" + struct.pack("<i", 1000) + b"\x10echo\0" + struct.pack("<i", number) + b"\x01ok\0" + struct.pack("<d", 1.0)
            document = struct.pack("<i", len(fields) + 5) + fields + b"\0"
            if opcode == 2013:
                reply, code = struct.pack("<i", 0) + b"\0" + document, 2013
            else:
                reply, code = struct.pack("<iqii", 8, 0, 0, 1) + document, 1
            self.request.sendall(struct.pack("<iiii", 16 + len(reply), 1, request, code) + reply)


@pytest.fixture
def mongo():
    with socketserver.ThreadingTCPServer(("127.0.0.1", 0), Mongo) as server:
        server.daemon_threads = True
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield server.server_address[1]
        server.shutdown()
        thread.join()


def test_managers_of_mongodb_share_a_client(mongo):
    done = php("mongodb", IN_COROUTINES % f"$manager = new MongoDB\\Driver\\Manager('mongodb://127.0.0.1:{mongo}');"
               "for ($n = 0; $n < 5; ++$n) { $wanted = $i * 100 + $n; $row = $manager->executeCommand('db', new MongoDB\\Driver\\Command(['echo' => $wanted]))->toArray()[0];"
               "if ($row->echo !== $wanted) { return true; } foreach ($manager->executeCommand('db', new MongoDB\\Driver\\Command(['echo' => $wanted])) as $row)"
               "{ if ($row->echo !== $wanted) { return true; } } usleep(10); } return false;")
    assert done.stdout == "0 wrong"
