"""What stands in docs/guides, and in what `sluice init` writes, for other programs: a unit of systemd, nginx in front of the server, a container, Redis."""

import http.client
import json
import os
import re
import shutil
import socket
import ssl
import subprocess

import pytest

from certificates import Certificates
from harness import DEADLINE_S, MODES, ROOT, Server, free_ports, php_command, wait_until
from websocket_client import TEXT, frame, handshake

GUIDES = ROOT / "docs/guides"
# What `vendor/bin/sluice init` writes.
TEMPLATES = ROOT / "packages/app/templates"
# https://docs.docker.com/reference/dockerfile/, those that begin a line.
INSTRUCTIONS = {"ADD", "ARG", "CMD", "COPY", "ENTRYPOINT", "ENV", "EXPOSE", "FROM", "HEALTHCHECK", "LABEL", "ONBUILD", "RUN", "SHELL", "STOPSIGNAL", "USER",
                "VOLUME", "WORKDIR"}


def block(page, language, names=""):
    """The only block of this language in which these words stand."""
    found = [one for one in re.findall(rf"^```{language}\n(.*?)^```$", (GUIDES / page).read_text(), re.MULTILINE | re.DOTALL) if names in one]
    assert len(found) == 1, f"{page} has {len(found)} blocks of {language} with \"{names}\""
    return found[0]


def program(name):
    path = shutil.which(name) or shutil.which(name, path="/usr/sbin:/usr/local/sbin")
    return path or pytest.skip(f"{name} is not installed")


@pytest.fixture(params=MODES)
def mode(request):
    return request.param


@pytest.mark.parametrize("unit, key", [
    (block("deployment.md", "ini", "[Service]"), "KillMode"),
    ((TEMPLATES / "sluice.service").read_text().replace("%name%", "app").replace("%folder%", "/tmp"), "TimeoutStopSec")], ids=["guide", "init"])
def test_systemd_has_nothing_against_the_unit(tmp_path, unit, key):
    analyze = program("systemd-analyze")
    executable = re.search(r"^ExecStart=(\S+) ", unit, re.MULTILINE)[1]

    def said(text):
        # The page's own is not on every machine.
        (tmp_path / "app.service").write_text(text.replace(executable, shutil.which("php")))
        done = subprocess.run([analyze, "verify", tmp_path / "app.service"], capture_output=True, text=True, check=False, timeout=DEADLINE_S)
        # What it finds in units of the machine is none of ours.
        return done.returncode, [line for line in done.stderr.splitlines() if "app.service" in line]

    assert said(unit) == (0, [])
    assert said(unit.replace(f"\n{key}=", f"\n{key}s="))[1] != [], "a key that there is not would be noticed"


def test_systemd_has_nothing_against_the_socket(tmp_path):
    analyze = program("systemd-analyze")
    unit = re.sub(r"^ExecStart=\S+", f"ExecStart={shutil.which('php')}", block("deployment.md", "ini", "[Service]"), flags=re.MULTILINE)
    (tmp_path / "app.service").write_text(unit)

    def said(text):
        (tmp_path / "app.socket").write_text(text)
        done = subprocess.run([analyze, "verify", tmp_path / "app.socket"], capture_output=True, text=True, check=False, timeout=DEADLINE_S)
        return [line for line in done.stderr.splitlines() if "app.s" in line]

    text = block("deployment.md", "ini", "[Socket]")
    assert said(text) == []
    assert said(text.replace("\nReusePort=", "\nReuseports=")) != [], "a key that there is not would be noticed"


