"""PHP applications of Debian's archive. They are unpacked below build/applications, and not installed: what Debian's packages would do to the machine's configuration is not asked for."""

import difflib
import fcntl
import gzip
import html.parser
import http.cookiejar
import os
import re
import shutil
import struct
import subprocess
import urllib.error
import urllib.parse
import urllib.request
import uuid
import zlib
from pathlib import Path

import pytest

from harness import DEADLINE_S, ROOT

FOLDER = ROOT / "build/applications"
# Each with what it includes, as Debian 12 divides it into packages; PHP's extensions and jQuery and the like that the machine has are not asked for.
PACKAGES = {
    "wordpress": "wordpress wordpress-theme-twentytwentythree php-getid3 libjs-underscore libjs-cropper",
    "dokuwiki": "dokuwiki php-geshi libphp-simplepie php-phpseclib php-random-compat libjs-jquery libjs-jquery-cookie libjs-jquery-ui",
    "phpmyadmin": "phpmyadmin php-composer-ca-bundle php-fig-http-message-util php-getallheaders php-google-recaptcha php-mariadb-mysql-kbs php-nikic-fast-route php-psr-cache "
    "php-psr-container php-psr-log php-symfony-cache-contracts php-symfony-deprecation-contracts php-symfony-filesystem php-symfony-polyfill-php81 php-symfony-service-contracts "
    "php-symfony-var-exporter php-symfony-cache php-symfony-expression-language php-phpmyadmin-motranslator php-phpmyadmin-shapefile php-symfony-polyfill-php80 "
    "php-phpmyadmin-sql-parser php-psr-http-message php-psr-http-factory php-slim-psr7 php-symfony-config php-symfony-dependency-injection php-twig php-twig-i18n-extension "
    "php-webmozart-assert libjs-codemirror libjs-jquery libjs-jquery-ui libjs-jquery-metadata libjs-jquery-mousewheel libjs-jquery-tablesorter libjs-jquery-timepicker",
    "mediawiki": "mediawiki mediawiki-classes",
    "prometheus": "prometheus",
    "promtool": "promtool",
}


def unpacked(name):
    """The root of the packages' files. The test is skipped where they cannot be had, or need others beside them."""
    if name not in ("prometheus", "promtool") and not Path("/etc/debian_version").read_text().startswith("12"):
        pytest.skip("what the application includes is known of Debian 12")
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
        if self.fields["Content-Encoding"] == "gzip":
            self.body = gzip.decompress(self.body)

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

    def __init__(self, address, fields=()):
        """`fields`: of the head of each request."""
        self.origin, self.fields = "http://{}:{}".format(*address), dict(fields)
        self.jar = http.cookiejar.CookieJar()
        handlers = urllib.request.HTTPCookieProcessor(self.jar), urllib.request.ProxyHandler({})
        self.opener = urllib.request.build_opener(*handlers)
        self.here = urllib.request.build_opener(*handlers, Stay)

    def ask(self, path, data=None, headers=(), follow=True):
        request = urllib.request.Request(urllib.parse.urljoin(self.origin + "/", path), data, self.fields | dict(headers))
        try:
            return Page((self.opener if follow else self.here).open(request, timeout=4 * DEADLINE_S))
        except urllib.error.HTTPError as error:
            return Page(error)

    get = ask

    def post(self, path, fields, headers=()):
        return self.ask(path, urllib.parse.urlencode(fields, doseq=True).encode(), headers)

    def upload(self, path, fields, name, file, content, kind):
        boundary = uuid.uuid4().hex
        parts = [f'--{boundary}\r\nContent-Disposition: form-data; name="{key}"\r\n\r\n{value}\r\n'.encode() for key, value in fields.items()]
        parts.append(f'--{boundary}\r\nContent-Disposition: form-data; name="{name}"; filename="{file}"\r\nContent-Type: {kind}\r\n\r\n'.encode() + content + b"\r\n")
        return self.ask(path, b"".join(parts) + f"--{boundary}--\r\n".encode(), {"Content-Type": f"multipart/form-data; boundary={boundary}"})


