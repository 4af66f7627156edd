"""Servers that hold their answers back until as many clients wait for one as there are to be: who gets past such a gate has
waited together with the others. For test_suspends.py.

Real database servers stand behind a Proxy, which knows nothing of what goes through it. What Debian has no small server for -
FTP, LDAP, SSH, SOAP - is spoken here, as far as the calls of the table need it.
"""

import contextlib
import http.server
import os
import socket
import socketserver
import ssl
import threading
import time

ANSWER = b"answer"


class Gate:
    """Opens when `count` clients stand before it and the script has said that others ran meanwhile; or `patience_s` after the
    first has come."""

    def __init__(self, count, patience_s):
        self.count = count
        self.patience_s = patience_s
        self.deadline = None
        self.changed = threading.Condition()
        self.arrived = 0
        self.most = 0  # that stood here at once
        self.others_ran = False
        self.is_open = False

    def arrive(self):
        with self.changed:
            if self.is_open:
                return
            self.deadline = self.deadline or time.monotonic() + self.patience_s
            self.arrived += 1
            self.most = max(self.most, self.arrived)
            self._look()
            while not self.is_open:
                if not self.changed.wait(self.deadline - time.monotonic()):
                    self.is_open = True
                    self.changed.notify_all()
            self.arrived -= 1

    def hear_that_others_ran(self):
        with self.changed:
            self.others_ran = True
            self._look()

    def open(self):
        with self.changed:
            self.is_open = True
            self.changed.notify_all()

    def _look(self):
        if self.others_ran and self.arrived >= self.count:
            self.open()


class _Threads(socketserver.ThreadingTCPServer):
    allow_reuse_address = True
    daemon_threads = True
    block_on_close = False
    request_queue_size = 64

    def handle_error(self, request, client_address):
        """Clients go as they like."""


@contextlib.contextmanager
def serving(handle, server_class=_Threads):
    """Calls handle(socket) for each client, in a thread; gives the port."""
    class Handler(socketserver.BaseRequestHandler):
        def handle(self):
            with contextlib.suppress(OSError, EOFError):
                handle(self.request)

    with server_class(("127.0.0.1", 0), Handler) as server:
        threading.Thread(target=server.serve_forever, args=(0.05,), daemon=True).start()
        yield server.server_address[1]
        server.shutdown()


def proxy(upstream_port, gate, marker):
    """In front of another server. Holds back what that says: from the start when `marker` is None, else from where the client
    has said `marker` (in capitals or not)."""
    def handle(client):
        if marker is None:
            gate.arrive()
        held = threading.Event()
        with socket.create_connection(("127.0.0.1", upstream_port)) as upstream:
            answers = _Pump(upstream, client, gate, held)
            seen = b""
            try:
                while data := client.recv(65536):
                    if marker is not None and not held.is_set():
                        seen = (seen + data)[-65536:]
                        if marker.upper() in seen.upper():
                            held.set()
                    upstream.sendall(data)
            finally:
                with contextlib.suppress(OSError):
                    upstream.shutdown(socket.SHUT_WR)
                answers.join()

    return serving(handle)


class _Pump(threading.Thread):
    """From the server to the client, stopping once at the gate."""

    def __init__(self, source, target, gate, held):
        super().__init__(daemon=True)
        self.source, self.target, self.gate, self.held = source, target, gate, held
        self.start()

    def run(self):
        has_passed = False
        try:
            while data := self.source.recv(65536):
                if self.held.is_set() and not has_passed:
                    has_passed = True
                    self.gate.arrive()
                self.target.sendall(data)
        except OSError:
            pass
        finally:
            with contextlib.suppress(OSError):
                self.target.shutdown(socket.SHUT_WR)


def line(gate):
    """Says one line and goodbye."""
    def handle(client):
        gate.arrive()
        client.sendall(ANSWER + b"\n")
    return serving(handle)


