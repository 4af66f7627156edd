"""php-fpm with 4 children behind nginx, in a private folder, for scripts that Sluice is compared with."""

import contextlib
import os
import shutil
import signal
import subprocess
import tempfile
import time
from pathlib import Path

from measuring import START_TIMEOUT_S, Failure, accepts, free_address

CHILDREN = 4
# Both run as who starts the benchmark: the folder of a checkout may be closed to other users.
FPM = """[global]
error_log = {folder}/fpm.log
daemonize = no
[www]
listen = {folder}/fpm.sock
listen.backlog = 1024
listen.mode = 0666
{user}
pm = static
pm.max_children = {children}
{settings}
"""
NGINX = """daemon off; worker_processes 1; pid {folder}/nginx.pid; error_log {folder}/nginx.log;
{user}
events {{ worker_connections 2048; }}
http {{
    access_log off;
    client_body_temp_path {folder}/body; proxy_temp_path {folder}/proxy; fastcgi_temp_path {folder}/fastcgi;
    uwsgi_temp_path {folder}/uwsgi; scgi_temp_path {folder}/scgi;
    server {{
        listen {address} backlog=1024;
        location / {{
            fastcgi_pass unix:{folder}/fpm.sock;
            fastcgi_param SCRIPT_FILENAME {script};
            fastcgi_param SCRIPT_NAME /index.php;
            fastcgi_param REQUEST_METHOD $request_method;
            fastcgi_param REQUEST_URI $request_uri;
            fastcgi_param QUERY_STRING $query_string;
            fastcgi_param CONTENT_TYPE $content_type;
            fastcgi_param CONTENT_LENGTH $content_length;
            fastcgi_param DOCUMENT_URI $document_uri;
            fastcgi_param SERVER_PROTOCOL $server_protocol;
            fastcgi_param SERVER_NAME $host;
            fastcgi_param REMOTE_ADDR $remote_addr;
            {parameters}
        }}
    }}
}}
"""


def program(pattern):
    for folder in ("/usr/sbin", "/usr/bin", "/usr/local/sbin"):
        found = sorted(path for path in Path(folder).glob(pattern) if os.access(path, os.X_OK))
        if found:
            return found[-1]
    raise Failure(f"There is no {pattern}.")


@contextlib.contextmanager
def fpm_behind_nginx(script, parameters=None, settings=None):
    """Gives its address, and the sessions of both. `parameters` are in the script's $_SERVER, `settings` are those of php.ini."""
    address = free_address()
    is_root = os.getuid() == 0
    with contextlib.ExitStack() as stack:
        folder = tempfile.mkdtemp(prefix="sluice-bench-")
        stack.callback(shutil.rmtree, folder, ignore_errors=True)
        Path(folder, "fpm.conf").write_text(FPM.format(
            folder=folder, children=CHILDREN, user="user = root\ngroup = root" if is_root else "",
            settings="\n".join(f"php_admin_value[{name}] = {value}" for name, value in (settings or {}).items())))
        Path(folder, "nginx.conf").write_text(NGINX.format(
            folder=folder, address=address, script=script, user="user root root;" if is_root else "",
            parameters=" ".join(f"fastcgi_param {name} {value};" for name, value in (parameters or {}).items())))
        fpm = [program("php-fpm[78]*"), "-y", f"{folder}/fpm.conf", *(["-R"] if is_root else [])]
        sessions = []
        for command in (fpm, [program("nginx"), "-c", f"{folder}/nginx.conf", "-e", f"{folder}/nginx.log"]):
            process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                                       start_new_session=True)
            sessions.append(process.pid)
            stack.callback(process.wait)
            stack.callback(process.send_signal, signal.SIGTERM)
        deadline = time.monotonic() + START_TIMEOUT_S
        while not (accepts(address) and Path(folder, "fpm.sock").exists()):
            if time.monotonic() > deadline:
                logs = "".join(path.read_text() for path in Path(folder).glob("*.log"))
                raise Failure(f"nginx or php-fpm does not serve:\n{logs}")
            time.sleep(0.01)
        yield address, sessions