@pytest.fixture
def behind_nginx(mode, tmp_path):
    """The port of an nginx that has the page's configuration, with a certificate and folders of its own."""
    nginx = program("nginx")
    certificates = Certificates(tmp_path)
    certificates.make("site", "app.example", "127.0.0.1")
    port, path = free_ports(1)[0], tmp_path / "app.sock"
    page = block("deployment.md", "nginx")
    for there, here in (("unix:/run/app/app.sock;", f"unix:{path};"),
                        ("listen 443 ssl;", f"listen 127.0.0.1:{port} ssl; ssl_certificate {tmp_path}/site.pem; ssl_certificate_key {tmp_path}/site.key;")):
        assert there in page
        page = page.replace(there, here)
    folders = "".join(f"{kind}_temp_path {tmp_path}/{kind};\n" for kind in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi"))
    user = "user root;" if os.getuid() == 0 else ""
    (tmp_path / "nginx.conf").write_text(f"daemon off;\n{user}\npid {tmp_path}/nginx.pid;\nerror_log {tmp_path}/error.log;\n"
                                         f"events {{}}\nhttp {{\naccess_log off;\n{folders}{page}}}\n")
    with Server("behind_nginx.php", mode, workers=2, env={"SOCKET": str(path)}):
        # Compiled-in paths are not to matter: -e is the log before the configuration is read.
        with subprocess.Popen([nginx, "-e", tmp_path / "error.log", "-p", tmp_path, "-c", tmp_path / "nginx.conf"], stdin=subprocess.DEVNULL, stderr=subprocess.PIPE) as process:
            try:
                def is_up():
                    assert process.poll() is None, process.stderr.read()
                    with socket.socket() as probe:
                        return probe.connect_ex(("127.0.0.1", port)) == 0

                wait_until(is_up, "nginx answers")
                yield port, tmp_path
            finally:
                process.terminate()


def test_nginx_in_front(behind_nginx):
    port, folder = behind_nginx
    context = ssl.create_default_context(cafile=folder / "ca.pem")
    client = http.client.HTTPSConnection("127.0.0.1", port, context=context, timeout=DEADLINE_S)

    def ask(*request, **more):
        client.request(*request, **more)
        response = client.getresponse()
        assert response.status == 200, response.read()
        return response

    assert ask("GET", "/", headers={"Host": "app.example"}).read() == b"127.0.0.1 by https at app.example"
    # Longer than nginx's own limit, which the page leaves to the server.
    assert json.loads(ask("POST", "/upload", body=b"x" * (3 << 20)).read()) == 3 << 20
    pieces = ask("GET", "/pieces")
    assert pieces.read(6) == b"first\n", "it is not held back"
    (folder / "app.sock.seen").touch()
    assert pieces.read() == b"second\n"
    client.close()
    with context.wrap_socket(socket.create_connection(("127.0.0.1", port), timeout=DEADLINE_S), server_hostname="app.example") as websocket:
        websocket.sendall(handshake("/echo"))
        received = b""
        while b"\r\n\r\n" not in received:
            received += websocket.recv(65536)
        assert received.startswith(b"HTTP/1.1 101 ")
        websocket.sendall(frame(TEXT, b"hello"))
        while not received.endswith(b"says hello"):
            more = websocket.recv(65536)
            assert more, received
            received += more
        assert b"127.0.0.1 says hello" in received or b"127.0.0.1:" in received


@pytest.mark.parametrize("text, starts", [
    (block("deployment.md", "dockerfile"), ["php", "server.php"]),
    ((TEMPLATES / "Dockerfile").read_text(), ["php", "vendor/bin/sluice", "serve"])], ids=["guide", "init"])
def test_the_container_file_is_one(text, starts):
    """No engine is there to build it."""
    lines = [line for line in text.replace("\\\n", "").splitlines() if line and not line.startswith("#")]
    assert [line for line in lines if line.split()[0] not in INSTRUCTIONS] == []
    assert lines[0].startswith("FROM ")
    commands = [line.split(maxsplit=1)[1] for line in lines if line.startswith(("CMD", "ENTRYPOINT"))]
    assert [json.loads(command) for command in commands] == [starts], "in the form of a list: no shell is between, which would keep SIGTERM to itself"


def test_a_pod_has_time_to_stop():
    """No cluster is there to run it; numbers of the manifest agree with those of the server and of the container file."""
    yaml = pytest.importorskip("yaml", reason="python3-yaml is not installed")
    pod = yaml.safe_load(block("deployment.md", "yaml"))["spec"]["template"]["spec"]
    (container,) = pod["containers"]
    waits = container["lifecycle"]["preStop"]["exec"]["command"]
    shutdown = re.search(r"^\| `shutdownSeconds` \| (\d+) s ", (ROOT / "docs/limits.md").read_text(), re.MULTILINE)
    assert waits[0] == "sleep" and int(waits[1]) + int(shutdown[1]) < pod["terminationGracePeriodSeconds"]
    port = int(re.search(r"^EXPOSE (\d+)$", block("deployment.md", "dockerfile"), re.MULTILINE)[1])
    assert [container["ports"][0]["containerPort"], container["readinessProbe"]["httpGet"]["port"], container["livenessProbe"]["httpGet"]["port"]] == [port] * 3


def test_jobs_in_redis(redis, tmp_path):
    """The part of a program in background.md, which takes what others have put there."""
    parts = re.findall(r"^```php\n(.*?)^```$", (GUIDES / "background.md").read_text(), re.MULTILINE | re.DOTALL)
    part = next(part for part in parts if "bRPopLPush" in part)
    assert "$redis->connect('127.0.0.1');" in part
    port = redis.port
    part = part.replace("connect('127.0.0.1')", f"connect('127.0.0.1', {port})").replace(", 5)", ", 1)")
    (tmp_path / "jobs.php").write_text(f"""<?php
        $redis = new Redis();
        $redis->connect('127.0.0.1', {port});
        $redis->del('jobs', 'running');
        $redis->lPush('jobs', 'first', 'second', 'third');
        function work(string $job): void
        {{
            $redis = new Redis();
            $redis->connect('127.0.0.1', {port});
            echo $job, ' of ', implode(' ', $redis->lRange('running', 0, -1)), "\\n";
        }}
    """ + part.replace("use Sluice\\Coroutine;", "", 1).replace("Coroutine\\run", "Sluice\\Coroutine\\run") + "echo $redis->lLen('jobs') + $redis->lLen('running'), \" left\\n\";")
    command, env = php_command()
    done = subprocess.run([*command, tmp_path / "jobs.php"], env=os.environ | env, capture_output=True, text=True, check=False, timeout=DEADLINE_S * 2)
    assert done.stdout == "first of first\nsecond of second\nthird of third\n0 left\n", done.stdout + done.stderr