def sink(gate):
    """Reads nothing at first."""
    def handle(client):
        gate.arrive()
        while client.recv(1 << 20):
            pass
    return serving(handle)


@contextlib.contextmanager
def full_backlog(gate):
    """A port on which nobody is accepted."""
    with contextlib.ExitStack() as stack:
        listener = stack.enter_context(socket.create_server(("127.0.0.1", 0), backlog=0))
        for _ in range(4):
            filler = stack.enter_context(socket.socket())
            filler.setblocking(False)
            filler.connect_ex(listener.getsockname())

        def accept_all():
            # Nobody can be seen to wait: the kernel does not tell.
            deadline = time.monotonic() + gate.patience_s
            while not gate.is_open and not gate.others_ran and time.monotonic() < deadline:
                time.sleep(0.005)
            with contextlib.suppress(OSError):
                while True:
                    stack.enter_context(listener.accept()[0])

        threading.Thread(target=accept_all, daemon=True).start()
        yield listener.getsockname()[1]


SOAP = (b'<?xml version="1.0"?><e:Envelope xmlns:e="http://schemas.xmlsoap.org/soap/envelope/"><e:Body>'
        b'<r:askResponse xmlns:r="urn:gate"><return>answer</return></r:askResponse></e:Body></e:Envelope>')


