"""Real database servers from Debian's packages, for tests and benchmarks: each in a private folder, on a free port and a Unix
socket, as an unprivileged user, without anything of the machine's own configuration. They end with who started them.

    with MariaDb() as database:
        ...
        database.kill()    # at once, as when the machine fails
        database.restart()

The fixtures of these names are in conftest.py; there they live until the last test has run.
"""

import os
import shutil
import signal
import socket
import struct
import subprocess
import tempfile
from pathlib import Path

from harness import Process, all_processes, free_ports, wait_until

START_S = 120.0
# The user of servers that refuse to run as root.
UNPRIVILEGED = "nobody"


class Missing(Exception):
    """A program that Debian's package would have installed is not there."""


def program(name, package):
    path = shutil.which(name) or shutil.which(name, path="/usr/sbin:/usr/local/sbin")
    if not path:
        raise Missing(f"{name} is not installed (Debian: {package})")
    return path


class Database:
    """One server; a context, or start() and stop()."""

    name = "database"

    def __init__(self):
        self.folder = Path(tempfile.mkdtemp(prefix=f"sluice-{self.name}-"))
        self.data = self.folder / "data"
        self.socket = self.folder / "socket"
        self.port = free_ports(1)[0]
        self.process = None
        self.prepared = False
        self.data.mkdir()
        if os.getuid() == 0:
            for path in (self.folder, self.data):
                shutil.chown(path, UNPRIVILEGED, "nogroup")

    # --- what each kind of server says for itself ---

    def prepare(self):
        """Makes the folder's contents, once."""

    def command(self):
        raise NotImplementedError

    def answers(self):
        """Whether a client would be served now."""
        raise NotImplementedError

    def env(self):
        """What a PHP script needs to know."""
        return {f"{self.name.upper()}_PORT": str(self.port), f"{self.name.upper()}_SOCKET": str(self.socket)}

    # --- common to all kinds of servers ---

    def unprivileged(self, command):
        """The same command as another user than root, ending with this process."""
        words = ["setpriv", "--pdeathsig", "KILL"]
        if os.getuid() == 0:
            words += ["--reuid", UNPRIVILEGED, "--regid", "nogroup", "--clear-groups"]
        return [*words, *map(str, command)]

    def run(self, command):
        """A command that prepares something."""
        done = subprocess.run(self.unprivileged(command), cwd=self.folder, stdin=subprocess.DEVNULL, text=True,
                              env=self.environment(), stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
        assert done.returncode == 0, f"{command[0]} ended with {done.returncode}\n{done.stdout}"

    def environment(self):
        return os.environ | {"HOME": str(self.folder), "LC_ALL": "C", "TMPDIR": str(self.folder)}

    def start(self):
        if not self.prepared:
            self.prepare()
            self.prepared = True
        with open(self.folder / "log", "ab") as log:
            self.process = subprocess.Popen(self.unprivileged(self.command()), cwd=self.folder, stdin=subprocess.DEVNULL,
                                            env=self.environment(), stdout=log, stderr=log, start_new_session=True)

        def is_up():
            assert self.process.poll() is None, f"{self.name} ended with {self.process.returncode}\n{self.log()}"
            try:
                return self.answers()
            except OSError:
                return False

        try:
            wait_until(is_up, f"{self.name} answers", START_S)
        except BaseException:
            self.end()
            raise
        return self

    def log(self):
        path = self.folder / "log"
        return path.read_text(errors="replace") if path.exists() else ""

    def family(self):
        """The server's processes."""
        parents = {process.pid: process.parent() for process in all_processes()}
        found = {self.process.pid}
        while more := {pid for pid, parent in parents.items() if parent in found} - found:
            found |= more
        return found

    def kill(self):
        """Kills at once: connections break off, data must be recovered. Returns when none of its processes is left,
        for a server does not start while an old one's hold its memory."""
        self.process.send_signal(signal.SIGSTOP)  # it might have another child meanwhile
        family = [Process(pid) for pid in self.family()]
        for process in family:
            try:
                os.kill(process.pid, signal.SIGKILL)
            except ProcessLookupError:
                pass
        self.process.wait()
        wait_until(lambda: not any(process.is_alive() for process in family), f"all of {self.name} has ended", START_S)

    def pause(self):
        """Connections stay, and nobody answers any more: a server that stalls."""
        for pid in self.family():
            os.kill(pid, signal.SIGSTOP)

    def resume(self):
        for pid in self.family():
            os.kill(pid, signal.SIGCONT)

    def restart(self):
        """After kill(): starts again with the old data at the old address."""
        if self.process.poll() is None:
            self.kill()
        return self.start()

    def end(self):
        if self.process is not None and self.process.poll() is None:
            self.kill()  # there is nothing here worth a tidy end

    def stop(self):
        self.end()
        shutil.rmtree(self.folder, ignore_errors=True)

    def __enter__(self):
        try:
            return self.start()
        except BaseException:
            shutil.rmtree(self.folder, ignore_errors=True)
            raise

    def __exit__(self, *_):
        self.stop()

    def connect(self):
        return socket.create_connection(("127.0.0.1", self.port), timeout=5)


class MariaDb(Database):
    """User `sluice` with the password `secret`, who may do everything; an empty database `test`."""

    name = "mariadb"

    def prepare(self):
        self.run([program("mariadb-install-db", "mariadb-server-core"), "--no-defaults", f"--datadir={self.data}",
                  "--skip-test-db", "--auth-root-authentication-method=normal", "--skip-name-resolve"])
        (self.folder / "init.sql").write_text(
            "CREATE DATABASE IF NOT EXISTS test;\n"
            "CREATE USER IF NOT EXISTS sluice@'%' IDENTIFIED BY 'secret';\n"
            "CREATE USER IF NOT EXISTS sluice@localhost IDENTIFIED BY 'secret';\n"
            "GRANT ALL ON *.* TO sluice@'%' WITH GRANT OPTION;\nGRANT ALL ON *.* TO sluice@localhost WITH GRANT OPTION;\n")
        (self.folder / "init.sql").chmod(0o644)

    def command(self):
        # The log goes to the kernel with each commit: what was committed is there after a kill(), if not after a power cut.
        return [program("mariadbd", "mariadb-server-core"), "--no-defaults", f"--datadir={self.data}",
                f"--socket={self.socket}", f"--port={self.port}", "--bind-address=127.0.0.1",
                f"--pid-file={self.folder}/pid", f"--init-file={self.folder}/init.sql", f"--tmpdir={self.folder}",
                "--skip-name-resolve", "--max-connections=400", "--max-connect-errors=1000000", "--back-log=500",
                "--innodb-buffer-pool-size=32M", "--innodb-log-file-size=16M", "--innodb-flush-log-at-trx-commit=2",
                "--innodb-doublewrite=0", "--skip-log-bin", "--performance-schema=OFF", "--skip-slave-start"]

    def execute(self, statements):
        """As the user `sluice`; returns what is selected, a line for each row."""
        done = subprocess.run([program("mariadb", "mariadb-client-core"), "--no-defaults", "-N", f"--socket={self.socket}", "-usluice", "-psecret", "-e", statements],
                              capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
        return done.stdout

    def answers(self):
        with self.connect() as client:
            greeting = client.recv(5)
            return len(greeting) == 5 and greeting[4] == 10  # the protocol's version, not an error


class PostgreSql(Database):
    """User and database `postgres`, without a password."""

    name = "postgresql"

    def __init__(self):
        super().__init__()
        self.socket = self.folder / f".s.PGSQL.{self.port}"

    @staticmethod
    def binary(name):
        folders = sorted(Path("/usr/lib/postgresql").glob("*/bin"), key=lambda path: int(path.parent.name), reverse=True)
        for folder in folders:
            if (folder / name).exists():
                return folder / name
        return program(name, "postgresql")

    def prepare(self):
        self.run([self.binary("initdb"), "-D", self.data, "-A", "trust", "-U", "postgres", "-E", "UTF8", "--locale=C",
                  "--no-sync", "--no-instructions"])

    def command(self):
        settings = {"fsync": "off", "max_connections": 400, "shared_buffers": "32MB", "listen_addresses": "127.0.0.1",
                    "unix_socket_directories": self.folder, "autovacuum": "off"}
        return [self.binary("postgres"), "-D", self.data, "-p", self.port,
                *(word for name, value in settings.items() for word in ("-c", f"{name}={value}"))]

    def answers(self):
        with self.connect() as client:
            parameters = b"user\0postgres\0database\0postgres\0\0"
            client.sendall(struct.pack("!II", 8 + len(parameters), 196608) + parameters)
            return client.recv(1) == b"R"  # may go on; while it starts it says E


class Redis(Database):
    name = "redis"

    def command(self):
        return [program("redis-server", "redis-server"), "--bind", "127.0.0.1", "--port", self.port, "--unixsocket",
                self.socket, "--save", "", "--appendonly", "no", "--dir", self.data, "--daemonize", "no", "--databases", 16]

    def answers(self):
        with self.connect() as client:
            client.sendall(b"PING\r\n")
            return client.recv(7) == b"+PONG\r\n"


class RedisCluster(Redis):
    """One node that has all slots."""

    name = "rediscluster"

    def command(self):
        return [*super().command(), "--cluster-enabled", "yes", "--cluster-announce-ip", "127.0.0.1", "--cluster-port", free_ports(1)[0],
                "--cluster-config-file", self.data / "nodes.conf"]

    def answers(self):
        with self.connect() as client:
            client.sendall(b"CLUSTER ADDSLOTSRANGE 0 16383\r\nCLUSTER INFO\r\n")
            return b"cluster_state:ok" in client.recv(4096)


class Memcached(Database):
    name = "memcached"

    def command(self):
        return [program("memcached", "memcached"), "-l", "127.0.0.1", "-p", self.port, "-U", 0, "-m", 64, "-c", 1024, "-t", 2]

    def answers(self):
        with self.connect() as client:
            client.sendall(b"version\r\n")
            return client.recv(7) == b"VERSION"


SERVERS = (MariaDb, PostgreSql, Redis, Memcached)
