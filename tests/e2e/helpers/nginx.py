"""nginx before php-fpm, to which a DocumentRoot is compared."""

import contextlib
import os
import shutil
import signal
import subprocess
import tempfile
from pathlib import Path

import pytest

from harness import DEADLINE_S, free_ports, wait_until
from http_client import get
from php_fpm import NoFpm, PhpFpm

CONFIGURATION = """daemon off; worker_processes 1; pid {folder}/nginx.pid; error_log {folder}/nginx.log; {user}
events {{ worker_connections 64; }}
http {{
    access_log off; client_max_body_size 100m; types {{ text/css css; text/html html; text/plain txt; text/javascript js; image/png png; }}
    client_body_temp_path {folder}/body; proxy_temp_path {folder}/proxy; fastcgi_temp_path {folder}/fastcgi; uwsgi_temp_path {folder}/uwsgi; scgi_temp_path {folder}/scgi;
    server {{
        listen 127.0.0.1:{port}; server_name 127.0.0.1; root {root}; index index.php index.html;
        location / {{ try_files $uri $uri/ {front}; }}
        location ~ ^.+?\\.php(/|$) {{
            fastcgi_split_path_info ^(.+?\\.php)(/.*)$; set $path_info $fastcgi_path_info;
            try_files $fastcgi_script_name {front};
            include /etc/nginx/fastcgi_params; fastcgi_param HTTP_HOST $http_host; fastcgi_param SCRIPT_FILENAME $document_root$fastcgi_script_name; fastcgi_param PATH_INFO $path_info; fastcgi_pass unix:{socket};
        }}
    }}
}}
"""


@contextlib.contextmanager
def nginx_and_fpm(root, front="", settings=(), children=1):
    """Something with an `address`, as a server has, and the `sessions` of both; `front`: the script that answers what names nothing."""
    program = shutil.which("nginx", path="/usr/sbin:/usr/bin")
    if not program:
        pytest.skip("there is no nginx")
    with contextlib.ExitStack() as stack:
        try:
            fpm = stack.enter_context(PhpFpm(root / "index.php", settings, children))
        except NoFpm as reason:
            pytest.skip(str(reason))
        folder = stack.enter_context(tempfile.TemporaryDirectory())
        [port] = free_ports(1)
        Path(folder, "conf").write_text(CONFIGURATION.format(folder=folder, port=port, root=root, front=f"/{front}" if front else "=404", socket=fpm.folder / "socket",
                                                             user="user root root;" if os.getuid() == 0 else ""))
        process = subprocess.Popen([program, "-c", f"{folder}/conf", "-e", f"{folder}/nginx.log"], start_new_session=True)
        stack.callback(process.wait, DEADLINE_S)
        stack.callback(process.send_signal, signal.SIGTERM)

        class Address:
            address = ("127.0.0.1", port)
            sessions = (process.pid, fpm.process.pid)

        wait_until(lambda: answers(Address), "nginx serves")
        yield Address


def answers(server):
    try:
        return get(server, "/no/such/file.css").status
    except OSError:
        return False