@contextlib.contextmanager
def http_server(gate, certificates=None):
    class Handler(http.server.BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def answer(self):
            body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
            gate.arrive()
            data, kind = (SOAP, "text/xml") if b"Envelope" in body else (ANSWER, "text/plain")
            self.send_response(200)
            self.send_header("Content-Type", kind)
            self.send_header("Content-Length", str(len(data)))
            self.send_header("Connection", "close")
            self.end_headers()
            if self.command != "HEAD":
                self.wfile.write(data)

        do_GET = do_POST = do_PUT = do_HEAD = answer

        def log_message(self, *_):
            pass

    class Server(http.server.ThreadingHTTPServer):
        request_queue_size = 64
        block_on_close = False

        def handle_error(self, request, client_address):
            pass

    with Server(("127.0.0.1", 0), Handler) as server:
        if certificates:
            context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            context.load_cert_chain(certificates.path("gate.pem"), certificates.path("gate.key"))
            server.socket = context.wrap_socket(server.socket, server_side=True, do_handshake_on_connect=False)
        threading.Thread(target=server.serve_forever, args=(0.05,), daemon=True).start()
        yield server.server_address[1]
        server.shutdown()


def tls(gate, certificates):
    """The handshake waits."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificates.path("gate.pem"), certificates.path("gate.key"))

    def handle(client):
        gate.arrive()
        with context.wrap_socket(client, server_side=True) as secured:
            secured.sendall(ANSWER + b"\n")
    return serving(handle)


def ftp(gate, verb):
    """Holds its answer to one command back. One file, which is what was stored last."""
    def handle(client):
        lines = client.makefile("rb")
        data_listener = None

        def say(text):
            client.sendall(text.encode() + b"\r\n")

        say("220 ready")
        while command := lines.readline().decode().strip():
            name = command.split(" ", 1)[0].upper()
            if name == verb:
                gate.arrive()
            if name == "USER":
                say("331 password?")
            elif name == "PASS":
                say("230 logged in")
            elif name in ("PASV", "EPSV"):
                data_listener = socket.create_server(("127.0.0.1", 0))
                port = data_listener.getsockname()[1]
                say(f"229 Entering Extended Passive Mode (|||{port}|)" if name == "EPSV" else
                    f"227 Entering Passive Mode (127,0,0,1,{port >> 8},{port & 255})")
            elif name in ("RETR", "STOR", "NLST", "LIST"):
                say("150 here it comes")
                with data_listener.accept()[0] as data:
                    if name == "STOR":
                        while data.recv(65536):
                            pass
                    elif name == "LIST":
                        data.sendall(b"-rw-r--r-- 1 me me 8 Jan  1 00:00 file\r\n-rw-r--r-- 1 me me 8 Jan  1 00:00 other\r\n")
                    else:
                        data.sendall(ANSWER + b"\r\n")
                data_listener.close()
                say("226 done")
            elif name == "SIZE":
                say(f"213 {len(ANSWER) + 2}")
            elif name == "MDTM":
                say("213 20260101000000")
            elif name in ("PWD", "MKD"):
                say('257 "/"')
            elif name == "QUIT":
                say("221 goodbye")
                return
            else:
                say("200 as you like")
    return serving(handle)


def ldap(gate, operation):
    """Says yes to everything, and sends who looks in dc=elsewhere to dc=here. `operation` is the tag of the request whose
    answer is held back."""
    answers = {0x60: 0x61, 0x63: 0x65, 0x66: 0x67, 0x68: 0x69, 0x4A: 0x6B, 0x6E: 0x6F, 0x77: 0x78}

    def read_exactly(client, count):
        data = b""
        while len(data) < count:
            part = client.recv(count - len(data))
            if not part:
                raise EOFError
            data += part
        return data

    def handle(client):
        while True:
            head = read_exactly(client, 2)
            size = head[1]
            if size & 0x80:
                size = int.from_bytes(read_exactly(client, size & 0x7F), "big")
            message = read_exactly(client, size)
            number_end = 2 + message[1]
            tag = message[number_end]
            if tag == 0x42:
                return
            if tag == operation:
                gate.arrive()
            result = bytes((0x0A, 1, 6 if tag == 0x6E else 0, 4, 0, 4, 0))
            # Under the name of another server: libldap stays with the one that it has asked.
            if b"dc=elsewhere" in message:
                url = f"ldap://localhost:{client.getsockname()[1]}/dc=here".encode()
                result = bytes((0x0A, 1, 10, 4, 0, 4, 0, 0xA3, len(url) + 2, 4, len(url))) + url
            body = message[:number_end] + bytes((answers[tag], len(result))) + result
            client.sendall(bytes((0x30, len(body))) + body)
    return serving(handle)


def ssh(gate, step):
    """Password `secret` for anybody, who is sent something to ignore; `step` is what is held back: auth, exec or sftp."""
    import paramiko

    key = paramiko.ECDSAKey.generate()

    class Files(paramiko.SFTPServerInterface):
        def stat(self, path):
            attributes = paramiko.SFTPAttributes()
            attributes.st_size = len(ANSWER)
            attributes.st_mode = 0o100644
            return attributes

        lstat = stat

        def open(self, path, flags, attributes):
            gate.arrive()
            handle = paramiko.SFTPHandle(flags)
            read_end, write_end = os.pipe()
            os.write(write_end, ANSWER)
            os.close(write_end)
            os.close(read_end)
            handle.stat = lambda: self.stat(path)
            handle.read = lambda offset, length: ANSWER[offset:offset + length] or paramiko.SFTP_EOF
            return handle

    class Server(paramiko.ServerInterface):
        def __init__(self, transport):
            self.transport = transport

        def get_allowed_auths(self, username):
            return "password"

        def check_auth_password(self, username, password):
            if step == "auth":
                gate.arrive()
            self.transport.send_ignore(8)
            return paramiko.AUTH_SUCCESSFUL if password == "secret" else paramiko.AUTH_FAILED

        def check_channel_request(self, kind, channel_id):
            return paramiko.OPEN_SUCCEEDED

        def check_channel_exec_request(self, channel, command):
            def answer():
                gate.arrive()
                channel.sendall(ANSWER)
                channel.send_exit_status(0)
                channel.close()
            threading.Thread(target=answer, daemon=True).start()
            return True

    def handle(client):
        transport = paramiko.Transport(client)
        transport.daemon = True
        transport.add_server_key(key)
        transport.set_subsystem_handler("sftp", paramiko.SFTPServer, Files)
        transport.start_server(server=Server(transport))
        transport.join()
    return serving(handle)
