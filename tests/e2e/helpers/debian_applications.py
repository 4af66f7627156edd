"""PHP applications of Debian's archive. They are unpacked below build/applications, and not installed: what Debian's packages would do to the machine's configuration is not asked for."""

import difflib
import fcntl
import http.cookiejar
import os
import re
import shutil
import subprocess
import urllib.error
import urllib.parse
import urllib.request
import uuid
from pathlib import Path

import pytest

from harness import DEADLINE_S, ROOT

FOLDER = ROOT / "build/applications"
# Each with what it includes; PHP's extensions and jQuery and the like that the machine has are not asked for.
PACKAGES = {
    "wordpress": "wordpress wordpress-theme-twentytwentythree php-getid3 libjs-underscore libjs-cropper",
    "dokuwiki": "dokuwiki php-geshi libphp-simplepie php-phpseclib php-random-compat libjs-jquery libjs-jquery-cookie libjs-jquery-ui",
    "phpmyadmin": "phpmyadmin php-composer-ca-bundle php-fig-http-message-util php-getallheaders php-google-recaptcha php-mariadb-mysql-kbs php-nikic-fast-route php-psr-cache "
    "php-psr-container php-psr-log php-symfony-cache-contracts php-symfony-deprecation-contracts php-symfony-filesystem php-symfony-polyfill-php81 php-symfony-service-contracts "
    "php-symfony-var-exporter php-symfony-cache php-symfony-expression-language php-phpmyadmin-motranslator php-phpmyadmin-shapefile php-symfony-polyfill-php80 "
    "php-phpmyadmin-sql-parser php-psr-http-message php-psr-http-factory php-slim-psr7 php-symfony-config php-symfony-dependency-injection php-twig php-twig-i18n-extension "
    "php-webmozart-assert libjs-codemirror libjs-jquery libjs-jquery-ui libjs-jquery-metadata libjs-jquery-mousewheel libjs-jquery-tablesorter libjs-jquery-timepicker",
    "mediawiki": "mediawiki mediawiki-classes",
}


def unpacked(name):
    """The root of the packages' files. The test is skipped where they cannot be had."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    with open(FOLDER / "lock", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        root = FOLDER / name
        if not root.exists():
            unpack(name, root)
    return root


def unpack(name, root):
    if not shutil.which("apt-get"):
        pytest.skip("there is no apt-get")
    packages = FOLDER / f"{name}.packages"
    shutil.rmtree(packages, ignore_errors=True)
    packages.mkdir()
    done = subprocess.run(["apt-get", "download", *PACKAGES[name].split()], cwd=packages, capture_output=True, text=True, check=False)
    if done.returncode:
        pytest.skip(f"{name} cannot be downloaded: {done.stderr[-300:]}")
    making = FOLDER / f"{name}.new"
    shutil.rmtree(making, ignore_errors=True)
    making.mkdir()
    for package in sorted(packages.glob("*.deb")):
        subprocess.run(["dpkg-deb", "-x", package, making], check=True)
    shutil.rmtree(packages)
    for link in [path for path in making.rglob("*") if path.is_symlink()]:
        if os.readlink(link).startswith("/"):
            target = making / os.readlink(link).lstrip("/")
            link.unlink()
            link.symlink_to(os.path.relpath(target, link.parent))
    for link in [path for path in making.rglob("*") if path.is_symlink() and not path.exists()]:
        link.unlink()
    making.rename(root)


def copy(to, *folders):
    """A copy without links, as one would put it behind a server; of one folder over the other."""
    for folder in folders:
        shutil.copytree(folder, to, dirs_exist_ok=True)
    return to


class Page:
    def __init__(self, response):
        self.status, self.url, self.fields, self.body = response.status, response.url, response.headers, response.read()

    @property
    def text(self):
        return self.body.decode(errors="replace")

    def __repr__(self):
        return f"<{self.status} {self.url} {self.text[:2000]}>"


class Stay(urllib.request.HTTPRedirectHandler):
    def redirect_request(self, *_):
        return None


class Visitor:
    """A browser without JavaScript: cookies, redirects, forms."""

    def __init__(self, address):
        self.origin = "http://{}:{}".format(*address)
        self.jar = http.cookiejar.CookieJar()
        handlers = urllib.request.HTTPCookieProcessor(self.jar), urllib.request.ProxyHandler({})
        self.opener = urllib.request.build_opener(*handlers)
        self.here = urllib.request.build_opener(*handlers, Stay)

    def ask(self, path, data=None, headers=(), follow=True):
        request = urllib.request.Request(urllib.parse.urljoin(self.origin + "/", path), data, dict(headers))
        try:
            return Page((self.opener if follow else self.here).open(request, timeout=4 * DEADLINE_S))
        except urllib.error.HTTPError as error:
            return Page(error)

    get = ask

    def post(self, path, fields, headers=()):
        return self.ask(path, urllib.parse.urlencode(fields).encode(), headers)

    def upload(self, path, fields, name, file, content, kind):
        boundary = uuid.uuid4().hex
        parts = [f'--{boundary}\r\nContent-Disposition: form-data; name="{key}"\r\n\r\n{value}\r\n'.encode() for key, value in fields.items()]
        parts.append(f'--{boundary}\r\nContent-Disposition: form-data; name="{name}"; filename="{file}"\r\nContent-Type: {kind}\r\n\r\n'.encode() + content + b"\r\n")
        return self.ask(path, b"".join(parts) + f"--{boundary}--\r\n".encode(), {"Content-Type": f"multipart/form-data; boundary={boundary}"})


def field_of(page, name):
    """The value of a form's hidden field."""
    for tag in re.findall(r"<input[^>]*>", page.text):
        if re.search(rf"""\bname=["']{re.escape(name)}["']""", tag):
            return re.search(r"""\bvalue=["']([^"']*)["']""", tag).group(1)
    raise AssertionError(f"no field {name} in {page}")


def comparable(page, origin):
    """The lines of a page, without what differs from one request to the next: the port, nonces, times."""
    # What a redirection says beside its place is the server's own.
    place = page.fields.get("Location")
    text = (f"to {place}" if place else page.text).replace(origin.rpartition(":")[2], "PORT")
    # What the database has from a request is of the server that has handled it.
    text = re.sub(r"127\.0\.0\.1:(PORT|\d+)", "HERE", text)
    text = re.sub(r"\b[0-9a-f]{10,}\b|\b\d{10}(\d{3})?\b|\d\d:\d\d:\d\d|\d+(\.\d+)? ?(s|ms|KiB|MB|seconds?)\b", "NONCE", text)
    return [str(page.status), "" if place else page.fields.get("Content-Type", "").partition(";")[0], *text.splitlines()]


def differences(here, there, paths):
    """Between what one visitor and another one see, in lines."""
    found = []
    for path in paths:
        pages = [comparable(visitor.get(path, follow=False), visitor.origin) for visitor in (here, there)]
        found += [f"{path}: {line[:300]}" for line in difflib.unified_diff(*pages, lineterm="", n=0) if not re.match(r"(---|\+\+\+) $|@@ ", line)]
    return found