def picture():
    """A PNG of one pixel."""
    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", 1, 1, 8, 2, 0, 0, 0)) + chunk(b"IDAT", zlib.compress(b"\0\xff\0\0")) + chunk(b"IEND", b"")


class Forms(html.parser.HTMLParser):
    """The forms of a page, each with its action and what a browser would send of it, but for buttons."""

    def __init__(self, page):
        super().__init__()
        self.found, self.select, self.text = [], None, None
        self.feed(page.text)

    def handle_starttag(self, tag, attributes):
        attributes = dict(attributes)
        if tag == "form":
            self.found.append((attributes.get("action") or "", {}))
        if not self.found:
            return
        fields, name = self.found[-1][1], attributes.get("name")
        if tag == "input" and name and "disabled" not in attributes:
            kind = attributes.get("type", "text")
            if kind in ("radio", "checkbox") and "checked" in attributes:
                fields.setdefault(name, []).append(attributes.get("value", "on"))
            elif kind not in ("radio", "checkbox", "submit", "button", "image", "file", "reset"):
                fields.setdefault(name, []).append(attributes.get("value") or "")
        elif tag == "textarea" and name:
            self.text = fields.setdefault(name, [])
            self.text.append("")
        elif tag == "select" and name:
            self.select = fields.setdefault(name, [])
            self.is_multiple = "multiple" in attributes
        elif tag == "option" and self.select is not None and ("selected" in attributes or not (self.select or self.is_multiple)):
            if not self.is_multiple:
                self.select.clear()
            self.select.append(attributes.get("value", ""))

    def handle_data(self, data):
        if self.text is not None:
            self.text[-1] += data

    def handle_endtag(self, tag):
        if tag == "textarea":
            # The first newline belongs to the tag.
            self.text[-1] = self.text[-1].removeprefix("\n")
            self.text = None
        elif tag == "select":
            self.select = None


def form_with(page, name=None):
    """The action and the fields of the first form, or of the first that has a field of this name."""
    for action, fields in Forms(page).found:
        if name is None or name in fields:
            return urllib.parse.urljoin(page.url, action), fields
    raise AssertionError(f"no form with {name} in {page}")


def submit(visitor, page, name, changes):
    """As if a button of the form with this field, or of the first one, had been pressed; `changes`: what was typed before, and the button."""
    action, fields = form_with(page, name)
    return visitor.post(action, fields | changes)


def field_of(page, name):
    """The value of a form's hidden field."""
    return form_with(page, name)[1][name][0]


def comparable(page, origin, varying):
    """The lines of a page, without what differs from one request to the next: the port, nonces, times."""
    # What a redirection says beside its place is the server's own.
    place = page.fields.get("Location")
    text = re.sub(rf"(?<!\d){origin.rpartition(':')[2]}(?!\d)", "PORT", f"to {place}" if place else page.text)
    for pattern in varying:
        text = re.sub(pattern, "NONCE", text)
    text = re.sub(r"(Sluice|nginx)/[\d.]+", "SERVER", text)
    # What the database has from a request is of the server that has handled it.
    text = re.sub(r"127\.0\.0\.1:(PORT|\d+)", "HERE", text)
    text = re.sub(r"\b[0-9a-f]{10,}\b|\b\d{10}(\d{3})?\b|\d\d:\d\d:\d\d|\d+(\.\d+)? ?(s|ms|KiB|MB|seconds?)\b", "NONCE", text)
    lines = [part for line in text.splitlines() for part in (re.split(r"(?<=[,;])", line) if len(line) > 300 else [line])]
    return [str(page.status), "" if place else page.fields.get("Content-Type", "").partition(";")[0], page.fields.get("Content-Encoding", ""), *lines]


def differences(here, there, paths, varying=()):
    """Between what one visitor and another one see, in lines. `varying`: patterns of what is never the same."""
    found = []
    for path in paths:
        pages = [comparable(visitor.get(path, follow=False), visitor.origin, varying) for visitor in (here, there)]
        if pages[0] != pages[1]:
            found += [f"{path}: {line[:300]}" for line in difflib.unified_diff(*pages, lineterm="", n=0) if not re.match(r"(---|\+\+\+) $|@@ ", line)]
    return found
